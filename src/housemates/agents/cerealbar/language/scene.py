"""Spatial relations between hexes and landmarks, for a viewer."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.world.hexes import DEGREES, bearing, centres
from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.benchmarks.cerealbar.world.landmarks import Landmark, landmarks
from housemates.jit import compiled

CLOSE = 2
"""Steps within which one thing is near another."""
ALIGNED = 25.0
"""Degrees within which one thing is past or in front of another."""
BESIDE = 4
BETWEEN = (8.0, 80.0)
"""Degrees between which one thing is to the left or right of another."""
SECTORS = ((40.0, "ahead"), (140.0, "side"), (181.0, "behind"))
RELATIONS = ("before", "left", "near", "past", "right")
BEFORE, LEFT, NEAR, PAST, RIGHT = (1 << bit for bit in range(len(RELATIONS)))
NAMED = tuple(
    tuple(name for bit, name in enumerate(RELATIONS) if bits >> bit & 1)
    for bits in range(1 << len(RELATIONS))
)
"""The names of the relations whose bits are set, in alphabetical order."""
Ints = NDArray[np.int32]


class Related(NamedTuple):
    """A landmark, the steps from it to a place, and the relations in which the place stands to it."""

    mark: Landmark
    apart: int
    relations: tuple[str, ...]


def sector(hexmap: HexMap, pose: int, target: int) -> str:
    """Where a place is for someone in this pose: ahead, left, right or behind."""
    angle = bearing(pose // 6, pose % 6, target, hexmap.size.width)
    for limit, name in SECTORS:
        if abs(angle) <= limit:
            return ("left" if angle < 0 else "right") if name == "side" else name
    return "behind"


def relate(hexmap: HexMap, pose: int, target: int) -> list[Related]:
    """The landmarks to which a place stands in any relation, seen from a pose."""
    marks, first, hexes = _table(hexmap)
    size = hexmap.size
    found: Ints = _relate(first, hexes, centres(size), pose // 6, DEGREES[pose % 6], target, size.width)
    return [
        Related(marks[number], int(found[number, 0]), NAMED[found[number, 1]])
        for number in np.flatnonzero(found[:, 1]).tolist()
    ]


def holds(related: Iterable[Related], relation: str, kind: str) -> bool:
    """Whether a relation to any landmark of a kind is among these."""
    return any(each.mark.kind == kind and relation in each.relations for each in related)


@lru_cache(maxsize=128)
def _table(hexmap: HexMap) -> tuple[tuple[Landmark, ...], Ints, Ints]:
    """The landmarks, the place of each one's first hex, and all their hexes."""
    marks = landmarks(hexmap)
    first = np.cumsum([0, *(len(mark.hexes) for mark in marks)]).astype(np.int32)
    return marks, first, np.array([at for mark in marks for at in mark.hexes], dtype=np.int32)


@compiled
def _apart(a: int, b: int, width: int) -> int:
    """Steps between two hexes on an empty map."""
    rows = a // width - b // width
    across = (a % width - (a // width) // 2) - (b % width - (b // width) // 2)
    return max(abs(across), abs(rows), abs(across + rows))


@compiled
def _bearing(points: NDArray[np.float64], viewer: int, facing: float, target: int) -> float:
    """Degrees from where one looks to a target, clockwise positive, in (-180, 180]."""
    east, north = points[target, 0] - points[viewer, 0], points[target, 1] - points[viewer, 1]
    angle = math.degrees(math.atan2(east, north)) - facing
    return -((-angle + 180.0) % 360.0 - 180.0)


@compiled
def _relate(
    first: Ints,
    hexes: Ints,
    points: NDArray[np.float64],
    viewer: int,
    facing: float,
    target: int,
    width: int,
) -> Ints:
    """For every landmark the steps to a place and the bits of the relations: `[landmark, 2]`."""
    found = np.zeros((first.shape[0] - 1, 2), dtype=np.int32)
    looks = _bearing(points, viewer, facing, target)
    far = _apart(viewer, target, width)
    for number in range(found.shape[0]):
        place = hexes[first[number]]
        for at in hexes[first[number] : first[number + 1]]:
            if _apart(at, target, width) < _apart(place, target, width):
                place = at
        apart = _apart(place, target, width)
        bits = NEAR if apart <= CLOSE else 0
        if viewer != place and viewer != target:
            turn = (looks - _bearing(points, viewer, facing, place) + 180.0) % 360.0 - 180.0
            farther = far - _apart(viewer, place, width)
            if abs(turn) <= ALIGNED and farther > 0:
                bits |= PAST
            if abs(turn) <= ALIGNED and farther < 0 and apart <= BESIDE:
                bits |= BEFORE
            if BETWEEN[0] <= abs(turn) <= BETWEEN[1] and abs(farther) <= 2 and apart <= BESIDE:
                bits |= LEFT if turn < 0 else RIGHT
        found[number, 0], found[number, 1] = apart, bits
    return found
