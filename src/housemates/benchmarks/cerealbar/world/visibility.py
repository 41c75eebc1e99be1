"""What the follower sees: hexes in a cone ahead, not behind what hides, and perhaps not in the fog."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.world.hexes import DEGREES, Size, centres, neighbours
from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.benchmarks.cerealbar.world.tables import PROPS, TERRAINS
from housemates.jit import compiled

FIELD_OF_VIEW = 111.0
"""Degrees from left to right: the original's 85 from top to bottom on a 960 by 600 picture."""
CLEAR = math.inf
SPACING = 0.25
"""Distance between the points at which a line of sight is checked, where a hex has a radius of 1."""
HIDING_GROUND = np.array([terrain.hides for terrain in TERRAINS])
HIDING_PROPS = np.array([*(prop.hides for prop in PROPS), False])
"""The last one is that of no prop, which is -1."""
Points = NDArray[np.float64]
Flags = NDArray[np.bool_]


@compiled
def _lines(points: Points, hides: Flags, origin: int, seen: Flags, width: int) -> None:
    """Clear `seen` where a hex that hides lies on the line from the origin."""
    for target in range(points.shape[0]):
        seen[target] = seen[target] and _open(points, hides, origin, target, width)


@compiled
def _open(points: Points, hides: Flags, origin: int, target: int, width: int) -> bool:
    """Whether no hex that hides lies on the line between two others."""
    if target == origin:
        return True
    dx = points[target, 0] - points[origin, 0]
    dy = points[target, 1] - points[origin, 1]
    marks = int(math.sqrt(dx * dx + dy * dy) / SPACING)
    for mark in range(1, marks):
        x = points[origin, 0] + dx * mark / marks
        y = points[origin, 1] + dy * mark / marks
        at = _nearest(x, y, width, points)
        if at != target and at != origin and hides[at]:
            return False
    return True


@compiled
def _nearest(x: float, y: float, width: int, points: Points) -> int:
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
    seen = _cone(hexmap.size, position, heading)
    if fog != CLEAR:
        offset = points - points[position]
        seen = seen & (np.hypot(offset[:, 0], offset[:, 1]) <= fog)
    seen = seen.copy()
    _lines(points, _hiding(hexmap), position, seen, hexmap.size.width)
    return frozenset(np.flatnonzero(seen).tolist()) | _near(hexmap.size, position, heading)


def sees(hexmap: HexMap, position: int, heading: int, target: int) -> bool:
    """Whether a hex is among those that `visible` gives without fog."""
    size = hexmap.size
    if target in _near(size, position, heading):
        return True
    ahead = _cone(size, position, heading)[target]
    return bool(ahead and _open(centres(size), _hiding(hexmap), position, target, size.width))


@lru_cache(maxsize=10_000)
def _cone(size: Size, position: int, heading: int) -> Flags:
    """The hexes within the field of view, whatever hides them."""
    points = centres(size)
    offset = points - points[position]
    angle = np.degrees(np.arctan2(offset[:, 0], offset[:, 1])) - DEGREES[heading]
    angle = (angle + 180.0) % 360.0 - 180.0
    cone: Flags = np.abs(angle) <= FIELD_OF_VIEW / 2
    return cone


@lru_cache(maxsize=10_000)
def _near(size: Size, position: int, heading: int) -> frozenset[int]:
    """The hexes that are seen in any case: one's own and the three ahead."""
    around = neighbours(size)[position]
    return frozenset(
        at for at in (position, *(around[(heading + turn) % 6] for turn in (-1, 0, 1))) if at >= 0
    )


@lru_cache(maxsize=128)
def _hiding(hexmap: HexMap) -> Flags:
    hiding: Flags = HIDING_GROUND[hexmap.ground] | HIDING_PROPS[hexmap.standing]
    return hiding
