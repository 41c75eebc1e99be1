"""Grounding of noun phrases: which remembered object is meant, hints about places, and search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from housemates.agents.embodied.colours import COLOURS
from housemates.agents.embodied.locomotion import Routine
from housemates.agents.embodied.manipulation import KEPT_OPEN, Manipulator, Stuck
from housemates.agents.embodied.object_memory import TrackedObject
from housemates.agents.embodied.semantics import Location, NounPhrase
from housemates.agents.embodied.spatial_relations import CLOSE, SIDES_DEG, Extent, Viewer, misfit
from housemates.home.kinds import BASIN_TYPES, BASINS
from housemates.home.navigation import HEADINGS
from housemates.home.types import object_type, object_types

HIGH = {"top": 1.0, "bottom": -1.0}
ALL_ONE = ("CounterTop", "StoveBurner", "StoveKnob", "Faucet", *BASINS)
"""Types whose instances are interchangeable."""


@dataclass
class Hint:
    """A statement about where an object is, and where the Follower stood when it was made."""

    phrase: NounPhrase
    viewer: Viewer
    beside: str = ""
    """Key of the anchor of a relative hint such as `the one to the left`."""
    tried: int = 0


class Grounding:
    """Finds the objects that noun phrases refer to."""

    def __init__(self, manipulator: Manipulator, effort: int) -> None:
        """`effort` is the number of unseen parts of the home that are explored before it asks."""
        self.manipulator = manipulator
        self.navigator = manipulator.navigator
        self.memory = manipulator.memory
        self.effort = effort
        self.hints: list[Hint] = []
        self.emptied: set[tuple[str, str]] = set()
        """Pairs of a place's key and a type of which there is none at that place."""
        self.hint_counts: Counter[str] = Counter()
        """How many hints were given for each type."""
        self.last_place = ""
        """Key of the place that was searched last."""
        self._looked: set[tuple[int, int]] = set()
        self._explored = 0

    @property
    def viewer(self) -> Viewer:
        """The Follower's position and heading."""
        pose = self.navigator.pose
        return Viewer(pose.x, pose.z, pose.rotation)

    def add_hint(self, phrase: NounPhrase) -> None:
        """Store a statement about where an object is; it replaces earlier ones about the same type."""
        self.hints = [each for each in self.hints if each.phrase.types[:1] != phrase.types[:1]]
        beside = self.last_place if any(each.startswith("next ") for each in phrase.traits) else ""
        self.hints.insert(0, Hint(phrase, self.viewer, beside))
        self.hint_counts[phrase.types[0]] += 1
        if not beside:
            self.emptied = {each for each in self.emptied if each[1] != phrase.types[0]}

    def find(self, phrase: NounPhrase, avoid: Sequence[str] = ()) -> Routine[TrackedObject]:
        """Ground a phrase: by memory and hints first, then by exploration; raises `Stuck` if both fail.

        Args:
            phrase: What is said about it.
            avoid: Keys of things that are not meant.
        """
        hint = self._hint(phrase)
        for _ in range(3):
            if not phrase.places and hint is None:
                break
            known = self._placed(phrase, hint, avoid)
            if known is not None:
                return known
            looked = yield from self._look_there(phrase, hint)
            if not looked:
                break
        if hint is not None:
            hint.tried += 1
        known = self._placed(phrase, hint, avoid) or self._best(phrase, avoid)
        if known is not None:
            return known
        if (yield from self._explore(phrase, avoid)):
            known = self._best(phrase, avoid)
            if known is not None:
                return known
        raise Stuck("lost" if phrase.places or hint is not None else "where", phrase.types[0])

    def known(self, phrase: NounPhrase, avoid: Sequence[str] = ()) -> list[TrackedObject]:
        """Remembered objects of the phrase's types, the likeliest first, whatever it says about places."""
        found = [each for each in self.memory.of(phrase.types) if each.key not in avoid]
        found = [each for each in found if each.key in phrase.traits] or found
        return sorted(found, key=lambda each: self._unlikely(each, phrase))

    def _unlikely(self, thing: TrackedObject, phrase: NounPhrase) -> tuple[float, ...]:
        colours = phrase.traits & COLOURS
        wanted = [getattr(thing, each) for each in ("clean", "cooked") if each in phrase.traits]
        x, _, z = self.navigator.position
        away = float(np.hypot(thing.points[:, 0] - x, thing.points[:, 2] - z).min())
        kind = phrase.types.index(thing.type)
        whole = kind if thing.type.endswith("Sliced") != ("sliced" in phrase.traits) else 0
        return (
            len(thing.failed_actions & {"Pickup"}),
            bool(colours) and thing.colour not in colours,
            -sum(wanted),
            whole,
            -thing.last_used if "other" not in phrase.traits else thing.last_used,
            away + 0.8 * kind + self.memory.distance_penalty(thing),
        )

    def _best(self, phrase: NounPhrase, avoid: Sequence[str]) -> TrackedObject | None:
        held = self.manipulator.held
        meant = held is not None and held.type in phrase.types and "other" not in phrase.traits
        if held is not None and meant and held.key not in avoid:
            return held
        found = [each for each in self.known(phrase, avoid) if "Pickup" not in each.failed_actions]
        return found[0] if found else None

    def hinted(self, phrase: NounPhrase) -> bool:
        """Whether a place is known for such an object."""
        return bool(phrase.places) or self._hint(phrase) is not None

    def described(self, phrase: NounPhrase) -> NounPhrase:
        """The hint about such an object, or else the phrase itself."""
        hint = self._hint(phrase)
        return phrase if hint is None else hint.phrase

    def _hint(self, phrase: NounPhrase) -> Hint | None:
        if phrase.places:
            return None
        for hint in self.hints:
            if set(hint.phrase.types[:1]) & set(phrase.types) and hint.tried < 2:
                return hint
        return None

    def placed(self, phrase: NounPhrase) -> TrackedObject | None:
        """The remembered object that fits the phrase's places, if one fits well."""
        return self._placed(phrase, None, ())

    def _placed(self, phrase: NounPhrase, hint: Hint | None, avoid: Sequence[str]) -> TrackedObject | None:
        """The remembered object that fits the phrase's or the hint's places best, if one fits well."""
        told, viewer = (phrase, self.viewer) if hint is None else (hint.phrase, hint.viewer)
        if not told.places:
            return None
        found = [
            (fit - _height(told) * float(each.middle[1]), index, each)
            for index, each in enumerate(self.known(phrase, avoid))
            if (fit := self._misfit(each, told.places, viewer)) <= CLOSE * len(told.places)
        ]
        return min(found)[2] if found else None

    def rivals(self, phrase: NounPhrase) -> list[TrackedObject]:
        """Objects of one type that the phrase does not tell apart, the likeliest first."""
        held = self.manipulator.held
        if not phrase.definite or phrase.plural or phrase.traits or phrase.count != 1 or self.hinted(phrase):
            return []
        known = self.known(replace(phrase, types=basins(phrase.types)))
        if not known or known[0].type in ALL_ONE or known[0].type.endswith("Sliced"):
            return []
        if held is not None and held.type in phrase.types:
            return []
        alike = [each for each in known if each.type == known[0].type]
        spoken_of = known[0].can("pickup") and any(each.last_used >= 0 for each in alike)
        return [] if spoken_of or len(alike) < 2 else alike

    def _misfit(
        self,
        thing: TrackedObject,
        places: Sequence[Location],
        viewer: Viewer,
        followed: tuple[Hint, ...] = (),
    ) -> float:
        total = 0.0
        for place in places:
            anchors = [] if place.anchor is None else self._ranked(place.anchor, viewer, followed)[:2]
            if (
                place.anchor is not None
                and place.holds
                and len(place.anchor.places) == 0
                and not place.anchor.traits
            ):
                anchors = self.memory.of(place.anchor.types)
            total += misfit(
                self.extent(thing), place.relation, [self.extent(each) for each in anchors], viewer
            )
        return total

    def extent(self, thing: TrackedObject) -> Extent:
        """The axis-aligned bounding box of the points seen of an object, with what holds it."""
        holders, key = [], thing.holder
        while key and key not in holders:
            holders.append(key)
            key = self.memory.things[key].holder if key in self.memory.things else ""
        low, high = thing.points.min(axis=0).tolist(), thing.points.max(axis=0).tolist()
        return Extent(thing.key, thing.type, tuple(low), tuple(high), tuple(holders))

    def _ranked(
        self, phrase: NounPhrase, viewer: Viewer, followed: tuple[Hint, ...] = ()
    ) -> list[TrackedObject]:
        """Objects that a phrase with places may refer to, the best fit first.

        A hint is followed once: the cup may be said to be beside the plate, and the plate beside the cup.
        """
        found = self.memory.of(basins(phrase.types))
        found = [each for each in found if each.key in phrase.traits] or found
        hint = self._hint(phrase)
        if hint is not None and not any(hint is each for each in followed):
            phrase, viewer = replace(hint.phrase, types=phrase.types), hint.viewer
            followed = (*followed, hint)
        height = _height(phrase)

        def badness(each: TrackedObject) -> tuple[float, float]:
            fit = self._misfit(each, phrase.places, viewer, followed) - height * float(each.middle[1])
            x, z = float(each.middle[0]) - viewer.x, float(each.middle[2]) - viewer.z
            return fit + 0.5 * phrase.types.index(each.type) * (not phrase.places), x * x + z * z

        return sorted(found, key=badness)

    def _look_there(self, phrase: NounPhrase, hint: Hint | None) -> Routine[bool]:
        """Go to the described place and search it; False if no such place is left."""
        if hint is not None and hint.beside in self.memory.things:
            side = next(each.removeprefix("next ") for each in hint.phrase.traits if each.startswith("next "))
            looked = yield from self._look_beside(phrase, hint.beside, side)
            return looked
        places, viewer = (phrase.places, self.viewer) if hint is None else (hint.phrase.places, hint.viewer)
        for place in places:
            if place.anchor is None:
                yield from self.navigator.turn_to(
                    round((viewer.rotation + SIDES_DEG[place.relation]) / 90) * 90
                )
                continue
            anchors = self._ranked(place.anchor, viewer)
            sides = [each.relation for each in (*places, *place.anchor.places) if each.anchor is None]
            if not anchors and sides:
                yield from self._head(viewer, SIDES_DEG[sides[0]])
                anchors = self._ranked(place.anchor, viewer)
            if not anchors and (yield from self._explore(place.anchor, ())):
                anchors = self._ranked(place.anchor, viewer)
            fresh = [each for each in anchors if (each.key, phrase.types[0]) not in self.emptied]
            if fresh:
                yield from self._look_into(fresh[0], phrase)
                return (len(self.emptied) < 40 and hint is None) or (hint is not None and hint.tried < 2)
        return False

    def _head(self, viewer: Viewer, side_deg: float) -> Routine[None]:
        """Go a few steps to one side of a former position, and look around there."""
        rotation = round((viewer.rotation + side_deg) / 90) * 90 % 360
        yield from self.navigator.turn_to(rotation)
        dx, dz = HEADINGS[rotation]
        costs = self.navigator.map.path_costs(self.navigator.grid_pose)
        here = self.navigator.grid_pose
        ahead = [
            each
            for each, cost in costs.items()
            if each.rotation == rotation and cost < 14 and (each.x - here.x) * dx + (each.z - here.z) * dz > 0
        ]
        if ahead:
            yield from self.navigator.walk(
                max(ahead, key=lambda each: (each.x * dx + each.z * dz, -costs[each]))
            )
        yield from self.navigator.tilt(30)
        for _ in range(3):
            yield from self.navigator.move("TurnRight")

    def _look_beside(self, phrase: NounPhrase, key: str, side: str) -> Routine[bool]:
        last = self.memory.things[key]
        others = [
            each
            for each in self.memory.of((last.type,))
            if each.key != key and (each.key, phrase.types[0]) not in self.emptied
        ]
        if not others:
            return False
        anchor = self.extent(last)
        viewer = self.viewer
        best = min(others, key=lambda each: misfit(self.extent(each), side, [anchor], viewer))
        yield from self._look_into(best, phrase)
        return False

    def _look_into(self, place: TrackedObject, phrase: NounPhrase) -> Routine[None]:
        """Search a place: open it if it opens, and look from several sides."""
        self.last_place = place.key
        self.emptied.add((place.key, phrase.types[0]))
        kind = object_type(place.type)
        if kind.can("open") and kind.can("receptacle") and not kind.can("pickup"):
            yield from self.manipulator.open(place)
        else:
            yield from self.navigator.approach(place.key)
        sides = min(self.hint_counts[phrase.types[0]], 3)
        if not self._is_here(phrase, place):
            yield from self.manipulator.search(place, lambda: self._is_here(phrase, place), sides)
        if self._is_here(phrase, place):
            return
        if place.open and place.type not in KEPT_OPEN:
            yield from self.manipulator.close_if_seen(place)
        elif not place.can("open"):
            yield from self.navigator.peek(place.key)

    def _is_here(self, phrase: NounPhrase, place: TrackedObject) -> bool:
        """Whether an object that may be meant was seen on or in a place."""
        box = self.extent(place)
        return any(misfit(self.extent(each), "in", [box], self.viewer) < CLOSE for each in self.known(phrase))

    def _explore(self, phrase: NounPhrase, avoid: Sequence[str]) -> Routine[bool]:
        """Look around and walk to the frontier of the map; True when such an object is seen."""
        fixed = not object_type(phrase.types[0]).can("pickup")
        for _ in range(self.effort + 1 + 3 * fixed):
            yield from self._turn_around(phrase, avoid)
            if self._best(phrase, avoid) is not None:
                return True
            if not (yield from self._wander()):
                break
        return self._best(phrase, avoid) is not None

    def _turn_around(self, phrase: NounPhrase, avoid: Sequence[str]) -> Routine[None]:
        spot = (self.navigator.grid_pose.x // 4, self.navigator.grid_pose.z // 4)
        if spot in self._looked:
            return
        self._looked.add(spot)
        yield from self.navigator.tilt(30)
        for _ in range(3):
            yield from self.navigator.move("TurnRight")
            if self._best(phrase, avoid) is not None:
                return

    def _wander(self) -> Routine[bool]:
        if self._explored >= 12:
            return False
        self._explored += 1
        goals = self.navigator.map.frontier(self.navigator.map.path_costs(self.navigator.grid_pose))
        goals = [each for each in goals if (each.x // 4, each.z // 4) not in self._looked]
        if not goals:
            return False
        yield from self.navigator.tilt(30)
        yield from self.navigator.walk(goals[0])
        return True

    def destination(self, phrase: NounPhrase, load: TrackedObject | None) -> Routine[TrackedObject]:
        """Where to put a load: the place that is meant, or another of its type if that one is full."""
        types = basins(phrase.types)
        if load is not None:
            types = tuple(each for each in types if object_type(each).can("receptacle")) or types
        spoiled = "" if load is None else f"Place {load.type}"
        known = self.memory.of(types)
        avoid = [each.key for each in known if spoiled in each.failed_actions]
        if len(avoid) == len(known):
            avoid = []
        place = yield from self.find(replace(phrase, types=types), avoid)
        return place


def _height(phrase: NounPhrase) -> float:
    """1 for `top`, -1 for `bottom`, else 0."""
    return sum(HIGH.get(each, 0.0) for each in phrase.traits)


def basins(types: tuple[str, ...]) -> tuple[str, ...]:
    """The types, with sinks and bathtubs as their basins."""
    return tuple(dict.fromkeys(BASIN_TYPES.get(each, each) for each in types))


def wholes(types: tuple[str, ...]) -> tuple[str, ...]:
    """The types whose slices are of these types."""
    kinds = object_types()
    return tuple(name for name, kind in kinds.items() if kind.slice_type in types)
