"""Egocentric windows of the hex map, and crops of a window around the moving follower."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.world.hexes import AXIAL, rotate
from housemates.benchmarks.cerealbar.world.hexmap import STANDARD
from housemates.benchmarks.cerealbar.world.tensors import ego_index

HEXES = STANDARD.width * STANDARD.height
NEAR = 2
"""Radius of a crop, in hexes."""
CROP = (2 * NEAR + 1) ** 2
"""Cells of a crop, which the action generator sees."""
Cells = NDArray[np.int64]
OFFSETS = np.array(
    [
        [rotate(q, r, heading) for q in range(-NEAR, NEAR + 1) for r in range(-NEAR, NEAR + 1)]
        for heading in range(6)
    ]
)
"""(headings, cells, 2): axial offsets of a crop's cells."""


@lru_cache(maxsize=4096)
def window(pose: int, reach: int) -> tuple[Cells, Cells]:
    """The window of a radius around a pose, rotated to its heading.

    Returns:
        The hex of each cell, (cells,), and the cell of each hex, (hexes,); outside is the number of hexes or
        cells.
    """
    side = 2 * reach + 1
    hexes, cells = ego_index(STANDARD, pose, reach)
    hex_of = np.full(side * side, HEXES)
    cell_of = np.full(HEXES, side * side)
    hex_of[cells], cell_of[hexes] = hexes, cells
    return hex_of, cell_of


def crops(actions: list[str], reach: int) -> Cells:
    """The crop before each action, (actions, cells of a crop), as cells of the window of the first pose."""
    q = r = heading = 0
    found = np.empty((len(actions), CROP), np.int64)
    for number, action in enumerate(actions):
        found[number] = crop(q, r, heading, reach)
        q, r, heading = moved(q, r, heading, action)
    return found


def crop(q: int, r: int, heading: int, reach: int) -> Cells:
    """The window's cells, (cells of a crop,), around axial (q, r); outside is the number of cells."""
    side = 2 * reach + 1
    around = OFFSETS[heading] + (q + reach, r + reach)
    inside = ((around >= 0) & (around < side)).all(1)
    return np.where(inside, around[:, 0] * side + around[:, 1], side * side)


def moved(q: int, r: int, heading: int, action: str) -> tuple[int, int, int]:
    """The axial position and heading after an action, on an empty map."""
    if action in ("RL", "RR"):
        return q, r, (heading + (1 if action == "RR" else -1)) % 6
    if action in ("MF", "MB"):
        dq, dr = AXIAL[heading]
        sign = 1 if action == "MF" else -1
        return q + sign * dq, r + sign * dr, heading
    return q, r, heading
