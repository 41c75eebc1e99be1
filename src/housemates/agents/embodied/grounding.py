"""From words to a thing: what the Follower remembers of it, where it was told to look, and looking for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from housemates.agents.embodied.locomotion import Doing
from housemates.agents.embodied.manipulation import KEPT_OPEN, Hands, Stuck
from housemates.agents.embodied.object_memory import Seen
from housemates.agents.embodied.semantics import Phrase, Place
from housemates.agents.embodied.spatial_relations import CLOSE, SIDES_DEG, Extent, Viewer, misfit
from housemates.home.kinds import BASIN_TYPES, BASINS
from housemates.home.navigation import HEADINGS
from housemates.home.types import object_type, object_types

HIGH = {"top": 1.0, "bottom": -1.0}
ALL_ONE = ("StoveBurner", "StoveKnob", "Faucet", *BASINS)
"""Things of which it does not matter which one."""


@dataclass
class Hint:
    """Something that was said about where a thing is, and where the Follower stood then."""

    phrase: Phrase
    viewer: Viewer
    beside: str = ""
    """The key of the thing that `the one to the left` is left of."""
    tried: int = 0


class Finder:
    """Finds the things that phrases speak of."""

    def __init__(self, hands: Hands, effort: int) -> None:
        """`effort` is how many unseen parts of the home it walks to before it asks."""
        self.hands = hands
        self.body = hands.body
        self.memory = hands.memory
        self.effort = effort
        self.hints: list[Hint] = []
        self.emptied: set[tuple[str, str]] = set()
        """Where there is none of a type: key and type."""
        self.told: Counter[str] = Counter()
        """How often it was told where a thing is."""
        self.last_place = ""
        """Where it last looked."""
        self._looked: set[tuple[int, int]] = set()
        self._explored = 0

    @property
    def viewer(self) -> Viewer:
        """Where the Follower stands."""
        pose = self.body.pose
        return Viewer(pose.x, pose.z, pose.rotation)

    def hear(self, phrase: Phrase) -> None:
        """Remember where something is said to be."""
        self.hints = [each for each in self.hints if each.phrase.types[:1] != phrase.types[:1]]
        beside = self.last_place if any(each.startswith("next ") for each in phrase.traits) else ""
        self.hints.insert(0, Hint(phrase, self.viewer, beside))
        self.told[phrase.types[0]] += 1
        if not beside:
            self.emptied = {each for each in self.emptied if each[1] != phrase.types[0]}

    def find(self, phrase: Phrase, avoid: Sequence[str] = ()) -> Doing[Seen]:
        """The thing that is meant; looks for it where that helps, and gives up as Stuck.

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

    def known(self, phrase: Phrase, avoid: Sequence[str] = ()) -> list[Seen]:
        """The things in memory that a phrase may mean, the likeliest first, whatever it says about places."""
        found = [each for each in self.memory.of(phrase.types) if each.key not in avoid]
        return sorted(found, key=lambda each: self._unlikely(each, phrase))

    def _unlikely(self, thing: Seen, phrase: Phrase) -> tuple[float, ...]:
        wanted = [getattr(thing, each) for each in ("clean", "cooked") if each in phrase.traits]
        x, _, z = self.body.position
        away = float(np.hypot(thing.points[:, 0] - x, thing.points[:, 2] - z).min())
        kind = phrase.types.index(thing.type)
        whole = kind if thing.type.endswith("Sliced") != ("sliced" in phrase.traits) else 0
        return (
            len(thing.spoiled & {"Pickup"}),
            -sum(wanted),
            whole,
            -thing.used if "other" not in phrase.traits else thing.used,
            away + 0.8 * kind + self.memory.doubt(thing),
        )

    def _best(self, phrase: Phrase, avoid: Sequence[str]) -> Seen | None:
        held = self.hands.held
        meant = held is not None and held.type in phrase.types and "other" not in phrase.traits
        if held is not None and meant and held.key not in avoid:
            return held
        found = [each for each in self.known(phrase, avoid) if "Pickup" not in each.spoiled]
        return found[0] if found else None

    def hinted(self, phrase: Phrase) -> bool:
        """Whether the Follower was told where such a thing is."""
        return bool(phrase.places) or self._hint(phrase) is not None

    def told_of(self, phrase: Phrase) -> Phrase:
        """What was said about where such a thing is, or the phrase itself."""
        hint = self._hint(phrase)
        return phrase if hint is None else hint.phrase

    def _hint(self, phrase: Phrase) -> Hint | None:
        if phrase.places:
            return None
        for hint in self.hints:
            if set(hint.phrase.types[:1]) & set(phrase.types) and hint.tried < 2:
                return hint
        return None

    def placed(self, phrase: Phrase) -> Seen | None:
        """The remembered thing that fits what a phrase says about its place, if one fits well."""
        return self._placed(phrase, None, ())

    def _placed(self, phrase: Phrase, hint: Hint | None, avoid: Sequence[str]) -> Seen | None:
        """The remembered thing that fits what was said about its place best, if one fits well."""
        told, viewer = (phrase, self.viewer) if hint is None else (hint.phrase, hint.viewer)
        if not told.places:
            return None
        found = [
            (fit - _height(told) * float(each.middle[1]), index, each)
            for index, each in enumerate(self.known(phrase, avoid))
            if (fit := self._misfit(each, told.places, viewer)) <= CLOSE * len(told.places)
        ]
        return min(found)[2] if found else None

    def rivals(self, phrase: Phrase) -> list[Seen]:
        """The things of one kind that a phrase may mean and nothing tells apart, the likeliest first."""
        held = self.hands.held
        if not phrase.definite or phrase.plural or phrase.traits or phrase.count != 1 or self.hinted(phrase):
            return []
        known = self.known(replace(phrase, types=basins(phrase.types)))
        if not known or known[0].type in ALL_ONE or known[0].type.endswith("Sliced"):
            return []
        if held is not None and held.type in phrase.types:
            return []
        alike = [each for each in known if each.type == known[0].type]
        spoken_of = known[0].can("pickup") and any(each.used >= 0 for each in alike)
        return [] if spoken_of or len(alike) < 2 else alike

    def _misfit(
        self, thing: Seen, places: Sequence[Place], viewer: Viewer, followed: tuple[Hint, ...] = ()
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

    def extent(self, thing: Seen) -> Extent:
        """The box of what was seen of a thing."""
        holders, key = [], thing.holder
        while key and key not in holders:
            holders.append(key)
            key = self.memory.things[key].holder if key in self.memory.things else ""
        low, high = thing.points.min(axis=0).tolist(), thing.points.max(axis=0).tolist()
        return Extent(thing.key, thing.type, tuple(low), tuple(high), tuple(holders))

    def _ranked(self, phrase: Phrase, viewer: Viewer, followed: tuple[Hint, ...] = ()) -> list[Seen]:
        """The things that a phrase with places may mean, the best fit first.

        A hint is followed once: the cup may be said to be beside the plate, and the plate beside the cup.
        """
        found = self.memory.of(basins(phrase.types))
        hint = self._hint(phrase)
        if hint is not None and not any(hint is each for each in followed):
            phrase, viewer = replace(hint.phrase, types=phrase.types), hint.viewer
            followed = (*followed, hint)
        height = _height(phrase)

        def badness(each: Seen) -> tuple[float, float]:
            fit = self._misfit(each, phrase.places, viewer, followed) - height * float(each.middle[1])
            x, z = float(each.middle[0]) - viewer.x, float(each.middle[2]) - viewer.z
            return fit + 0.5 * phrase.types.index(each.type) * (not phrase.places), x * x + z * z

        return sorted(found, key=badness)

    def _look_there(self, phrase: Phrase, hint: Hint | None) -> Doing[bool]:
        """Go where a thing is said to be and look; False if there is nowhere left to look."""
        if hint is not None and hint.beside in self.memory.things:
            side = next(each.removeprefix("next ") for each in hint.phrase.traits if each.startswith("next "))
            looked = yield from self._look_beside(phrase, hint.beside, side)
            return looked
        places, viewer = (phrase.places, self.viewer) if hint is None else (hint.phrase.places, hint.viewer)
        for place in places:
            if place.anchor is None:
                yield from self.body.turn_to(round((viewer.rotation + SIDES_DEG[place.relation]) / 90) * 90)
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

    def _head(self, viewer: Viewer, side_deg: float) -> Doing[None]:
        """Go a few steps to one side of where one stood, and look around there."""
        rotation = round((viewer.rotation + side_deg) / 90) * 90 % 360
        yield from self.body.turn_to(rotation)
        dx, dz = HEADINGS[rotation]
        costs = self.body.map.ways(self.body.stand)
        here = self.body.stand
        ahead = [
            each
            for each, cost in costs.items()
            if each.rotation == rotation and cost < 14 and (each.x - here.x) * dx + (each.z - here.z) * dz > 0
        ]
        if ahead:
            yield from self.body.walk(max(ahead, key=lambda each: (each.x * dx + each.z * dz, -costs[each])))
        yield from self.body.tilt(30)
        for _ in range(3):
            yield from self.body.move("TurnRight")

    def _look_beside(self, phrase: Phrase, key: str, side: str) -> Doing[bool]:
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

    def _look_into(self, place: Seen, phrase: Phrase) -> Doing[None]:
        """Look at a place, and into it."""
        self.last_place = place.key
        self.emptied.add((place.key, phrase.types[0]))
        kind = object_type(place.type)
        if kind.can("open") and kind.can("receptacle") and not kind.can("pickup"):
            yield from self.hands.open(place)
        else:
            yield from self.body.approach(place.key)
        sides = min(self.told[phrase.types[0]], 3)
        if not self._is_here(phrase, place):
            yield from self.hands.search(place, lambda: self._is_here(phrase, place), sides)
        if self._is_here(phrase, place):
            return
        if place.open and place.type not in KEPT_OPEN:
            yield from self.hands.close_if_seen(place)
        elif not place.can("open"):
            yield from self.body.peek(place.key)

    def _is_here(self, phrase: Phrase, place: Seen) -> bool:
        """Whether something that may be meant was seen on or in a place."""
        box = self.extent(place)
        return any(misfit(self.extent(each), "in", [box], self.viewer) < CLOSE for each in self.known(phrase))

    def _explore(self, phrase: Phrase, avoid: Sequence[str]) -> Doing[bool]:
        """Look around, and walk to parts of the home that were not seen; True when something is found."""
        fixed = not object_type(phrase.types[0]).can("pickup")
        for _ in range(self.effort + 1 + 3 * fixed):
            yield from self._turn_around(phrase, avoid)
            if self._best(phrase, avoid) is not None:
                return True
            if not (yield from self._wander()):
                break
        return self._best(phrase, avoid) is not None

    def _turn_around(self, phrase: Phrase, avoid: Sequence[str]) -> Doing[None]:
        spot = (self.body.stand.x // 4, self.body.stand.z // 4)
        if spot in self._looked:
            return
        self._looked.add(spot)
        yield from self.body.tilt(30)
        for _ in range(3):
            yield from self.body.move("TurnRight")
            if self._best(phrase, avoid) is not None:
                return

    def _wander(self) -> Doing[bool]:
        if self._explored >= 12:
            return False
        self._explored += 1
        goals = self.body.map.frontier(self.body.map.ways(self.body.stand))
        goals = [each for each in goals if (each.x // 4, each.z // 4) not in self._looked]
        if not goals:
            return False
        yield from self.body.tilt(30)
        yield from self.body.walk(goals[0])
        return True

    def destination(self, phrase: Phrase, load: Seen | None) -> Doing[Seen]:
        """Where to put something: the place that is meant, or another of its kind if that one is full."""
        types = basins(phrase.types)
        if load is not None:
            types = tuple(each for each in types if object_type(each).can("receptacle")) or types
        spoiled = "" if load is None else f"Place {load.type}"
        known = self.memory.of(types)
        avoid = [each.key for each in known if spoiled in each.spoiled]
        if len(avoid) == len(known):
            avoid = []
        place = yield from self.find(replace(phrase, types=types), avoid)
        return place


def _height(phrase: Phrase) -> float:
    """1 for the top one, -1 for the bottom one."""
    return sum(HIGH.get(each, 0.0) for each in phrase.traits)


def basins(types: tuple[str, ...]) -> tuple[str, ...]:
    """Sinks as their basins, where things are put."""
    return tuple(dict.fromkeys(BASIN_TYPES.get(each, each) for each in types))


def wholes(types: tuple[str, ...]) -> tuple[str, ...]:
    """What pieces of these types are cut from."""
    kinds = object_types()
    return tuple(name for name, kind in kinds.items() if kind.slice_type in types)
