"""Looking for things without anybody to ask: what was seen, what was told, then every corner and cupboard."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from housemates.agents.embodied.grounding import Finder
from housemates.agents.embodied.locomotion import Doing
from housemates.agents.embodied.manipulation import KEPT_OPEN, Hands, Stuck
from housemates.agents.embodied.object_memory import Seen
from housemates.agents.embodied.occupancy import WALL_COST
from housemates.agents.embodied.semantics import Phrase
from housemates.agents.embodied.viewpoints import place as place_of
from housemates.files import shipped
from housemates.home.kinds import BASIN_TYPES, surfaces
from housemates.home.things import HORIZON_RANGE_DEG

Found = Callable[[], bool]
EFFORT = 8
"""How many unseen parts of the home it walks to for one thing."""
MOST_WALKS = 16
AROUND = {basin: whole for whole, basin in BASIN_TYPES.items()}
"""What is seen of a basin where it is not told from what is around it."""
CUPBOARDS = ("Fridge", "Cabinet", "Drawer", "Microwave", "Safe", "LaundryHamper")
"""What is opened to look into."""
HOLLOWS = ("GarbageCan", "Box", *BASIN_TYPES.values(), "Pot")
"""What is looked down into from close by."""
FACED = surfaces("worktop", "top")
"""What is looked at again from close by, when nothing else helps."""
LAST_RESORT = 5.0
"""How much less promising that is."""
TALL = ("Fridge",)
"""What hides things behind its door or on its shelves."""
NEAREST = 12
"""How many of the nearest views of a thing come into question to look down into it."""
SAME_PLACE_M = 0.25
"""So near to each other two cupboards of a kind are one, where eyes may err."""
FEW = 0.002
"""How often a thing is in a kind of cupboard in which nobody has seen it."""
WORTH_M = 6.0
"""How far one goes for a cupboard that is twice as likely."""


@cache
def habits() -> Mapping[str, Mapping[str, float]]:
    """How often things of each type were on or in each kind of place in people's homes."""
    found: Mapping[str, Mapping[str, float]] = shipped(__package__, "habits.json")
    return found


