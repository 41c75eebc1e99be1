"""What stands still in a floor plan, by the names that ALFRED gives it.

TEACh's games describe the same plans with full boxes, in a later version of AI2-THOR: most things have the
same id to the digit, some furniture stands a little elsewhere, some is missing. So a box is TEACh's, moved
to where ALFRED has the thing; what TEACh does not have gets the usual box of its class.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from housemates.benchmarks.alfred.formats.assets import Box, fixture_box
from housemates.home.scenes.plans.knowledge import PlanKnowledge
from housemates.home.scenes.plans.links import StoveSeen
from housemates.home.scenes.plans.surfaces import ONE_LEVEL, REST_M, SEVERAL_LEVELS
from housemates.home.things import GRID_M, place_in, turned, type_in
from housemates.home.types import Vec

Record = dict[str, Any]
LEVEL_M = 0.3
"""Heights that differ by more are due to another pivot, not to another place."""
TABLES = (
    "Cart",
    "CoffeeTable",
    "CounterTop",
    "Desk",
    "DiningTable",
    "Dresser",
    "SideTable",
    "TVStand",
    "Shelf",
)
AKIN_M = 0.4
"""How near to each other the two versions have what they call different tables."""
MARGIN_M = 0.8
"""How far the floor of an unknown plan goes on beyond where one can stand and where things are."""
BESIDE_M = 0.12
"""Cabinets of one row have their hinges at heights and depths that differ by less."""
BACK_TO_BACK_M = 0.2
PAIR_M = 1.3
"""So far apart the hinges of a pair of doors are at most."""
INSET_M = 0.03
"""Points so near to the edge of a box may belong to what stands next to it."""


class Furnished(NamedTuple):
    """A plan's furniture as AI2-THOR records, and what is known about it, both by ALFRED's names."""

    records: list[Record]
    knowledge: PlanKnowledge


def furnish(known: PlanKnowledge) -> Furnished:
    """The records of all that stands still in a plan."""
    names = matched(known.fixtures, known.named)
    records = [
        _moved(record, names[record["objectId"]], known.named) if record["objectId"] in names else record
        for record in known.fixtures
    ]
    missing = sorted(set(known.named) - set(names.values()))
    records += [_usual(name, known) for name in missing]
    if not any(record["objectType"] == "Floor" for record in records):
        records.append(_floor(known))
    renamed = _renamed(known, names)
    return Furnished(records, msgspec.structs.replace(renamed, heights=_heights(records, renamed)))


def _heights(records: Iterable[Mapping[str, Any]], known: PlanKnowledge) -> dict[str, list[float]]:
    """How high above their bases receptacles carried things: as ALFRED shows it, else as TEACh does."""
    heights, records = dict(known.heights), list(records)
    drawers = [each["axisAlignedBoundingBox"] for each in records if each["objectType"] == "Drawer"]
    shown = [point for point in known.rests if not any(_within(box, point) for box in drawers)]
    for record in records:
        if record["objectType"] in (*ONE_LEVEL, *SEVERAL_LEVELS):
            found = _above(record["axisAlignedBoundingBox"], shown)
            if found:
                heights[record["objectId"]] = found
    return heights


def _within(box: Mapping[str, Any], point: tuple[int, int, int]) -> bool:
    """Whether a point in centimetres is in a box."""
    return all(
        abs(value / 100 - box["center"][axis]) < box["size"][axis] / 2
        for axis, value in zip("xyz", point, strict=True)
    )


def _above(box: Mapping[str, Any], points: Iterable[tuple[int, int, int]]) -> list[float]:
    """Heights over the base of a box of the points that lie in it."""
    middle, size = box["center"], box["size"]
    low = middle["y"] - size["y"] / 2
    return [
        y / 100 - low
        for x, y, z in points
        if abs(x / 100 - middle["x"]) < size["x"] / 2 - INSET_M
        and abs(z / 100 - middle["z"]) < size["z"] / 2 - INSET_M
        and 0.02 < y / 100 - low < size["y"]
    ]


def matched(fixtures: Sequence[Mapping[str, Any]], named: Mapping[str, Vec]) -> dict[str, str]:
    """TEACh's id -> ALFRED's id of the same thing: of one class, and nearest to each other."""
    by_type: dict[str, list[str]] = {}
    for name in named:
        by_type.setdefault(type_in(name), []).append(name)
    pairs = sorted(
        (_apart(record, place_in(name)), record["objectId"], name)
        for record in fixtures
        for name in by_type.get(record["objectType"], ())
    )
    found: dict[str, str] = {}
    for _, theirs, ours in pairs:
        if theirs not in found and ours not in found.values():
            found[theirs] = ours
    return found | _akin(fixtures, named, found)


def _akin(
    fixtures: Sequence[Mapping[str, Any]], named: Mapping[str, Vec], found: Mapping[str, str]
) -> dict[str, str]:
    """What the later version calls another kind of table, where nothing of the same class is left."""
    others = [each for each in fixtures if each["objectType"] in TABLES and each["objectId"] not in found]
    left = sorted(name for name in set(named) - set(found.values()) if type_in(name) in TABLES)
    akin: dict[str, str] = {}
    for name in left:
        place = named[name]
        near = [(math.dist(place_in(each["objectId"])[::2], place[::2]), each["objectId"]) for each in others]
        apart, theirs = min((pair for pair in near if pair[1] not in akin), default=(math.inf, ""))
        if apart <= AKIN_M:
            akin[theirs] = name
    return akin


def _apart(record: Mapping[str, Any], place: Vec) -> float:
    x, y, z = place_in(record["objectId"])
    level = abs(y - place[1])
    return math.hypot(x - place[0], z - place[2]) + (0.2 if level > LEVEL_M else level)


def _moved(record: Mapping[str, Any], name: str, named: Mapping[str, Vec]) -> Record:
    """A record by ALFRED's name, with its boxes where ALFRED has the thing."""
    here, there = place_in(record["objectId"]), named[name]
    shift = [b - a for a, b in zip(here, there, strict=True)]
    if abs(shift[1]) > LEVEL_M:
        shift[1] = 0.0
    moved: Record = {**record, "objectId": name, "objectType": type_in(name)}
    moved["position"] = _shifted(record["position"], shift)
    box = record["axisAlignedBoundingBox"]
    moved["axisAlignedBoundingBox"] = {"center": _shifted(box["center"], shift), "size": box["size"]}
    oriented = record.get("objectOrientedBoundingBox")
    if oriented and oriented.get("cornerPoints"):
        corners = [
            [value + by for value, by in zip(corner, shift, strict=True)]
            for corner in oriented["cornerPoints"]
        ]
        moved["objectOrientedBoundingBox"] = {"cornerPoints": corners}
    return moved


