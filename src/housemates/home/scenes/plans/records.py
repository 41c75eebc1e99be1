"""AI2-THOR object records as things: poses from their boxes, states from their flags."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from housemates.errors import HousematesError
from housemates.home.things import Thing, turned
from housemates.home.types import Vec, object_types

UPRIGHT_COS = math.cos(math.radians(12))
"""A thing tilted by more is taken as the upright box around it."""
FLAGS = {
    "open": "isOpen",
    "on": "isToggled",
    "sliced": "isSliced",
    "cooked": "isCooked",
    "dirty": "isDirty",
    "broken": "isBroken",
    "used_up": "isUsedUp",
}
LACKING = {"receptacle": "receptacle", "pickupable": "pickup", "sliceable": "slice", "openable": "open"}
"""Flags that tell of one thing what does not hold for it though it holds for its type."""
MIN_SIZE_M = 0.002
LONG = 1.3
"""Cookware so much deeper than wide has one long handle, all other has two short ones."""
SHAPES = {("Pot", True): "saucepan", ("Pan", False): "flat_pot"}
"""By type, and whether it is long: the shapes that are not those of the type."""


def thing_from_record(record: Mapping[str, Any], source: str) -> Thing:
    """Make a thing of one AI2-THOR object record; `source` names it in errors."""
    where = f"{source}: object {record.get('objectId')!r}"
    try:
        kind = record["objectType"]
        if kind not in object_types():
            raise HousematesError(f"{where}: field 'objectType': unknown type {kind!r}.")
        position, size, yaw = box_pose(record)
        flags: dict[str, Any] = {field: bool(record.get(flag, False)) for field, flag in FLAGS.items()}
        affords = object_types()[kind].affords
        filled = record.get("isFilledWithLiquid", False)
        return Thing(
            id=record["objectId"],
            type=kind,
            position=position,
            size=size,
            yaw=yaw,
            parents=_parents(record),
            liquid=_liquid(record) if filled else "",
            temperature=record.get("ObjectTemperature", "RoomTemp"),
            pivot=_pivot(record, position, yaw),
            name=record.get("name", ""),
            shape=SHAPES.get((kind, size[2] > LONG * size[0]), ""),
            lacks=tuple(
                need for flag, need in LACKING.items() if record.get(flag) is False and need in affords
            ),
            **flags,
        )
    except KeyError as error:
        raise HousematesError(f"{where}: the field {error.args[0]!r} is missing.") from None
    except (TypeError, IndexError, AttributeError):
        raise HousematesError(f"{where}: expected an AI2-THOR record with a box.") from None


def box_pose(record: Mapping[str, Any]) -> tuple[Vec, Vec, float]:
    """Middle of the base, size and yaw of a record's box; the oriented box where it stands upright."""
    oriented = record.get("objectOrientedBoundingBox")
    if oriented and oriented.get("cornerPoints"):
        pose = _oriented_pose(oriented["cornerPoints"])
        if pose is not None:
            return pose
    box = record["axisAlignedBoundingBox"]
    centre, size = _vec(box["center"]), _vec(box["size"])
    base = (centre[0], centre[1] - size[1] / 2, centre[2])
    return base, _at_least(size), 0.0


def _oriented_pose(corners: list[list[float]]) -> tuple[Vec, Vec, float] | None:
    """Corner 0 is (+x, -y, +z); corner 1 flips x, corner 3 flips z, corner 4 flips y."""
    x_side, z_side, y_side = (
        [a - b for a, b in zip(first, second, strict=True)]
        for first, second in (
            (corners[0], corners[1]),
            (corners[0], corners[3]),
            (corners[4], corners[0]),
        )
    )
    width, depth, height = (math.sqrt(sum(v * v for v in side)) for side in (x_side, z_side, y_side))
    if height <= 0 or y_side[1] / height < UPRIGHT_COS:
        return None
    middle = [sum(corner[axis] for corner in corners) / 8 for axis in range(3)]
    yaw = round(math.degrees(math.atan2(z_side[0], z_side[2])) % 360, 2) % 360
    base = (middle[0], middle[1] - height / 2, middle[2])
    return base, _at_least((width, height, depth)), yaw


def _pivot(record: Mapping[str, Any], base: Vec, yaw: float) -> Vec:
    point = _vec(record["position"])
    x, z = turned(point[0] - base[0], point[2] - base[2], -yaw)
    return (round(x, 6), round(point[1] - base[1], 6), round(z, 6))


def _at_least(size: Vec) -> Vec:
    """To a tenth of a millimetre, so that an asset has the same size in every game."""
    x, y, z = (max(round(side, 4), MIN_SIZE_M) for side in size)
    return (x, y, z)


def _vec(value: Mapping[str, float]) -> Vec:
    return (float(value["x"]), float(value["y"]), float(value["z"]))


def _parents(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Its receptacles with the nearest first: dishes and machines before the furniture they stand on."""
    names = [name for name in record.get("parentReceptacles") or () if name != record["objectId"]]
    if not object_types()[record["objectType"]].can("pickup"):
        names = [name for name in names if _nearness(name) >= 2]
    return tuple(sorted(names, key=_nearness))


def _nearness(name: str) -> int:
    kind = object_types().get(name.split("|")[0])
    if kind is None or kind.name == "Floor":
        return 3
    if kind.can("pickup"):
        return 0
    return 1 if kind.snaps or kind.can("open") else 2


def _liquid(record: Mapping[str, Any]) -> str:
    if record.get("simbotIsFilledWithCoffee"):
        return "coffee"
    return "wine" if record["objectType"] == "WineBottle" else "water"