class Seeker(Finder):
    """Finds by itself what others would ask for.

    Args:
        hands: What opens cupboards.
        patience: The turn after which it opens no more of them.
        failures: How often it may fail before it opens no more of them.
    """

    def __init__(self, hands: Hands, patience: int, failures: int) -> None:
        super().__init__(hands, EFFORT)
        self.patience, self.failures = patience, failures
        self.opened: set[str] = set()
        """What it has looked into."""

    def find(self, phrase: Phrase, avoid: Sequence[str] = ()) -> Doing[Seen]:
        """The thing that is meant: one that was seen, else where it was told to be, else anywhere."""
        known = None if phrase.places else self._best(phrase, avoid)
        if known is None and self.memory.hazy and set(phrase.types) & set(AROUND):
            around = tuple(AROUND.get(each, each) for each in phrase.types)
            known = self._best(replace(phrase, types=around), avoid)
        if known is not None:
            return known
        try:
            return (yield from super().find(phrase, avoid))
        except Stuck:
            yield from self.rummage(phrase.types, lambda: self._best(phrase, avoid) is not None)
            anything = (*phrase.types, *(AROUND[each] for each in phrase.types if each in AROUND))
            self.memory.credulous |= set(anything)
            known = self._best(replace(phrase, types=anything), avoid)
            if known is None:
                raise
            return known

    def begin_anew(self, lost: bool) -> None:
        """Look everywhere once more, if something was not found: eyes may have missed it."""
        if lost:
            self.opened.clear()
            self._looked.clear()
            self._explored = 0

    def survey(self) -> Doing[None]:
        """Look around, and walk to every part of the home that was not seen."""
        nothing = Phrase(("Floor",), "floor")
        if self.body.senses.blind_m:
            yield from self._look_at_feet()
        for _ in range(EFFORT + 4):
            yield from self._turn_around(nothing, ())
            if not (yield from self._wander()):
                return

    def _wander(self) -> Doing[bool]:
        """Walk to where unseen floor begins, unless it bumped too often or walls are in the way."""
        costs = self.body.map.ways(self.body.stand)
        goals = [each for each in self.body.map.frontier(costs) if costs[each] < WALL_COST]
        goals = [each for each in goals if (each.x // 4, each.z // 4) not in self._looked]
        if not goals or self.body.bumps >= self.body.senses.bumps or self._explored >= MOST_WALKS:
            return False
        self._explored += 1
        yield from self.body.tilt(30)
        yield from self.body.walk(goals[0])
        return True

    def _turn_around(self, phrase: Phrase, avoid: Sequence[str]) -> Doing[None]:
        """Look all around; one who sees little at once looks at two heights."""
        before = len(self._looked)
        yield from super()._turn_around(phrase, avoid)
        if self.body.senses.blind_m and len(self._looked) > before and self._best(phrase, avoid) is None:
            yield from self.body.tilt(0)
            for _ in range(3):
                yield from self.body.move("TurnRight")

    def _look_at_feet(self) -> Doing[None]:
        """See the floor all around where one stands."""
        yield from self.body.tilt(HORIZON_RANGE_DEG[1])
        for _ in range(3):
            yield from self.body.move("TurnRight")

    def gather(self, types: tuple[str, ...]) -> Doing[list[Seen]]:
        """All things of some types that are to be found in the home."""
        yield from self.survey()
        yield from self.rummage(types, lambda: False)
        return self.memory.of(types)

    def rummage(self, types: tuple[str, ...], found: Found) -> Doing[bool]:
        """Open what may hold something, the likeliest and nearest first, until it is found."""
        while self.body.now.turn < self.patience and self.body.failures < self.failures:
            kinds = CUPBOARDS + HOLLOWS + FACED
            rest = [each for each in self.memory.of(kinds) if not self._was_opened(each)]
            if not rest:
                break
            place = max(rest, key=lambda each: self._promise(each, types))
            self.opened.add(place.key)
            if place.type in HOLLOWS:
                yield from self._look_down(place, found)
            elif place.type in FACED:
                yield from self.body.inspect(place.key, 1, found)
            else:
                yield from self._look_inside(place, found)
            if found():
                return True
        return found()

    def _was_opened(self, place: Seen) -> bool:
        """Whether it has looked into a thing, under whatever name where eyes may err."""
        if place.key in self.opened or not self.memory.hazy:
            return place.key in self.opened
        others = [self.memory.things[key] for key in self.opened if key in self.memory.things]
        away = [
            float(np.linalg.norm(each.middle - place.middle)) for each in others if each.type == place.type
        ]
        return min(away, default=np.inf) < SAME_PLACE_M

    def _look_down(self, place: Seen, found: Found) -> Doing[None]:
        """Look down into a thing from right beside it, from two sides."""
        middle = place.middle[[0, 2]]
        views = [view for _, view in self.body.views(place, best=0.3)]
        near = sorted(views, key=lambda each: float(np.hypot(*(place_of(each) - middle))))[:NEAREST]
        for view in (near[:1], [each for each in near if each.stand.rotation != near[0].stand.rotation][:1]):
            if found() or not view or not (yield from self.body.walk(view[0].stand)):
                continue
            yield from self.body.tilt(HORIZON_RANGE_DEG[1])

    def _look_inside(self, place: Seen, found: Found) -> Doing[None]:
        try:
            yield from self.hands.open(place)
            if (yield from self.hands.search(place, found, 2 if place.type in TALL else 1)):
                return
        except Stuck:
            return
        if place.type not in KEPT_OPEN:
            yield from self.hands.close_if_seen(place)

    def _promise(self, place: Seen, types: tuple[str, ...]) -> float:
        """How much is to be said for a cupboard."""
        alike = max(1, len(self.memory.of((place.type,))))
        odds = max((habits().get(each, {}).get(place.type, 0.0) for each in types), default=0.0)
        x, _, z = self.body.position
        away = float(np.hypot(place.points[:, 0] - x, place.points[:, 2] - z).min())
        worth = float(np.log2(max(odds / alike, FEW))) - away / WORTH_M
        return worth - LAST_RESORT * (place.type in FACED)
