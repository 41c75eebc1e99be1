"""Spatial relations: the cost of describing an object as `left of`, `above` or `near` another.

The Commander evaluates it on the true state to choose referring expressions, the Follower on its memory to
ground them. Left and right are the Follower's at the time of speaking. Costs are roughly in metres.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from housemates.home.types import Vec

WRONG = 4.0
"""Misfit of an object on the wrong side."""
CLOSE = 1.0
"""Misfit up to which a description fits well."""


LEVEL_M = 0.05


class Extent(NamedTuple):
    """The axis-aligned bounding box of an object, in metres."""

    key: str
    type: str
    lo: Vec
    hi: Vec
    holders: tuple[str, ...] = ()
    """Keys of what it is on or in, the nearest first."""

    @property
    def middle(self) -> Vec:
        """The centre of the box."""
        x, y, z = ((low + high) / 2 for low, high in zip(self.lo, self.hi, strict=True))
        return x, y, z


class Viewer(NamedTuple):
    """A position in metres and a heading in degrees."""

    x: float
    z: float
    rotation: float


def misfit(thing: Extent, relation: str, anchors: Sequence[Extent], viewer: Viewer) -> float:
    """How badly an object fits a relation to the best of the anchors, or to the viewer; 0 is perfect."""
    if relation in SIDES_DEG:
        return _off_side(thing, SIDES_DEG[relation], viewer)
    others = [anchor for anchor in anchors if anchor.key != thing.key]
    return min((RELATIONS[relation](thing, anchor, viewer) for anchor in others), default=WRONG)


def _off_side(thing: Extent, side_deg: float, viewer: Viewer) -> float:
    x, _, z = thing.middle
    bearing = math.degrees(math.atan2(x - viewer.x, z - viewer.z)) - viewer.rotation
    off = abs((bearing - side_deg + 180) % 360 - 180)
    return off / 30 + 0.1 * math.hypot(x - viewer.x, z - viewer.z)


SIDES_DEG = {"my left": -90.0, "my right": 90.0, "ahead": 0.0, "behind me": 180.0}


def _gap(thing: Extent, anchor: Extent) -> float:
    """Horizontal distance between two boxes in metres."""
    x = max(thing.lo[0] - anchor.hi[0], anchor.lo[0] - thing.hi[0], 0.0)
    z = max(thing.lo[2] - anchor.hi[2], anchor.lo[2] - thing.hi[2], 0.0)
    return math.hypot(x, z)


def _apart(thing: Extent, anchor: Extent) -> float:
    one, other = thing.middle, anchor.middle
    return _gap(thing, anchor) + 0.2 * math.hypot(one[0] - other[0], one[2] - other[2])


def _near(thing: Extent, anchor: Extent, viewer: Viewer) -> float:
    return _apart(thing, anchor) + 0.5 * abs(thing.middle[1] - anchor.middle[1])


def _lateral(thing: Extent, anchor: Extent, viewer: Viewer) -> float:
    """Metres by which an object is to the right of an anchor, for a viewer who faces the anchor."""
    one, other = thing.middle, anchor.middle
    away_x, away_z = other[0] - viewer.x, other[2] - viewer.z
    size = max(math.hypot(away_x, away_z), 1e-6)
    right, ahead = away_z / size, -away_x / size
    return (one[0] - other[0]) * right + (one[2] - other[2]) * ahead


def _left(thing: Extent, anchor: Extent, viewer: Viewer) -> float:
    return _near(thing, anchor, viewer) + (WRONG if _lateral(thing, anchor, viewer) > -0.12 else 0.0)


def _right(thing: Extent, anchor: Extent, viewer: Viewer) -> float:
    return _near(thing, anchor, viewer) + (WRONG if _lateral(thing, anchor, viewer) < 0.12 else 0.0)


def _above(thing: Extent, anchor: Extent, viewer: Viewer) -> float:
    rise = thing.middle[1] - anchor.middle[1]
    return 2 * _apart(thing, anchor) + (WRONG if rise < 0.12 else 0.2 * rise)


def _below(thing: Extent, anchor: Extent, viewer: Viewer) -> float:
    drop = anchor.middle[1] - thing.middle[1]
    return 2 * _apart(thing, anchor) + (WRONG if drop < 0.12 else 0.2 * drop)


def _held(thing: Extent, anchor: Extent, viewer: Viewer) -> float:
    if anchor.key in thing.holders:
        return 0.0
    x, y, z = thing.middle
    over = anchor.lo[0] - 0.1 < x < anchor.hi[0] + 0.1 and anchor.lo[2] - 0.1 < z < anchor.hi[2] + 0.1
    if over and anchor.lo[1] - 0.1 < y < anchor.hi[1] + 0.5:
        return 0.3 if not thing.holders else 0.8
    return 1.2 + _gap(thing, anchor) + abs(y - anchor.middle[1])


RELATIONS = {
    "near": _near,
    "left": _left,
    "right": _right,
    "above": _above,
    "below": _below,
    "in": _held,
    "on": _held,
}


def is_stacked(thing: Extent, relation: str, anchor: Extent) -> bool:
    """Whether an object is right above or below an anchor, not merely higher or lower beside it."""
    for axis in (0, 2):
        half = max(thing.hi[axis] - thing.lo[axis], anchor.hi[axis] - anchor.lo[axis]) / 2
        if abs(thing.middle[axis] - anchor.middle[axis]) > half:
            return False
    if relation == "above":
        return thing.lo[1] > anchor.hi[1] - LEVEL_M
    return thing.hi[1] < anchor.hi[1] - LEVEL_M


def side_of(thing: Extent, viewer: Viewer) -> str:
    """The side of the viewer on which an object is."""
    return min(SIDES_DEG, key=lambda side: _off_side(thing, SIDES_DEG[side], viewer))