def _shifted(point: Mapping[str, float], shift: Iterable[float]) -> dict[str, float]:
    return {axis: point[axis] + by for axis, by in zip("xyz", shift, strict=True)}


def _usual(name: str, known: PlanKnowledge) -> Record:
    """A record with the usual box of its class around ALFRED's position, turned towards the room."""
    kind, place = type_in(name), known.named[name]
    yaw = 90.0 * _quarter_towards_room(place, known)
    box = fixture_box(kind)
    if kind == "Cabinet":
        box = _hung(box, _hinges(name, known, yaw))
    elif kind == "BathtubBasin":
        box = _deepened(box, place, yaw, known.rests)
    return _record(name, kind, place, box, yaw)


def _deepened(box: Box, place: Vec, yaw: float, points: Iterable[tuple[int, int, int]]) -> Box:
    """The box of a bathtub that goes down to what lies lowest within its sides."""
    low = place[1] + box.lo[1]
    for x, y, z in points:
        right, ahead = turned(x / 100 - place[0], z / 100 - place[2], -yaw)
        if box.lo[0] < right < box.hi[0] and box.lo[2] < ahead < box.hi[2] and y > 0:
            low = min(low, y / 100 - REST_M)
    return Box((box.lo[0], low - place[1], box.lo[2]), box.hi)


