"""Where a counter ends: at the fronts of what is under it and at the edges of where things can be put."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from housemates.home.scenes.plans.orientation import SIDES, Rect

ROOM_M = (0.04, 0.28)
"""From and up to how far before a front there is no counter."""
STAND_M = 0.6
"""Who can stand so near before an edge of a zone stands before the counter."""
BESIDE_M = 0.25
"""How far beside them an edge goes on as it is before them."""
SAME_PLANE_M = 0.06
OVEN_M = 0.8
"""Fronts in one plane that are less apart than this have one counter over them and what is between."""


class Front(NamedTuple):
    """A straight stretch that looks one way."""

    yaw: float
    plane: float
    """How far along the direction in which it looks."""
    start: float
    end: float

    def room(self, near: float, far: float) -> Rect:
        """The rectangle before it, from `near` to `far` metres away."""
        dx, dz = SIDES[self.yaw]
        low, high = sorted(((dx + dz) * (self.plane + near), (dx + dz) * (self.plane + far)))
        return Rect(low, self.start, high, self.end) if dx else Rect(self.start, low, self.end, high)


def front_of(box: Rect, yaw: float) -> Front:
    """The side of a rectangle that looks one way."""
    plane = {0.0: box.z1, 90.0: box.x1, 180.0: -box.z0, 270.0: -box.x0}[yaw]
    return Front(yaw, plane, box.x0, box.x1) if yaw % 180 == 0 else Front(yaw, plane, box.z0, box.z1)


def edges(zones: Iterable[Rect], walked: npt.NDArray[np.float64]) -> list[Front]:
    """The sides of zones, as far as people walk before them."""
    sides = [_stood_before(front_of(zone, yaw), walked) for zone in zones for yaw in SIDES]
    return [side for side in sides if side.start < side.end]


def _stood_before(side: Front, walked: npt.NDArray[np.float64]) -> Front:
    """The stretch of a side before which people stand; nothing if nobody does."""
    room = side.room(0.0, STAND_M)
    x, z = walked[:, 0], walked[:, 1]
    here = walked[(x > room.x0) & (x < room.x1) & (z > room.z0) & (z < room.z1)]
    along = here[:, 0] if side.yaw % 180 == 0 else here[:, 1]
    if not len(along):
        return side._replace(end=side.start)
    first, last = float(along.min()) - BESIDE_M, float(along.max()) + BESIDE_M
    return side._replace(start=max(side.start, first), end=min(side.end, last))


def rooms_before(fronts: Sequence[Front]) -> list[Rect]:
    """The rectangles before fronts in which there is no counter; those in one plane are one."""
    runs: list[Front] = []
    for front in fronts:
        beside = [run for run in runs if _in_line(run, front)]
        runs = [run for run in runs if run not in beside] + [_joined([front, *beside])]
    return [run.room(*ROOM_M) for run in runs]


def _in_line(first: Front, second: Front) -> bool:
    apart = max(first.start, second.start) - min(first.end, second.end)
    same_plane = first.yaw == second.yaw and abs(first.plane - second.plane) < SAME_PLANE_M
    return same_plane and apart < OVEN_M


def _joined(fronts: Sequence[Front]) -> Front:
    return Front(
        fronts[0].yaw,
        max(front.plane for front in fronts),
        min(front.start for front in fronts),
        max(front.end for front in fronts),
    )
