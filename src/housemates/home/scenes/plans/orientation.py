"""Which way built-in things face: their records give an upright box but no front."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from housemates.home.things import GRID_M, Thing, thor_position, turned
from housemates.home.types import Vec

Array = npt.NDArray[np.float64]

FAR_M = 2.5
"""Distances beyond this make no difference."""
PIVOT_NEAR_M = 0.06
PIVOT_APART_M = 0.006
DOOR_TYPES = ("Cabinet",)
SQUARE_M = 0.05
CORNER_DOOR = 0.58
"""The share of the side of its box that the door of a cabinet across a corner takes, where its hinge does
not tell."""
SIDES = {0.0: (0, 1), 90.0: (1, 0), 180.0: (0, -1), 270.0: (-1, 0)}
"""Yaw of a front -> its direction in x and z."""


class Rect(NamedTuple):
    """A rectangle on the floor."""

    x0: float
    z0: float
    x1: float
    z1: float


def footprint(thing: Thing) -> Rect:
    """The rectangle under an upright box that is not turned."""
    x, _, z = thing.position
    return Rect(x - thing.size[0] / 2, z - thing.size[2] / 2, x + thing.size[0] / 2, z + thing.size[2] / 2)


def face_room(thing: Thing, cells: Iterable[tuple[int, int]], floor: Rect) -> Thing:
    """Turn a built-in thing so that its local +z is its front, and tell on which side its hinge is."""
    if thing.type in DOOR_TYPES:
        if _stands_across(thing):
            return _across_corner(thing, cells, floor)
        front, hinge = _by_pivot(footprint(thing), thor_position(thing))
        if front is not None:
            return _turned_to(thing, front, hinge)
    return _turned_to(thing, front_side(footprint(thing), cells, floor), None)


def front_side(box: Rect, cells: Iterable[tuple[int, int]], floor: Rect) -> float:
    """The side that people can stand before and that has a wall behind it."""
    places = _places(cells)
    return min(SIDES, key=lambda yaw: _front_score(box, yaw, places, floor))


def _places(cells: Iterable[tuple[int, int]]) -> Array:
    """The middles of cells in metres, (N, 2)."""
    return np.array(list(cells), dtype=np.float64).reshape(-1, 2) * GRID_M


def _front_score(box: Rect, yaw: float, places: Array, floor: Rect) -> float:
    dx, dz = SIDES[yaw]
    x, z = places[_in_strip(box, dx, places[:, 0], places[:, 1])].T
    away = _ahead(box, dx, dz, x, z)
    nearest = float(np.min(away[away > -0.1], initial=FAR_M))
    behind, before = _gap(box, -dx, -dz, floor), _gap(box, dx, dz, floor)
    return min(max(nearest, 0.0), FAR_M) + min(behind, FAR_M) - min(before, FAR_M) / 2


def _in_strip(box: Rect, dx: int, x: Array, z: Array) -> npt.NDArray[np.bool_]:
    low, high, along = (box.z0, box.z1, z) if dx else (box.x0, box.x1, x)
    inside: npt.NDArray[np.bool_] = (along >= low - GRID_M / 2) & (along <= high + GRID_M / 2)
    return inside


def _ahead(box: Rect, dx: int, dz: int, x: Array, z: Array) -> Array:
    """How far places lie before the side that looks towards (dx, dz)."""
    return {(1, 0): x - box.x1, (-1, 0): box.x0 - x, (0, 1): z - box.z1, (0, -1): box.z0 - z}[dx, dz]


def _gap(box: Rect, dx: int, dz: int, floor: Rect) -> float:
    """How far that side is from the edge of the floor."""
    gaps = {
        (1, 0): floor.x1 - box.x1,
        (-1, 0): box.x0 - floor.x0,
        (0, 1): floor.z1 - box.z1,
        (0, -1): box.z0 - floor.z0,
    }
    return abs(gaps[dx, dz])


def _by_pivot(box: Rect, pivot: Vec) -> tuple[float | None, float | None]:
    """Front and hinge side of a cabinet from its hinge, which lies on one side and just behind the front."""
    along_x = min((abs(pivot[0] - box.x0), 270.0), (abs(pivot[0] - box.x1), 90.0))
    along_z = min((abs(pivot[2] - box.z0), 180.0), (abs(pivot[2] - box.z1), 0.0))
    near = [side for side in (along_x, along_z) if side[0] <= PIVOT_NEAR_M]
    if len(near) == 1:
        return near[0][1], None
    if len(near) == 2 and abs(along_x[0] - along_z[0]) > PIVOT_APART_M:
        hinge, front = sorted(near)
        return front[1], hinge[1]
    return None, None


def _stands_across(thing: Thing) -> bool:
    """Whether a cabinet stands across a corner: its box is square, its hinge at the middle of one side."""
    width, _, depth = thing.size
    away = sorted(abs(abs(offset) - width / 2) for offset in (thing.pivot[0], thing.pivot[2]))
    outside = max(abs(thing.pivot[0]), abs(thing.pivot[2])) > width / 2 + PIVOT_NEAR_M
    return abs(width - depth) < SQUARE_M and (outside or away[0] <= PIVOT_NEAR_M < away[1])


def _across_corner(thing: Thing, cells: Iterable[tuple[int, int]], floor: Rect) -> Thing:
    """A cabinet across a corner, turned by half a quarter: its front cuts off the corner of its box that
    looks into the room, from the hinge to the next side."""
    side = (thing.size[0] + thing.size[2]) / 2
    places = _places(cells)
    scores = {yaw: _front_score(footprint(thing), yaw, places, floor) for yaw in SIDES}
    dx = 1 if scores[90.0] < scores[270.0] else -1
    dz = 1 if scores[0.0] < scores[180.0] else -1
    cut = side - min(dx * thing.pivot[0], dz * thing.pivot[2]) - side / 2
    if not 0.0 < cut < side - PIVOT_NEAR_M:
        cut = CORNER_DOOR * side
    yaw = {(1, 1): 45.0, (1, -1): 135.0, (-1, -1): 225.0, (-1, 1): 315.0}[dx, dz]
    x, z = turned(thing.pivot[0], thing.pivot[2], -yaw)
    return msgspec.structs.replace(
        thing,
        yaw=yaw,
        size=(cut * math.sqrt(2), thing.size[1], (side - cut) * math.sqrt(2)),
        mirrored=x > 0,
        pivot=(x, thing.pivot[1], z),
    )


def _turned_to(thing: Thing, front: float, hinge: float | None) -> Thing:
    width, height, depth = thing.size
    size = (depth, height, width) if front in (90.0, 270.0) else thing.size
    mirrored = thing.mirrored
    if hinge is not None:
        dx, dz = SIDES[hinge]
        mirrored = turned(dx, dz, -front)[0] > 0
    x, z = turned(thing.pivot[0], thing.pivot[2], -front)
    pivot = (x, thing.pivot[1], z)
    return msgspec.structs.replace(thing, yaw=front, size=size, mirrored=mirrored, pivot=pivot)
