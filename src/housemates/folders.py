"""The folders that a system has for what programs keep of their users."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Literal

FOLDERS = {
    "data": {
        "win32": ("LOCALAPPDATA", "AppData/Local"),
        "darwin": ("", "Library/Application Support"),
        "": ("XDG_DATA_HOME", ".local/share"),
    },
    "cache": {
        "win32": ("LOCALAPPDATA", "AppData/Local"),
        "darwin": ("", "Library/Caches"),
        "": ("XDG_CACHE_HOME", ".cache"),
    },
}
"""What is kept -> system -> the variable that names its folder, and where that is in a home if none does."""


def user_folder(kind: Literal["data", "cache"]) -> Path | None:
    """The folder of this package for data that last or for a cache; None for a user who has no home."""
    places = FOLDERS[kind]
    variable, place = places.get(sys.platform, places[""])
    if named := os.environ.get(variable):
        return Path(named) / "housemates"
    try:
        return Path.home() / place / "housemates"
    except RuntimeError:
        return None


def cache_folder() -> Path | None:
    """`HOUSEMATES_CACHE`, or a folder of the user's cache; None if that is empty, or the user has no home."""
    named = os.environ.get("HOUSEMATES_CACHE")
    if named is not None:
        return Path(named) if named else None
    folder = user_folder("cache")
    return None if folder is None else folder / "supply"
