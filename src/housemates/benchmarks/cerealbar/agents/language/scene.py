"""What is where, as one would say it: landmarks, and how a place lies to them for someone who looks on."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from housemates.benchmarks.cerealbar.world.hexes import bearing, distance, neighbours
from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.benchmarks.cerealbar.world.tables import NO_PROP, PROPS, TERRAINS

CLOSE = 2
"""Steps within which one thing is near another."""
ALIGNED = 25.0
"""Degrees within which one thing is past or in front of another."""
BESIDE = 4
SECTORS = ((40.0, "ahead"), (140.0, "side"), (181.0, "behind"))
GROUNDS = {"water": "water", "deep water": "water", "hill": "hill", "short hill": "hill"}


class Landmark(NamedTuple):
    """A thing to orient by: its kind in the lexicon, and the hexes it covers."""

    kind: str
    hexes: tuple[int, ...]

    def nearest(self, place: int, width: int) -> int:
        """The hex of it nearest to a place."""
        return min(self.hexes, key=lambda at: (distance(at, place, width), at))


class Link(NamedTuple):
    """A relation and the landmark's hexes it holds to."""

    relation: str
    landmark: Landmark


@lru_cache(maxsize=64)
def landmarks(hexmap: HexMap) -> tuple[Landmark, ...]:
    """Every prop, lake and hill of a map."""
    found = [Landmark(PROPS[prop].name, (at,)) for at, prop in enumerate(hexmap.prop) if prop != NO_PROP]
    kinds = [GROUNDS.get(TERRAINS[ground].name) for ground in hexmap.terrain]
    done: set[int] = set()
    for start, kind in enumerate(kinds):
        if kind is None or start in done:
            continue
        patch = [start]
        done.add(start)
        for at in patch:
            for to in neighbours(hexmap.size)[at]:
                if to >= 0 and to not in done and kinds[to] == kind:
                    done.add(to)
                    patch.append(to)
        found.append(Landmark(kind, tuple(sorted(patch))))
    return tuple(found)


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
