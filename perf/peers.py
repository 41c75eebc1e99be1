"""Which Python has a peer's package."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def interpreter_for(name: str) -> str | None:
    """A Python that has this peer: this one, or that of .venv-peers."""
    if importlib.util.find_spec(name):
        return sys.executable
    for other in (FOLDER.parent / ".venv-peers").glob("[bS]*/python*"):
        if not subprocess.run([other, "-c", f"import {name}"], capture_output=True).returncode:
            return str(other)
    return None
