"""How a place lies to landmarks for someone who looks on, as one would say it."""

from __future__ import annotations

from collections.abc import Iterable

from housemates.benchmarks.cerealbar.world.hexes import bearing, distance
from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.benchmarks.cerealbar.world.landmarks import Landmark

CLOSE = 2
"""Steps within which one thing is near another."""
ALIGNED = 25.0
"""Degrees within which one thing is past or in front of another."""
BESIDE = 4
SECTORS = ((40.0, "ahead"), (140.0, "side"), (181.0, "behind"))


def sector(hexmap: HexMap, pose: int, target: int) -> str:
    """Where a place is for someone in this pose: ahead, left, right or behind."""
    angle = bearing(pose // 6, pose % 6, target, hexmap.size.width)
    for limit, name in SECTORS:
        if abs(angle) <= limit:
            return ("left" if angle < 0 else "right") if name == "side" else name
    return "behind"


def relations(hexmap: HexMap, pose: int, target: int, landmark: Landmark) -> set[str]:
    """Every relation in which a place stands to a landmark, seen from a pose."""
    width = hexmap.size.width
    place = landmark.nearest(target, width)
    apart = distance(place, target, width)
    true = {"near"} if apart <= CLOSE else set()
    viewer = pose // 6
    if viewer in (place, target):
        return true
    turn = bearing(viewer, pose % 6, target, width) - bearing(viewer, pose % 6, place, width)
    turn = (turn + 180.0) % 360.0 - 180.0
    farther = distance(viewer, target, width) - distance(viewer, place, width)
    if abs(turn) <= ALIGNED and farther > 0:
        true.add("past")
    if abs(turn) <= ALIGNED and farther < 0 and apart <= BESIDE:
        true.add("before")
    if 8.0 <= abs(turn) <= 80.0 and abs(farther) <= 2 and apart <= BESIDE:
        true.add("left" if turn < 0 else "right")
    return true


def holds(hexmap: HexMap, pose: int, target: int, relation: str, marks: Iterable[Landmark]) -> bool:
    """Whether a place stands in a relation to any of these landmarks."""
    return any(relation in relations(hexmap, pose, target, mark) for mark in marks)
