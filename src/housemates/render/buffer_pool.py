"""Arrays that are handed out again once nobody has them any more.

New memory of a megabyte costs more than to fill it, as the system has to clear it first. So what was handed
out is remembered, and whether somebody still has it, or a part of it, is told by its number of references.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

KEPT = 4
"""How many arrays of one shape and type are remembered in a thread; whoever keeps more gets new ones."""


def _references(array: NDArray[Any]) -> int:
    return sys.getrefcount(array)


def _unused() -> int:
    """The number of references to an array that is on a shelf and nowhere else, as `take` counts them."""
    kept = [np.empty(0)]
    for array in kept:
        return _references(array)
    raise AssertionError


UNUSED = _unused()


class _Shelf(threading.local):
    def __init__(self) -> None:
        self.kept: dict[tuple[tuple[int, ...], str], list[NDArray[Any]]] = {}


_shelf = _Shelf()


def take(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """An array that nobody else has; what is in it means nothing."""
    kept = _shelf.kept.setdefault((shape, dtype.char), [])
    for array in kept:
        if _references(array) == UNUSED:
            return array
    made: NDArray[Any] = np.empty(shape, dtype)
    if len(kept) == KEPT:
        kept.pop(0)
    kept.append(made)
    return made
