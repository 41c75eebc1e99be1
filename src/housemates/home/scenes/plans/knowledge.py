"""What a plan's recorded games teach about it: where people walked, where things rest, how doors open.

Nothing of it is needed to rebuild a plan from one state alone; it makes the plan truer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from housemates.home.scenes.plans.links import StoveSeen
from housemates.home.scenes.plans.records import box_pose
from housemates.home.things import GRID_M, turned
from housemates.home.types import Vec, object_types

SPOT_M = 0.006
"""Spots nearer to each other than this are one."""
MOST_HEIGHTS = 60
"""Resting heights kept for a receptacle."""
FIXTURE_FIELDS = (
    "objectId", "objectType", "name", "position", "rotation", "axisAlignedBoundingBox",
    "objectOrientedBoundingBox", "receptacle", "pickupable", "sliceable", "openable", "isOpen", "isToggled",
    "isDirty", "parentReceptacles",
)  # fmt: skip
"""What is kept of the record of a thing that stays where it is."""
Growth = tuple[float, float, float, float]
"""How far a box grows towards -x, -z, +x and +z when its thing is opened."""


class PlanKnowledge(msgspec.Struct):
    """What has been learnt about one plan."""

    plan: str
    walked: set[tuple[int, int]] = msgspec.field(default_factory=set)
    """Cells where somebody stood."""
    layout: set[tuple[int, int]] = msgspec.field(default_factory=set)
    """Cells that ALFRED's layouts call reachable."""
    heights: dict[str, list[float]] = msgspec.field(default_factory=dict)
    """Receptacle -> heights above its box's base at which things lay."""
    doors: dict[str, Growth] = msgspec.field(default_factory=dict)
    stove: list[StoveSeen] = msgspec.field(default_factory=list)
    spots: dict[str, list[tuple[float, float, int]]] = msgspec.field(default_factory=dict)
    """Receptacle -> places (x, z in its own frame) at which things stood on it, and how often."""
    fixtures: list[dict[str, Any]] = msgspec.field(default_factory=list)
    """Records of what nobody can carry away, as the first game found it."""
    named: dict[str, Vec] = msgspec.field(default_factory=dict)
    """What ALFRED calls the things that nobody can carry away, and the positions it gives them."""

    rests: set[tuple[int, int, int]] = msgspec.field(default_factory=set)
    """Points (x, y, z in centimetres) on which things lay when a demonstration of ALFRED began."""

    middles: dict[str, list[tuple[float, float]]] = msgspec.field(default_factory=dict)
    """Asset -> where its middle was seen in ALFRED's masks: x and z from its pivot, in its own frame."""

    def learn_fixtures(self, objects: Iterable[Mapping[str, Any]]) -> None:
        """Keep the records of furniture and fittings; a later game's are not needed."""
        if not self.fixtures:
            self.fixtures = [
                {key: record[key] for key in FIXTURE_FIELDS if key in record}
                for record in objects
                if not record.get("pickupable")
            ]

    def learn_steps(self, places: Iterable[tuple[float, float]]) -> None:
        """Somebody stood at these places (x, z in metres)."""
        self.walked.update((round(x / GRID_M), round(z / GRID_M)) for x, z in places)

    def learn_state(self, objects: Iterable[Mapping[str, Any]]) -> None:
        """Things were so at some moment (AI2-THOR records)."""
        records = list(objects)
        bases = {
            record["objectId"]: _low(record) for record in records if record.get("axisAlignedBoundingBox")
        }
        frames = {
            name: _frame(record) for name, record in ((r["objectId"], r) for r in records) if name in bases
        }
        pickupable = {record["objectId"] for record in records if record.get("pickupable")}
        for record in records:
            parents = record.get("parentReceptacles") or ()
            if record["objectId"] not in pickupable or any(parent in pickupable for parent in parents):
                continue
            for parent in parents:
                known = self.heights.setdefault(parent, [])
                if parent in bases and len(known) < MOST_HEIGHTS:
                    known.append(round(bases[record["objectId"]] - bases[parent], 3))
                if parent in bases and not _is_piece(record) and (len(parents) == 1 or _holds_one(parent)):
                    self._learn_spot(record, frames[parent])
        self._learn_stove(records)

    def _learn_spot(self, record: Mapping[str, Any], frame: _Frame) -> None:
        place = record["position"]
        x, z = turned(place["x"] - frame.x, place["z"] - frame.z, -frame.yaw)
        known = self.spots.setdefault(frame.name, [])
        for index, (seen_x, seen_z, count) in enumerate(known):
            if abs(x - seen_x) <= SPOT_M and abs(z - seen_z) <= SPOT_M:
                known[index] = (seen_x, seen_z, count + 1)
                return
        known.append((round(x, 4), round(z, 4), 1))

    def _learn_stove(self, records: list[Mapping[str, Any]]) -> None:
        knobs = tuple(r["objectId"] for r in records if r["objectType"] == "StoveKnob" and r["isToggled"])
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
            if old is not None and record.get("isOpen") and record["objectType"] in ("Fridge", "Cabinet"):
                a, b = old["axisAlignedBoundingBox"], record["axisAlignedBoundingBox"]
                if a and b:
                    self.doors[record["objectId"]] = _growth(a, b)


class _Frame(NamedTuple):
    """Where a receptacle stands and how it is turned."""

    name: str
    x: float
    z: float
    yaw: float


def _frame(record: Mapping[str, Any]) -> _Frame:
    base, _, yaw = box_pose(record)
    return _Frame(record["objectId"], base[0], base[2], yaw)


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
