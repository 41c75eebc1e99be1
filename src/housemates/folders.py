"""Where the system keeps what programs make for a user: data, and caches that can be made again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

NAME = "housemates"


def data_folder() -> Path:
    """Where the user's own store is."""
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    elif sys.platform == "win32":
        base = _local()
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / NAME


def cache_folder() -> Path | None:
    """`HOUSEMATES_CACHE`, or a folder of the user's cache; None if that variable is empty."""
    named = os.environ.get("HOUSEMATES_CACHE")
    if named is not None:
        return Path(named) if named else None
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    elif sys.platform == "win32":
        base = _local()
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / NAME / "supply"


def _local() -> Path:
    return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
