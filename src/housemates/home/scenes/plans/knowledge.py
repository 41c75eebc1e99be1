"""What a plan's recorded games teach about it: where people walked, where things rest, how doors open.

Nothing of it is needed to rebuild a plan from one state alone; it makes the plan truer.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from housemates.home.scenes.plans.doors import WITH_DOORS, Growth, Look
from housemates.home.scenes.plans.links import StoveSeen
from housemates.home.scenes.plans.orientation import Rect
from housemates.home.scenes.plans.puts import Put
from housemates.home.scenes.plans.records import box_pose
from housemates.home.scenes.plans.zones import Seen, find_zones
from housemates.home.things import GRID_M, Zone, turned
from housemates.home.types import Vec, object_types

SPOT_M = 0.002
"""Places nearer to each other than this are one,"""
LEVEL_M = 0.03
"""if they differ less than this in height."""
TILTED_DEG = 2.0
MOST_HEIGHTS = 60
"""Resting heights kept for a receptacle."""
FIXTURE_FIELDS = (
    "objectId", "objectType", "name", "position", "rotation", "axisAlignedBoundingBox",
    "objectOrientedBoundingBox", "receptacle", "pickupable", "sliceable", "openable", "isOpen", "isToggled",
    "isDirty", "parentReceptacles",
)  # fmt: skip
"""What is kept of the record of a thing that stays where it is."""
MOST_LOOKS = 60
"""Looks kept for a thing with a door."""


class PlanKnowledge(msgspec.Struct):
    """What has been learnt about one plan."""

    plan: str
    walked: set[tuple[int, int]] = msgspec.field(default_factory=set)
    """Cells where people stood."""
    layout: set[tuple[int, int]] = msgspec.field(default_factory=set)
    """Cells where ALFRED's agents stand, by its layouts and demonstrations; some furniture differs there."""
    heights: dict[str, list[float]] = msgspec.field(default_factory=dict)
    """Receptacle -> heights above its box's base at which things lay."""
    doors: dict[str, Growth] = msgspec.field(default_factory=dict)
    looks: dict[str, list[Look]] = msgspec.field(default_factory=dict)
    """Thing with a door -> where people pointed to use it."""
    stove: list[StoveSeen] = msgspec.field(default_factory=list)
    fixtures: list[dict[str, Any]] = msgspec.field(default_factory=list)
    """Records of what nobody can carry away, as the first game found it."""
    named: dict[str, Vec] = msgspec.field(default_factory=dict)
    """What ALFRED calls the things that nobody can carry away, and the positions it gives them."""
    rests: set[tuple[int, int, int]] = msgspec.field(default_factory=set)
    """Points (x, y, z in centimetres) on which things lay when a demonstration of ALFRED began."""
    middles: dict[str, list[tuple[float, float]]] = msgspec.field(default_factory=dict)
    """Asset -> where its middle was seen in ALFRED's masks: x and z from its pivot, in its own frame."""
    puts: dict[str, list[Put]] = msgspec.field(default_factory=dict)
    """Receptacle -> where ALFRED's agents saw things that they had put there."""
    seen: dict[str, list[Seen]] = msgspec.field(default_factory=dict)
    """Receptacle -> places at which things stood on it."""
    bounds: dict[str, Rect] = msgspec.field(default_factory=dict)
    """Receptacle -> the least it takes up, from its pivot."""
    zones: dict[str, list[Zone]] = msgspec.field(default_factory=dict)
    """Receptacle -> where things can be put, as far as the places tell."""

    @property
    def unwalked(self) -> bool:
        """Whether there is a layout of the plan but no game in it."""
        return bool(self.layout) and not self.walked

    def learn_fixtures(self, objects: Iterable[Mapping[str, Any]]) -> None:
        """Keep the records of furniture and fittings; a later game's are not needed."""
        if not self.fixtures:
            self.fixtures = [
                {key: record[key] for key in FIXTURE_FIELDS if key in record}
                for record in objects
                if not record.get("pickupable")
            ]

    def learn_steps(self, places: Iterable[tuple[float, float]], people: bool = True) -> None:
        """People, or else ALFRED's agents, stood at these places (x, z in metres)."""
        cells = self.walked if people else self.layout
        cells.update((round(x / GRID_M), round(z / GRID_M)) for x, z in places)

    def learn_state(self, objects: Iterable[Mapping[str, Any]]) -> None:
        """Things were so at some moment (AI2-THOR records)."""
        records = list(objects)
        boxed = {each["objectId"]: each for each in records if each.get("axisAlignedBoundingBox")}
        for record in boxed.values():
            if record.get("pickupable"):
                self._learn_rest(record, boxed)
        self._learn_stove(records)

    def _learn_rest(self, record: Mapping[str, Any], others: Mapping[str, Mapping[str, Any]]) -> None:
        """Something lay on or in its parents.

        What lies in a dish tells of the dish, not of the room, and what is in a microwave nothing of the
        table under it.
        """
        parents = [others[name] for name in record.get("parentReceptacles") or () if name in others]
        if any(parent.get("pickupable") for parent in parents):
            return
        outer = {name for parent in parents for name in parent.get("parentReceptacles") or ()}
        for parent in parents:
            if parent["objectId"] in outer:
                continue
            name = parent["objectId"]
            known = self.heights.setdefault(name, [])
            if len(known) < MOST_HEIGHTS:
                known.append(round(_low(record) - _low(parent), 3))
            if _holds_one(name) or (len(parents) == 1 and not _is_piece(record)):
                frame = _frame(parent)
                self._learn_place(record, frame)
                self.bounds[name] = _common(self.bounds.get(name), _taken_up(parent, frame))

    def _learn_place(self, record: Mapping[str, Any], frame: _Frame) -> None:
        pivot = record["position"]
        x, z = turned(pivot["x"] - frame.x, pivot["z"] - frame.z, -frame.yaw)
        y = _low(record) - frame.y
        turn = _turn(record, frame.yaw)
        if turn is None:
            return
        turns = tuple(int(turn // 90 == quarter) for quarter in range(4))
        place = Seen(round(x, 4), round(y, 4), round(z, 4), 1, *_taken_up(record, frame), turns, turn % 90)
        known = self.seen.setdefault(frame.name, [])
        for index, other in enumerate(known):
            if _one_place(place, other):
                known[index] = _joined(other, place)
                return
        known.append(place)

    def find_zones(self) -> None:
        """Work out where things can be put from all places that were seen."""
        self.zones = {
            name: zones
            for name, places in self.seen.items()
            if (zones := find_zones(places, None if _holds_one(name) else self.bounds[name]))
        }

    def _learn_stove(self, records: list[Mapping[str, Any]]) -> None:
        knobs = tuple(r["objectId"] for r in records if r["objectType"] == "StoveKnob" and r.get("isToggled"))
        hot = tuple(
            record["objectId"]
            for record in records
            if record["objectType"] == "StoveBurner" and record.get("ObjectTemperature") == "Hot"
        )
        look = StoveSeen(knobs, hot)
        if (knobs or hot) and look not in self.stove:
            self.stove.append(look)

    def learn_doors(self, before: Iterable[Mapping[str, Any]], after: Iterable[Mapping[str, Any]]) -> None:
        """Compare the boxes of things that were closed and are open now."""
        closed = {record["objectId"]: record for record in before if not record.get("isOpen")}
        for record in after:
            old = closed.get(record["objectId"])
            if old is not None and record.get("isOpen") and record["objectType"] in WITH_DOORS:
                a, b = old["axisAlignedBoundingBox"], record["axisAlignedBoundingBox"]
                if a and b:
                    self.doors[record["objectId"]] = _growth(a, b)

    def learn_looks(self, looks: Iterable[tuple[str, Look]]) -> None:
        """People pointed so at things with doors."""
        for name, look in looks:
            known = self.looks.setdefault(name, [])
            if len(known) < MOST_LOOKS:
                known.append(look)


class _Frame(NamedTuple):
    """Where the pivot of a receptacle is and how it is turned."""

    name: str
    x: float
    y: float
    z: float
    yaw: float


def _frame(record: Mapping[str, Any]) -> _Frame:
    pivot = record["position"]
    return _Frame(record["objectId"], pivot["x"], pivot["y"], pivot["z"], box_pose(record)[2])


def _taken_up(record: Mapping[str, Any], frame: _Frame) -> Rect:
    """The rectangle that a thing takes up in the frame of another."""
    (x, _, z), (width, _, depth), yaw = box_pose(record)
    x, z = turned(x - frame.x, z - frame.z, -frame.yaw)
    cosine, sine = turned(1.0, 0.0, yaw - frame.yaw)
    wide = (width * abs(cosine) + depth * abs(sine)) / 2
    deep = (width * abs(sine) + depth * abs(cosine)) / 2
    return Rect(round(x - wide, 4), round(z - deep, 4), round(x + wide, 4), round(z + deep, 4))


def _common(first: Rect | None, second: Rect) -> Rect:
    """What two rectangles have in common."""
    if first is None:
        return second
    lows = (max(first.x0, second.x0), max(first.z0, second.z0))
    return Rect(*lows, min(first.x1, second.x1), min(first.z1, second.z1))


def _joined(first: Seen, second: Seen) -> Seen:
    """Two looks at one place."""
    return first._replace(
        times=first.times + second.times,
        x0=min(first.x0, second.x0),
        z0=min(first.z0, second.z0),
        x1=max(first.x1, second.x1),
        z1=max(first.z1, second.z1),
        turns=tuple(map(operator.add, first.turns, second.turns)),
    )


def _one_place(first: Seen, second: Seen) -> bool:
    return (
        abs(first.x - second.x) <= SPOT_M
        and abs(first.z - second.z) <= SPOT_M
        and abs(first.y - second.y) <= LEVEL_M
        and first.angle == second.angle
    )


def _turn(record: Mapping[str, Any], yaw: float) -> int | None:
    """By how many degrees a thing is turned; None if it is tilted."""
    tilt = max(abs((record["rotation"][axis] + 180) % 360 - 180) for axis in "xz")
    return None if tilt > TILTED_DEG else round(record["rotation"]["y"] - yaw) % 360


def _is_piece(record: Mapping[str, Any]) -> bool:
    """Pieces lie where their whole was cut, not at a spot."""
    return str(record["objectType"]).endswith(("Sliced", "Cracked")) or record["objectId"].count("|") > 3


def _holds_one(name: str) -> bool:
    kind = object_types().get(name.split("|")[0])
    return kind is not None and kind.snaps


def _low(record: Mapping[str, Any]) -> float:
    box = record["axisAlignedBoundingBox"]
    return float(box["center"]["y"] - box["size"]["y"] / 2)


def _growth(old: Mapping[str, Any], new: Mapping[str, Any]) -> Growth:
    def edge(box: Mapping[str, Any], axis: str, sign: int) -> float:
        return float(sign * box["center"][axis] + box["size"][axis] / 2)

    left, back, right, front = (
        round(edge(new, axis, sign) - edge(old, axis, sign), 3)
        for axis, sign in (("x", -1), ("z", -1), ("x", 1), ("z", 1))
    )
    return left, back, right, front
