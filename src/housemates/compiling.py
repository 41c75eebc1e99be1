"""Functions compiled to machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile to machine code once and keep it on disk; strict IEEE arithmetic."""
    made: Callable[..., Any] = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=False)(
        function
    )
    return made
