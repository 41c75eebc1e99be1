"""Object search: memory, then hints, then the frontier, then containers by likelihood and distance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from housemates.agents.embodied.grounding import Grounding
from housemates.agents.embodied.locomotion import Routine
from housemates.agents.embodied.manipulation import KEPT_OPEN, Manipulator, Stuck
from housemates.agents.embodied.object_memory import TrackedObject
from housemates.agents.embodied.occupancy import WALL_COST
from housemates.agents.embodied.semantics import NounPhrase
from housemates.agents.embodied.viewpoints import place as place_of
from housemates.files import shipped
from housemates.home.kinds import BASIN_TYPES, surfaces
from housemates.home.things import HORIZON_RANGE_DEG
from housemates.home.types import object_type

Found = Callable[[], bool]
EFFORT = 8
"""Frontier goals that are explored for one object."""
MOST_WALKS = 16
AROUND = {basin: whole for whole, basin in BASIN_TYPES.items()}
"""Basin -> the sink or bathtub around it, as which it may be detected."""
CUPBOARDS = ("Fridge", "Cabinet", "Drawer", "Microwave", "Safe", "LaundryHamper")
"""Containers that are opened."""
HOLLOWS = ("GarbageCan", "Box", *BASIN_TYPES.values(), "Pot")
"""Containers that are looked down into."""
FACED = surfaces("worktop", "top")
"""Surfaces that are looked at again from close by, last of all."""
LAST_RESORT = 5.0
"""Penalty for those, in bits."""
TALL = ("Fridge",)
"""Containers that are searched from two sides."""
NEAREST = 12
"""Viewpoints considered for looking down into a container."""
FEW = 0.002
"""Frequency assumed for a container type in which nobody saw the object."""
WORTH_M = 6.0
"""Detour in metres that doubled likelihood is worth."""


@cache
def habits() -> Mapping[str, Mapping[str, float]]:
    """Object type -> container type -> frequency in people's homes."""
    found: Mapping[str, Mapping[str, float]] = shipped(__package__, "habits.json")
    return found


