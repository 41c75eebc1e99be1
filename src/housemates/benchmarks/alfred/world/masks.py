"""Masks as the official files keep them: runs of pixels, row by row, of a picture of 300x300."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from housemates.errors import HousematesError

SIDE_PX = 300
PIXELS = SIDE_PX * SIDE_PX
Mask = NDArray[np.bool_]
Run = list[int]
"""Where a run of pixels begins, and how many there are."""


def from_runs(runs: Sequence[Sequence[int]], source: str = "mask") -> Mask:
    """The mask of 300x300 that these runs describe; `source` names them in errors."""
    flat = np.zeros(PIXELS, np.bool_)
    for run in runs:
        if len(run) != 2 or run[0] < 0 or run[1] < 1 or run[0] + run[1] > PIXELS:
            raise HousematesError(
                f"{source}: expected runs [start, length] within {SIDE_PX}x{SIDE_PX} pixels, found {run}."
            )
        flat[run[0] : run[0] + run[1]] = True
    return flat.reshape(SIDE_PX, SIDE_PX)


def to_runs(mask: Mask) -> list[Run]:
    """The runs of a mask; one that reaches the end of a row goes on in the next."""
    edges = np.diff(mask.ravel().astype(np.int8), prepend=0, append=0)
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    return [[start, end - start] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def box_of(mask: Mask) -> list[int]:
    """Left, top, right and bottom pixel of a mask, the rows counted from one as in the official files."""
    rows, columns = np.nonzero(mask)
    return [int(columns.min()), int(rows.min()) + 1, int(columns.max()), int(rows.max()) + 1]


def point_of(mask: Mask) -> list[int]:
    """Column and row of the mask's pixel that is nearest to the middle of its box."""
    rows, columns = np.nonzero(mask)
    middle_x, middle_y = (columns.min() + columns.max()) / 2, (rows.min() + rows.max()) / 2
    best = int(np.argmin((columns - middle_x) ** 2 + (rows - middle_y) ** 2))
    return [int(columns[best]), int(rows[best])]


def overlap(first: Mask, second: Mask) -> float:
    """Intersection over union; 0 if both are empty."""
    union = int(np.count_nonzero(first | second))
    return int(np.count_nonzero(first & second)) / union if union else 0.0
