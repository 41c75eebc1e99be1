"""How large things are in ALFRED's version of AI2-THOR: a box around the pivot for each class.

The boxes of `assets.json` are those whose pictures come nearest to the masks of the train demonstrations.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from statistics import median
from typing import NamedTuple

from housemates.benchmarks.alfred.tasks.goals import home_type
from housemates.files import shipped
from housemates.home.things import turned
from housemates.home.types import Vec, object_type

FEW = 2
"""With fewer sightings the box of the class stays where it is."""
FLAT_M = 0.05
FAR_M = 0.12
"""A middle farther from the class's than this is a mistake: something hid the asset."""
UPRIGHT_DEG = 12.0
"""What is tilted by more is taken as the upright box around it."""


class Box(NamedTuple):
    """Two corners of a box, as seen from a thing's pivot and along its own axes, in metres."""

    lo: Vec
    hi: Vec


class Standing(NamedTuple):
    """An upright box in a room: the middle of its base, its size, its yaw, and the pivot in its frame."""

    position: Vec
    size: Vec
    yaw: float
    pivot: Vec


def movable_box(kind: str) -> Box:
    """The box of a class that can be carried; one that was never measured stands on its pivot."""
    return _box("movable", kind)


def fixture_box(kind: str) -> Box:
    """The usual box of a class that stays where it is, with its front towards +z."""
    return _box("fixtures", kind)


def _box(table: str, kind: str) -> Box:
    row = shipped(__package__, "assets.json")[table].get(kind)
    if row is not None:
        lo, hi = row
        return Box((lo[0], lo[1], lo[2]), (hi[0], hi[1], hi[2]))
    width, height, depth = object_type(home_type(kind)).size
    return Box((-width / 2, 0.0, -depth / 2), (width / 2, height, depth / 2))


def recentred(box: Box, seen: Sequence[tuple[float, float]]) -> Box:
    """The box of a flat class moved to where the middle of one of its assets was seen.

    Of taller things one sees more of the side that is near, so their pictures' middles tell less.
    """
    if len(seen) < FEW or box.hi[1] - box.lo[1] > FLAT_M:
        return box
    x = median(each[0] for each in seen) - (box.lo[0] + box.hi[0]) / 2
    z = median(each[1] for each in seen) - (box.lo[2] + box.hi[2]) / 2
    if max(abs(x), abs(z)) > FAR_M:
        return box
    return Box(
        (box.lo[0] + x, box.lo[1], box.lo[2] + z),
        (box.hi[0] + x, box.hi[1], box.hi[2] + z),
    )


def stand(box: Box, place: Vec, rotation: Vec) -> Standing:
    """A box whose pivot is at a place, turned by Unity's angles."""
    pitch, yaw, roll = rotation
    if not _tilted(pitch) and not _tilted(roll):
        return _upright(box, place, yaw % 360)
    sides = zip(box.lo, box.hi, strict=True)
    corners = [_rotated((x, y, z), rotation) for x, y, z in product(*sides)]
    lo = tuple(min(corner[axis] for corner in corners) for axis in range(3))
    hi = tuple(max(corner[axis] for corner in corners) for axis in range(3))
    return _upright(Box((lo[0], lo[1], lo[2]), (hi[0], hi[1], hi[2])), place, 0.0)


def _tilted(angle: float) -> bool:
    return UPRIGHT_DEG < angle % 360 < 360 - UPRIGHT_DEG


def _upright(box: Box, place: Vec, yaw: float) -> Standing:
    middle_x, middle_z = (box.lo[0] + box.hi[0]) / 2, (box.lo[2] + box.hi[2]) / 2
    x, z = turned(middle_x, middle_z, yaw)
    size = (box.hi[0] - box.lo[0], box.hi[1] - box.lo[1], box.hi[2] - box.lo[2])
    position = (place[0] + x, place[1] + box.lo[1], place[2] + z)
    return Standing(position, size, round(yaw, 2) % 360, (-middle_x, -box.lo[1], -middle_z))


def _rotated(point: Vec, rotation: Vec) -> Vec:
    """Unity turns about z, then x, then y."""
    pitch, yaw, roll = (math.radians(angle) for angle in rotation)
    x, y, z = point
    x, y = x * math.cos(roll) - y * math.sin(roll), x * math.sin(roll) + y * math.cos(roll)
    y, z = y * math.cos(pitch) - z * math.sin(pitch), y * math.sin(pitch) + z * math.cos(pitch)
    x, z = x * math.cos(yaw) + z * math.sin(yaw), z * math.cos(yaw) - x * math.sin(yaw)
    return (x, y, z)
