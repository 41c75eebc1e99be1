"""Planning state: which objects are near, what has room, and the steps to get hold of an object."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec

from housemates.agents.teach.planning.steps import INSIDE, OpenCondition, PlannedStep
from housemates.benchmarks.teach.world.dynamics import NOTHING, TeachWorld
from housemates.home.containment import is_shut
from housemates.home.geometry import nearest_distance
from housemates.home.kinds import BASINS
from housemates.home.placement import find_spot
from housemates.home.things import Thing

Steps = list[PlannedStep]
LAST_PLACES = ("Shelf", "Floor")
"""Types on which objects are left only if there is no better place."""


class PlanningState:
    """The world, the open conditions, and the steps known to be impossible."""

    def __init__(
        self, world: TeachWorld, conditions: Sequence[OpenCondition] = (), avoid: Collection[PlannedStep] = ()
    ) -> None:
        self.world = world
        self.home = world.home
        self.conditions = conditions
        self.avoid = avoid
        self._troubled = [step.target for step in avoid]

    def thing(self, name: str) -> Thing:
        """The object of this id."""
        return self.home.things[name]

    def touched(self, thing: Thing) -> bool:
        """Whether an object was picked up before."""
        return self.world.notes.get(thing.id, NOTHING).picked_up

    def sorted(self, things: Iterable[Thing]) -> list[Thing]:
        """Objects in the order of trying: without failures, in the hand, near."""
        agent = self.home.agent
        return sorted(
            (thing for thing in things if thing.solid),
            key=lambda thing: (
                self._troubled.count(thing.id),
                thing.id != agent.held,
                round(nearest_distance(thing, agent.position), 3),
                thing.id,
            ),
        )

    def of_types(self, *names: str) -> list[Thing]:
        """Objects of these types in the order of trying."""
        return self.sorted(thing for name in names for thing in self.home.of_type(name))

    def holder(self, thing: Thing, *kinds: str) -> Thing | None:
        """The object of these types that one is in or on, however deep; None if there is none."""
        return next((other for other in self.home.ancestors(thing) if other.type in kinds), None)

    def possible(self, steps: Iterable[PlannedStep]) -> bool:
        """Whether none of the steps is known to be impossible."""
        return all(step.optional or step not in self.avoid for step in steps)

    def has_room(self, place: Thing, thing: Thing) -> bool:
        """Whether a thing could be put into or onto a place as it is, once that is open."""
        kind = place.kind
        if kind.holds and thing.type not in kind.holds:
            return False
        if kind.capacity and len(self.home.contents(place)) >= kind.capacity:
            return False
        if self.home.in_hand(place) or place.id in {other.id for other in self.home.contents_deep(thing)}:
            return False
        opened = msgspec.structs.replace(place, open=True) if is_shut(place) else place
        return find_spot(self.home, thing, opened) is not None

    def open_up(self, thing: Thing) -> Steps:
        """Open what a thing is shut in, the outermost first."""
        shut = [other for other in self.home.ancestors(thing) if is_shut(other)]
        return [step for other in reversed(shut) for step in self.unshut(other)]

    def unshut(self, place: Thing) -> Steps:
        """Open a place that is shut, after switching it off if it runs."""
        if not is_shut(place):
            return []
        running = [PlannedStep("ToggleOff", place.id)] if place.on and place.kind.closed_while_on else []
        return [*running, PlannedStep("Open", place.id)]

    def take(self, thing: Thing) -> Steps:
        """Steps to pick an object up and close what it was shut in, unless more is wanted from there."""
        held = self.home.held
        if held is not None and held.id == thing.id:
            return []
        steps = self.set_down(held) if held is not None else []
        opened = self.open_up(thing)
        shut = [step.thing for step in reversed(opened) if step.action == "Open"]
        done = [name for name in shut if not self._wanted_inside(name, thing)]
        closing = [PlannedStep("Close", name, optional=True) for name in done]
        return [*steps, *opened, PlannedStep("Pickup", thing.id), *closing]

    def _wanted_inside(self, place: str, but: Thing) -> bool:
        wished = {condition.thing for condition in self.conditions} - {but.id}
        return any(thing.id in wished for thing in self.home.contents_deep(self.thing(place)))

    def put(self, thing: Thing, place: Thing) -> Steps:
        """Put what is in the hand into or onto a place, which is opened if need be."""
        return [*self.open_up(place), *self.unshut(place), PlannedStep("Place", thing.id, place.id)]

    def set_down(self, thing: Thing, but: Thing | None = None) -> Steps:
        """Put what is in the hand where it belongs, if nothing else is amiss with it, or out of the way.

        Args:
            thing: What is in the hand.
            but: Where it must not be put.
        """
        amiss = [condition for condition in self.conditions if condition.thing == thing.id]
        if amiss and all(condition.property == INSIDE for condition in amiss):
            for place in self.sorted(self.thing(name) for name in amiss[0].places):
                steps = self.put(thing, place)
                if self.possible(steps) and self.has_room(place, thing):
                    return steps
        for place in self._surfaces():
            step = PlannedStep("Place", thing.id, place.id)
            if place is not but and step not in self.avoid and self.has_room(place, thing):
                return [step]
        return []

    def _surfaces(self) -> list[Thing]:
        """Open surfaces on which things can be left."""
        found = [
            thing
            for thing in self.home.things.values()
            if thing.can("receptacle")
            and not (thing.kind.can("pickup") or thing.kind.can("open") or thing.kind.holds)
            and thing.type not in (*BASINS, *LAST_PLACES, "Toilet", "GarbageCan")
        ]
        return [*self.sorted(found), *(place for kind in LAST_PLACES for place in self.of_types(kind))]

    def lay_out(self, thing: Thing) -> Steps:
        """Take a thing that is put away, in a fridge or on a shelf, to where one can work with it.

        Empty if it lies well already, was laid there before, or cannot be moved.
        """
        away = any(place.kind.can("open") or place.type == "Shelf" for place in self.home.ancestors(thing))
        if not away or self.touched(thing) or not thing.can("pickup"):
            return []
        steps = [*self.take(thing), *self.set_down(thing)]
        return steps if steps and steps[-1].action == "Place" and self.possible(steps) else []

    def move(self, thing: Thing, place: Thing) -> Steps:
        """Take a thing and put it somewhere, or make room there; empty if it cannot be done.

        A dish that is in the hand is put down first.
        """
        if self.home.in_hand(place) and place.id == self.home.agent.held:
            return self.set_down(place)
        if not self.has_room(place, thing):
            return self.clear(place)
        steps = [*self.take(thing), *self.put(thing, place)]
        return steps if self.possible(steps) else []

    def clear(self, place: Thing) -> Steps:
        """Take one thing that does not belong there out of a place, and leave it elsewhere.

        Empty if there is none to take.
        """
        wanted = {
            self.thing(condition.thing).type for condition in self.conditions if place.id in condition.places
        }
        for thing in self.sorted(self.home.contents(place)):
            belongs = thing.type in wanted or (wanted and self.touched(thing))
            if thing.can("pickup") and not belongs:
                steps = [*self.take(thing), *self.set_down(thing, but=place)]
                if steps and steps[-1].action == "Place" and self.possible(steps):
                    return steps
        return []
