"""Where recorded agents saw things that they had put down, and where that is on a receptacle."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from housemates.home.placement import Surface, surfaces
from housemates.home.things import GRID_M, Thing, to_local, to_world
from housemates.home.types import Vec

BESIDE_M = 0.05
"""How far beside a surface a line of sight may meet its level."""


class Put(NamedTuple):
    """Something that was put down and seen again."""

    kind: str
    """Its class."""
    x: int
    """The cell (in steps of the grid) of who put it down."""
    z: int
    eye_x: float
    """Where it was seen from."""
    eye_y: float
    eye_z: float
    ray_x: float
    """The direction to its middle, of any length."""
    ray_y: float
    ray_z: float
    name: str = ""
    """Its asset."""
    along: int | None = None
    """Where it points, if it is long: degrees clockwise from +z, below 180."""
    times: int = 1
    """How often it was seen so."""


class Recalled(NamedTuple):
    """How something comes to lie."""

    spot: Vec
    along: int | None
    """Where it points, if it is long and that is known."""


def recalled(
    seen: Iterable[Put], receptacle: Thing, held: Thing, point: Vec, free: Callable[[Vec], bool]
) -> Recalled | None:
    """Where something like `held` came to lie that was put down from the same cell.

    Of the places where the same asset lay it is the first that is free, on the level that is used most and
    there the nearest; then of those of its class, then of any.

    Args:
        seen: What is known of the receptacle.
        receptacle: On or in what it is put.
        held: What is put down.
        point: Where the agent stands; of several levels the nearest counts.
        free: Whether nothing is in the way at a place.
    """
    here = (round(point[0] / GRID_M), round(point[2] / GRID_M))
    used: Counter[float] = Counter()
    found = []
    for put in seen:
        spot = _behind_front(put, receptacle, held) or _on_level(put, receptacle, held, point)
        if spot is not None:
            used[spot[1]] += put.times
            if (put.x, put.z) == here:
                found.append((put, spot))

    def rank(known: tuple[Put, Vec]) -> tuple[bool, bool, bool, int, float]:
        put, spot = known
        return (*_unlike(put, held), -used[spot[1]], math.dist(spot, point))

    for put, spot in sorted(found, key=rank):
        if free(spot):
            return Recalled(spot, None if any(_unlike(put, held)) else put.along)
    return None


def _unlike(put: Put, held: Thing) -> tuple[bool, bool, bool]:
    """In what two things differ: their class, their asset, whether one is a piece and the other a whole."""
    apart = put.kind.endswith("Sliced") != held.type.endswith("Sliced")
    return put.kind != held.type, put.name != held.name, apart


def _on_level(put: Put, receptacle: Thing, held: Thing, point: Vec) -> Vec | None:
    """Where a line of sight meets a level at which the middle of the thing would be, nearest in height."""
    found = []
    for level in surfaces(receptacle):
        height = receptacle.position[1] + level.y + held.size[1] / 2
        length = (height - put.eye_y) / put.ray_y if put.ray_y else 0.0
        if length <= 0:
            continue
        x, _, z = to_local(
            receptacle, (put.eye_x + length * put.ray_x, height, put.eye_z + length * put.ray_z)
        )
        if _over(level, x, z):
            found.append(to_world(receptacle, (x, level.y, z)))
    return min(found, key=lambda spot: abs(spot[1] - point[1]), default=None)


def _behind_front(put: Put, receptacle: Thing, held: Thing) -> Vec | None:
    """Where a line of sight goes through the front of a receptacle's inside, at the level under that.

    Things are put down just behind the front, so of several shelves this tells which one it was.
    """
    shelves = [level for level in surfaces(receptacle) if level.inside]
    if len(shelves) < 2:
        return None
    eye = to_local(receptacle, (put.eye_x, put.eye_y, put.eye_z))
    far = to_local(receptacle, (put.eye_x + put.ray_x, put.eye_y + put.ray_y, put.eye_z + put.ray_z))
    x_ray, y_ray, z_ray = (b - a for a, b in zip(eye, far, strict=True))
    found = []
    for level in shelves:
        z = level.z1 - held.size[2] / 2
        length = (z - eye[2]) / z_ray if z_ray else 0.0
        x, y = eye[0] + length * x_ray, eye[1] + length * y_ray
        if length > 0 and _over(level, x, z):
            found.append((abs(y - level.y - held.size[1] / 2), to_world(receptacle, (x, level.y, z))))
    return min(found)[1] if found else None


def _over(level: Surface, x: float, z: float) -> bool:
    inside_x = level.x0 - BESIDE_M <= x <= level.x1 + BESIDE_M
    return inside_x and level.z0 - BESIDE_M <= z <= level.z1 + BESIDE_M
