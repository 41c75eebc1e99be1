"""Things that do not stand upright: turned over one of their level axes."""

from __future__ import annotations

import msgspec

from housemates.home.shapes import Part
from housemates.home.things import Thing
from housemates.home.types import Vec

TILTS = ("x90", "x180", "x270", "z90", "z180", "z270")
"""Axis and degrees, clockwise for who looks along the axis from behind."""
BACK = {"x90": "x270", "x270": "x90", "z90": "z270", "z270": "z90"}


def tilted(thing: Thing, tilt: str) -> Thing:
    """An upright thing turned over, around its pivot; its position stays that of the middle of its base."""
    return msgspec.structs.replace(
        thing,
        size=_turned_size(thing.size, tilt),
        pivot=_turned_point(thing.pivot, thing.size, tilt),
        parts=tuple(_turned_part(part, thing.size, tilt) for part in thing.shape_parts()),
        tilt=tilt,
    )


def upright(thing: Thing) -> Thing:
    """The thing as it stands when it is not turned over."""
    if not thing.tilt:
        return thing
    back = BACK.get(thing.tilt, thing.tilt)
    return msgspec.structs.replace(
        thing,
        size=_turned_size(thing.size, back),
        pivot=_turned_point(thing.pivot, thing.size, back),
        parts=(),
        tilt="",
    )


def _turned_size(size: Vec, tilt: str) -> Vec:
    if tilt in ("x90", "x270"):
        return (size[0], size[2], size[1])
    return (size[1], size[0], size[2]) if tilt in ("z90", "z270") else size


def _turned_point(point: Vec, size: Vec, tilt: str) -> Vec:
    """A point of a thing, from the middle of its base before to the middle of its base after."""
    x, y, z = _turned(point[0], point[1] - size[1] / 2, point[2], tilt)
    return (x, y + _turned_size(size, tilt)[1] / 2, z)


def _turned(x: float, y: float, z: float, tilt: str) -> Vec:
    turns = {
        "x90": (x, -z, y),
        "x180": (x, -y, -z),
        "x270": (x, z, -y),
        "z90": (-y, x, z),
        "z180": (-x, -y, z),
        "z270": (y, -x, z),
    }
    return turns[tilt]


def _turned_part(part: Part, size: Vec, tilt: str) -> Part:
    first, second = _turned_point(part.lo, size, tilt), _turned_point(part.hi, size, tilt)
    swaps = {"x": {"y": "z", "z": "y"}, "z": {"x": "y", "y": "x"}}[tilt[0]]
    return part._replace(
        lo=(min(first[0], second[0]), min(first[1], second[1]), min(first[2], second[2])),
        hi=(max(first[0], second[0]), max(first[1], second[1]), max(first[2], second[2])),
        axis=part.axis if tilt.endswith("180") else swaps.get(part.axis, part.axis),
        flip=part.flip != (part.axis == "y" and tilt.endswith("180")),
    )
