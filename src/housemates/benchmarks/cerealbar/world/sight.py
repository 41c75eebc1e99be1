"""What the follower sees: hexes in a cone ahead, not behind what hides, and perhaps not in the fog."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.world.hexes import DEGREES, centres, neighbours
from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.benchmarks.cerealbar.world.tables import NO_PROP, PROPS, TERRAINS

FIELD_OF_VIEW = 111.0
"""Degrees from left to right: the original's 85 from top to bottom on a 960 by 600 picture."""
CLEAR = math.inf
SPACING = 0.25
"""Distance between the points at which a line of sight is checked, where a hex has a radius of 1."""


@njit(cache=True)
def _lines(
    points: NDArray[np.float64], hides: NDArray[np.bool_], origin: int, seen: NDArray[np.bool_], width: int
) -> None:
    """Clear `seen` where a hex that hides lies on the line from the origin."""
    for target in range(points.shape[0]):
        if not seen[target] or target == origin:
            continue
        dx = points[target, 0] - points[origin, 0]
        dy = points[target, 1] - points[origin, 1]
        marks = int(math.sqrt(dx * dx + dy * dy) / SPACING)
        for mark in range(1, marks):
            x = points[origin, 0] + dx * mark / marks
            y = points[origin, 1] + dy * mark / marks
            at = _nearest(x, y, width, points)
            if at != target and at != origin and hides[at]:
                seen[target] = False
                break


@njit(cache=True)
def _nearest(x: float, y: float, width: int, points: NDArray[np.float64]) -> int:
    """The hex whose centre is nearest to a point of the map."""
    height = points.shape[0] // width
    row = int(y / 1.5 + 0.5)
    best, least = 0, 1e9
    for near in range(max(0, row - 1), min(height, row + 2)):
        column = int(x / 1.7320508075688772 - 0.5 * (near & 1) + 0.5)
        column = max(0, min(width - 1, column))
        at = near * width + column
        far = (points[at, 0] - x) ** 2 + (points[at, 1] - y) ** 2
        if far < least:
            best, least = at, far
    return best


@lru_cache(maxsize=2_000)
def visible(hexmap: HexMap, position: int, heading: int, fog: float = CLEAR) -> frozenset[int]:
    """The hexes a follower sees from a pose: its own, the two beside its view, and the cone.

    Args:
        hexmap: The map.
        position: The follower's hex.
        heading: Where it looks.
        fog: How far it sees, in hex radii; CLEAR sees to the end of the map.
    """
    points = centres(hexmap.size)
    offset = points - points[position]
    angle = np.degrees(np.arctan2(offset[:, 0], offset[:, 1])) - DEGREES[heading]
    angle = (angle + 180.0) % 360.0 - 180.0
    seen = (np.abs(angle) <= FIELD_OF_VIEW / 2) & (np.hypot(offset[:, 0], offset[:, 1]) <= fog)
    _lines(points, _hiding(hexmap), position, seen, hexmap.size.width)
    near = {position, *(neighbours(hexmap.size)[position][(heading + turn) % 6] for turn in (-1, 0, 1))}
    return frozenset(np.flatnonzero(seen).tolist()) | frozenset(at for at in near if at >= 0)


@lru_cache(maxsize=64)
def _hiding(hexmap: HexMap) -> NDArray[np.bool_]:
    return np.array(
        [
            TERRAINS[ground].hides or (prop != NO_PROP and PROPS[prop].hides)
            for ground, prop in zip(hexmap.terrain, hexmap.prop, strict=True)
        ]
    )