def _hinges(name: str, known: PlanKnowledge, yaw: float) -> list[float]:
    """How far to its right (to its left if negative) the hinges of cabinets beside a cabinet are."""
    x, y, z = known.named[name]
    others = [place for other, place in known.named.items() if other != name and type_in(other) == "Cabinet"]
    beside = [turned(place[0] - x, place[2] - z, -yaw) for place in others if abs(place[1] - y) < BESIDE_M]
    return [right for right, ahead in beside if abs(ahead) < BESIDE_M]


def _hung(box: Box, hinges: Sequence[float]) -> Box:
    """The box of a cabinet, whose pivot is its hinge: away from a hinge next to it, towards the next door's.

    Doors hang back to back, or in pairs that open away from each other.
    """
    nearest = min(hinges, key=abs, default=math.inf)
    if abs(nearest) > PAIR_M:
        return box
    paired = abs(nearest) > BACK_TO_BACK_M
    to_right = (nearest > 0) == paired
    width = abs(nearest) / 2 if paired else box.hi[0] - box.lo[0]
    left = 0.0 if to_right else -width
    return Box((left, *box.lo[1:]), (left + width, *box.hi[1:]))


def _record(name: str, kind: str, place: Vec, box: Box, yaw: float = 0.0) -> Record:
    """A record of an upright box that is turned about its pivot."""
    sides = [
        (x, y, z)
        for y in (box.lo[1], box.hi[1])
        for x, z in (
            (box.hi[0], box.hi[2]),
            (box.lo[0], box.hi[2]),
            (box.lo[0], box.lo[2]),
            (box.hi[0], box.lo[2]),
        )
    ]
    flat = [(turned(x, z, yaw), y) for x, y, z in sides]
    corners = [[place[0] + x, place[1] + y, place[2] + z] for (x, z), y in flat]
    lo = [min(corner[axis] for corner in corners) for axis in range(3)]
    hi = [max(corner[axis] for corner in corners) for axis in range(3)]
    return {
        "objectId": name,
        "objectType": kind,
        "position": dict(zip("xyz", place, strict=True)),
        "axisAlignedBoundingBox": {
            "center": {axis: (a + b) / 2 for axis, a, b in zip("xyz", lo, hi, strict=True)},
            "size": {axis: b - a for axis, a, b in zip("xyz", lo, hi, strict=True)},
        },
        "objectOrientedBoundingBox": {"cornerPoints": corners},
    }


def _quarter_towards_room(place: Vec, known: PlanKnowledge) -> int:
    """Quarter turns that make +z look towards where one can stand."""
    cells = known.walked | known.layout
    near = [(x * GRID_M - place[0], z * GRID_M - place[2]) for x, z in cells]
    near = sorted(near, key=lambda away: math.hypot(*away))[:6]
    x, z = sum(away[0] for away in near), sum(away[1] for away in near)
    if abs(x) > abs(z):
        return 1 if x > 0 else 3
    return 0 if z >= 0 else 2


def _floor(known: PlanKnowledge) -> Record:
    cells = sorted(known.walked | known.layout) or [(0, 0)]
    places = list(known.named.values())
    xs = [*(x * GRID_M for x, _ in cells), *(place[0] for place in places)]
    zs = [*(z * GRID_M for _, z in cells), *(place[2] for place in places)]
    lo = (min(xs) - MARGIN_M, -0.01, min(zs) - MARGIN_M)
    hi = (max(xs) + MARGIN_M, 0.0, max(zs) + MARGIN_M)
    return _record("Floor|+00.00|+00.00|+00.00", "Floor", (0.0, 0.0, 0.0), Box(lo, hi))


def _renamed(known: PlanKnowledge, names: Mapping[str, str]) -> PlanKnowledge:
    """The same knowledge by ALFRED's names."""
    tables = {
        field: {names.get(key, key): value for key, value in table.items()}
        for field in known.__struct_fields__
        if field != "named" and isinstance(table := getattr(known, field), dict)
    }
    looks = [
        StoveSeen(*(tuple(names.get(each, each) for each in part) for part in look)) for look in known.stove
    ]
    return msgspec.structs.replace(known, **tables, stove=looks)
