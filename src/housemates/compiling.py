"""Functions compiled to machine code."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import numba


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile to machine code once and keep it on disk; strict IEEE arithmetic."""
    made: Callable[..., Any] = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=False)(
        function
    )
    return made


def renew(file: str, *modules: ModuleType) -> None:
    """Have the compiled functions of a file made anew if modules whose functions they contain are newer.

    Machine code that is kept on disk is taken for good as long as its own file has not changed.
    """
    newest = max(Path(str(module.__file__)).stat().st_mtime_ns for module in modules)
    if newest > Path(file).stat().st_mtime_ns:
        with suppress(OSError):
            os.utime(file, ns=(newest, newest))