class ObjectSearch(Grounding):
    """Grounding that searches by itself instead of asking.

    Args:
        manipulator: Opens containers.
        step_budget: The turn after which it opens no more containers.
        failure_budget: The number of failures after which it opens no more containers.
    """

    def __init__(self, manipulator: Manipulator, step_budget: int, failure_budget: int) -> None:
        super().__init__(manipulator, EFFORT)
        self.step_budget, self.failure_budget = step_budget, failure_budget
        self.opened: set[str] = set()
        """Keys of containers that were searched."""

    def find(self, phrase: NounPhrase, avoid: Sequence[str] = ()) -> Routine[TrackedObject]:
        """Ground a phrase: remembered, where it was said to be, or searched for; raises `Stuck`."""
        known = None if phrase.places else self._best(phrase, avoid)
        if known is None and not self.memory.perception.trusted_types and set(phrase.types) & set(AROUND):
            around = tuple(AROUND.get(each, each) for each in phrase.types)
            known = self._best(replace(phrase, types=around), avoid)
        if known is not None:
            return known
        try:
            return (yield from super().find(phrase, avoid))
        except Stuck:
            yield from self.search_containers(phrase.types, lambda: self._best(phrase, avoid) is not None)
            anything = (*phrase.types, *(AROUND[each] for each in phrase.types if each in AROUND))
            self.memory.believed_types |= set(anything)
            known = self._best(replace(phrase, types=anything), avoid)
            if known is None:
                raise
            return known

    def restart(self, lost: bool) -> None:
        """After something was not found, search every place once more."""
        if lost:
            self.opened.clear()
            self._looked.clear()
            self._explored = 0

    def survey(self) -> Routine[None]:
        """Look around, and explore the frontier of the map."""
        nothing = NounPhrase(("Floor",), "floor")
        if self.navigator.embodiment.blind_m:
            yield from self._look_at_feet()
        for _ in range(EFFORT + 4):
            yield from self._turn_around(nothing, ())
            if not (yield from self._wander()):
                return

    def _wander(self) -> Routine[bool]:
        """Walk to the nearest frontier, unless it bumped too often or walls are assumed in the way."""
        costs = self.navigator.map.path_costs(self.navigator.grid_pose)
        goals = [each for each in self.navigator.map.frontier(costs) if costs[each] < WALL_COST]
        goals = [each for each in goals if (each.x // 4, each.z // 4) not in self._looked]
        if (
            not goals
            or self.navigator.bumps >= self.navigator.embodiment.max_bumps
            or self._explored >= MOST_WALKS
        ):
            return False
        self._explored += 1
        yield from self.navigator.tilt(30)
        yield from self.navigator.walk(goals[0])
        return True

    def _turn_around(self, phrase: NounPhrase, avoid: Sequence[str]) -> Routine[None]:
        """Look all around; at two horizons if the floor near the feet is out of view."""
        before = len(self._looked)
        yield from super()._turn_around(phrase, avoid)
        if (
            self.navigator.embodiment.blind_m
            and len(self._looked) > before
            and self._best(phrase, avoid) is None
        ):
            yield from self.navigator.tilt(0)
            for _ in range(3):
                yield from self.navigator.move("TurnRight")

    def _look_at_feet(self) -> Routine[None]:
        """See the floor around the feet."""
        yield from self.navigator.tilt(HORIZON_RANGE_DEG[1])
        for _ in range(3):
            yield from self.navigator.move("TurnRight")

    def gather(self, types: tuple[str, ...]) -> Routine[list[TrackedObject]]:
        """All objects of these types, after a survey and a search of every container."""
        yield from self.survey()
        yield from self.search_containers(types, lambda: False)
        return self.memory.of(types)

    def likely_containers(self, types: tuple[str, ...]) -> list[TrackedObject]:
        """Containers of which one would look into the first for food, those not searched yet."""
        if not any(object_type(each).can("cook") or object_type(each).can("slice") for each in types):
            return []
        return [each for each in self.memory.of(TALL) if not self._was_opened(each)]

    def search_containers(self, types: tuple[str, ...], found: Found) -> Routine[bool]:
        """Search containers, the most promising first, until `found` or the budgets are used up."""
        while self.navigator.now.turn < self.step_budget and self.navigator.failures < self.failure_budget:
            kinds = CUPBOARDS + HOLLOWS + FACED
            rest = [each for each in self.memory.of(kinds) if not self._was_opened(each)]
            if not rest:
                break
            place = max(rest, key=lambda each: self._value(each, types))
            self.opened.add(place.key)
            if place.type in HOLLOWS:
                yield from self._look_down(place, found)
            elif place.type in FACED:
                yield from self.navigator.inspect(place.key, 1, found)
            else:
                yield from self.look_inside(place, found)
            if found():
                return True
        return found()

    def _was_opened(self, place: TrackedObject) -> bool:
        """Whether a container was searched, under this key or as one of its type at the same place."""
        if place.key in self.opened:
            return True
        others = [self.memory.things[key] for key in self.opened if key in self.memory.things]
        away = [
            float(np.linalg.norm(each.middle - place.middle)) for each in others if each.type == place.type
        ]
        return min(away, default=np.inf) < self.memory.perception.same_place_m

    def _look_down(self, place: TrackedObject, found: Found) -> Routine[None]:
        """Look down into a container from two viewpoints right beside it."""
        middle = place.middle[[0, 2]]
        views = [view for _, view in self.navigator.views(place, best=0.3)]
        near = sorted(views, key=lambda each: float(np.hypot(*(place_of(each) - middle))))[:NEAREST]
        for view in (near[:1], [each for each in near if each.pose.rotation != near[0].pose.rotation][:1]):
            if found() or not view or not (yield from self.navigator.walk(view[0].pose)):
                continue
            yield from self.navigator.tilt(HORIZON_RANGE_DEG[1])

    def look_inside(self, place: TrackedObject, found: Found) -> Routine[None]:
        """Open a container and look into it until something is found; it is closed again if nothing is."""
        self.opened.add(place.key)
        try:
            yield from self.manipulator.open(place)
            if (yield from self.manipulator.search(place, found, 2 if place.type in TALL else 1)):
                return
        except Stuck:
            return
        if place.type not in KEPT_OPEN:
            yield from self.manipulator.close_if_seen(place)

    def _value(self, place: TrackedObject, types: tuple[str, ...]) -> float:
        """Value of a container in bits: log-likelihood of holding the object, less its distance."""
        alike = max(1, len(self.memory.of((place.type,))))
        log_probs = max((habits().get(each, {}).get(place.type, 0.0) for each in types), default=0.0)
        x, _, z = self.navigator.position
        away = float(np.hypot(place.points[:, 0] - x, place.points[:, 2] - z).min())
        worth = float(np.log2(max(log_probs / alike, FEW))) - away / WORTH_M
        return worth - LAST_RESORT * (place.type in FACED)


class AskingSearch(Grounding):
    """Grounding that looks into the likeliest containers before it asks.

    Args:
        manipulator: Opens containers.
        effort: As in `Grounding`.
        search: Knows which containers are likely, and which were searched.
    """

    def __init__(self, manipulator: Manipulator, effort: int, search: ObjectSearch) -> None:
        super().__init__(manipulator, effort)
        self.search = search
        self.thorough = False
        """Whether nobody knows where things are, so that it looks everywhere."""

    def find(self, phrase: NounPhrase, avoid: Sequence[str] = ()) -> Routine[TrackedObject]:
        """Ground a phrase; raises `Stuck` if a few likely containers do not hold such an object either."""
        try:
            return (yield from super().find(phrase, avoid))
        except Stuck as trouble:
            if trouble.kind != "where" and not self.thorough:
                raise

            def found() -> bool:
                return self._best(phrase, avoid) is not None

            for place in self.search.likely_containers(phrase.types):
                yield from self.search.look_inside(place, found)
            if self.thorough:
                yield from self.search.search_containers(phrase.types, found)
            known = self._best(phrase, avoid)
            if known is None:
                raise
            return known
