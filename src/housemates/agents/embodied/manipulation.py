"""Manipulation of remembered objects: take, put, open, close, switch, slice and pour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from housemates.agents.embodied import outcome_parsing, pointing
from housemates.agents.embodied.locomotion import Routine
from housemates.agents.embodied.navigation import DOOR_M, Navigator
from housemates.agents.embodied.object_memory import TrackedObject
from housemates.agents.embodied.viewpoints import Viewpoint
from housemates.core.outcome import Outcome, Reason
from housemates.home.kinds import BASINS, surfaces
from housemates.home.types import object_type

SURFACES = surfaces()
"""Types on which an object is put down to free the hand, the preferred first."""
KEPT_OPEN = ("Microwave", "Box", "Laptop", "Book")
"""Types that are left open."""
TOO_LITTLE = (Reason.FULL, Reason.NO_ROOM, Reason.ROOM_TOO_FAR)
"""Reasons for which a place does not take an object that it could hold."""
NEAR_M = 0.04


@dataclass
class Stuck(Exception):
    """The agent cannot go on by itself.

    `kind`: `where` (it does not find something), `lost` (that is not where it was said to be), `reach`,
    `full`, `shut`, `blocked`, `dry` (there is nothing to pour) or `how` (it does not understand).
    """

    kind: str
    type: str
    """The type that the failure is about."""
    place: str = ""
    """The type of the intended destination."""


class Manipulator:
    """Object actions with their preconditions and recoveries; what fails for good raises `Stuck`."""

    def __init__(self, navigator: Navigator) -> None:
        self.navigator = navigator
        self.memory = navigator.memory

    @property
    def held(self) -> TrackedObject | None:
        """The object in the hand."""
        return self.memory.things.get(self.memory.held)

    def _in_hand(self, place: TrackedObject) -> TrackedObject:
        """The object in the hand; raises `Stuck` if it is empty, as after a misdetection."""
        if self.held is None:
            raise Stuck("reach", place.type)
        return self.held

    def _use(self, thing: TrackedObject) -> None:
        thing.last_used = self.memory.step

    def open(self, place: TrackedObject) -> Routine[None]:
        """Open a door, drawer or lid, switching it off first where that is needed."""
        if place.open:
            return
        if place.running:
            yield from self.switch(place, on=False)
        outcome = yield from self.navigator.touch("Open", place.key, DOOR_M, tries=3)
        if outcome.reason is Reason.UNREACHABLE:
            yield from self._shut_all_but(place.key)
            outcome = yield from self.navigator.touch("Open", place.key, DOOR_M, tries=2)
        if outcome.reason is Reason.TURN_OFF_FIRST:
            yield from self.switch(place, on=False)
            outcome = yield from self.navigator.touch("Open", place.key, DOOR_M)
        if not outcome.success and outcome.reason is not Reason.ALREADY:
            raise Stuck("shut", place.type)
        place.open = True
        self.navigator.map.forget_bumps()
        self.navigator.perceive(self.navigator.now)

    def close(self, place: TrackedObject) -> Routine[None]:
        """Close a door, drawer or lid."""
        outcome = yield from self.navigator.touch("Close", place.key, DOOR_M)
        if not outcome.success and outcome.reason is not Reason.ALREADY:
            raise Stuck("shut", place.type)
        self._shut(place)

    def _shut(self, place: TrackedObject) -> None:
        place.open = False
        self.navigator.map.forget(place.key)
        self.navigator.map.forget_bumps()

    def open_from_elsewhere(self, place: TrackedObject) -> Routine[None]:
        """Close a door that hides what is behind it, and open it again from another viewpoint."""
        here = Viewpoint(self.navigator.grid_pose, round(self.navigator.pose.horizon))
        yield from self.close(place)
        view = self.navigator.other_view(place, DOOR_M, [here])
        if view is not None:
            yield from self.navigator.walk(view.pose)
            yield from self.navigator.tilt(view.horizon)
        yield from self.open(place)

    def take(self, thing: TrackedObject) -> Routine[None]:
        """Pick an object up, opening what it is shut in and emptying the hand first."""
        if self.memory.held == thing.key:
            return
        if self.held is not None:
            yield from self.put_down()
        if not self.memory.perception.stable_ids:
            self.memory.rematch(thing)
        shut = self.memory.closed_container(thing)
        if shut is not None:
            yield from self.open(shut)
        outcome = yield from self._reach("Pickup", thing)
        if not outcome.success:
            self.memory.things.get(thing.key, thing).failed_actions.add("Pickup")
            raise Stuck("reach", thing.type)
        self.memory.held = thing.key
        thing.holder = ""
        self._use(thing)
        self.navigator.map.forget(thing.key)
        if shut is not None and shut.type not in KEPT_OPEN:
            yield from self.close_if_seen(shut)
        elif self.memory.perception.closes_doors:
            yield from self._shut_here()

    def _shut_here(self) -> Routine[None]:
        """Close open doors in view: from close by they block the way and are hard to detect."""
        ajar = [each for each in self.memory.things.values() if each.open and each.type not in KEPT_OPEN]
        for other in ajar:
            if other.key in self.navigator.seen:
                yield from self.close_if_seen(other)

    def _reach(self, name: str, thing: TrackedObject) -> Routine[Outcome]:
        """Do an object action; where no path leads to the object, close open doors and try again."""
        outcome = yield from self.navigator.touch(name, thing.key, tries=3)
        if outcome.reason is Reason.UNREACHABLE:
            yield from self._shut_all_but(thing.holder)
            holder = self.memory.things.get(thing.holder)
            if holder is not None:
                yield from self.search(holder, lambda: thing.key in self.navigator.seen)
            outcome = yield from self.navigator.touch(name, thing.key, tries=2)
        return outcome

    def _shut_all_but(self, key: str) -> Routine[None]:
        """Close every open door that may block the way."""
        thorough = self.memory.perception.closes_doors
        kept = () if thorough else KEPT_OPEN
        ajar = [each for each in self.memory.things.values() if each.open and each.type not in kept]
        for other in ajar:
            if other.key != key:
                yield from self.close_if_seen(other)
                if other.open and thorough and (yield from self.navigator.repeat("Close", other.key)):
                    self._shut(other)

    def search(self, place: TrackedObject, found: Callable[[], bool], sides: int = 3) -> Routine[bool]:
        """Look into a place from several sides until something is found; reopen doors from elsewhere."""
        if (yield from self.navigator.inspect(place.key, sides, found)):
            return True
        if sides > 1 and place.open and place.can("open") and not place.can("pickup"):
            yield from self.open_from_elsewhere(place)
            return (yield from self.navigator.inspect(place.key, 2, found))
        return False

    def close_if_seen(self, place: TrackedObject) -> Routine[None]:
        """Close a door that is in view and within reach."""
        click = pointing.on_thing(self.navigator.picture(), place.key, self.navigator.position)
        if click is not None:
            outcome = yield from self.navigator.click("Close", place.key, click)
            if outcome.success:
                self._shut(place)

    def put_down(self) -> Routine[None]:
        """Put what is in the hand on one of the nearest surfaces; raises `Stuck` if none takes it."""
        held = self.held
        if held is None:
            return
        for surface in self._surfaces(held)[:4]:
            outcome = yield from self.navigator.touch("Place", surface.key, surface=True, tries=2)
            if outcome.success or outcome_parsing.mistaken(outcome):
                self._let_go(held, surface)
                return
            if self.memory.perception.closes_doors and outcome.reason is Reason.UNREACHABLE:
                yield from self._shut_all_but("")
            surface.failed_actions.add(f"Place {held.type}")
        raise Stuck("full", held.type, "anywhere")

    def _surfaces(self, held: TrackedObject) -> list[TrackedObject]:
        x, _, z = self.navigator.position
        found = [
            each
            for each in self.memory.of(SURFACES)
            if f"Place {held.type}" not in each.failed_actions and each.key != held.key
        ]

        def badness(each: TrackedObject) -> float:
            away = float(np.hypot(each.points[:, 0] - x, each.points[:, 2] - z).min())
            return away + 0.3 * SURFACES.index(each.type)

        return sorted(found, key=badness)

    def _let_go(self, held: TrackedObject, place: TrackedObject) -> None:
        if self.memory.perception.trusted_types:
            self.memory.put_down(
                held, place.key, self.navigator.touched, self.navigator.embodiment.places_at_click
            )
        self._use(place)
        self._use(held)
        self.navigator.perceive(self.navigator.now)
        if held.key in self.memory.things:
            self.memory.things[held.key].holder = place.key

    def put(self, place: TrackedObject) -> Routine[None]:
        """Put what is in the hand on or into a place, which is opened or cleared if need be."""
        held = self._in_hand(place)
        if place.can("open") and not place.can("pickup"):
            yield from self.open(place)
        outcome = yield from self._place(place)
        if outcome.reason in (Reason.CLOSED, Reason.SHUT_IN):
            place.open = False
            yield from self.open(place)
            outcome = yield from self._place(place)
        if outcome_parsing.mistaken(outcome):
            self._let_go(held, place)
        if outcome.reason is Reason.FULL and (yield from self._make_room(held, place)):
            outcome = yield from self._place(place)
        if not outcome.success:
            place.failed_actions.add(f"Place {held.type}")
            raise Stuck("full" if outcome.reason in TOO_LITTLE else "reach", held.type, place.type)
        self._let_go(held, place)
        if place.open and place.type not in KEPT_OPEN:
            yield from self.close_if_seen(place)

    def _place(self, place: TrackedObject) -> Routine[Outcome]:
        kind = object_type(place.type)
        flat = not (kind.snaps or kind.can("pickup"))
        nearest = 0.0 if not place.open else 0.3
        outcome = yield from self.navigator.touch(
            "Place", place.key, nearest, surface=flat, tries=4 if flat else 2
        )
        return outcome

    def _make_room(self, held: TrackedObject, place: TrackedObject) -> Routine[bool]:
        """Take an object out of a full place; False if none is known to be there."""
        low, high = place.points.min(axis=0) - NEAR_M, place.points.max(axis=0) + NEAR_M
        inside = [
            each
            for each in self.memory.things.values()
            if each.can("pickup")
            and each.key != held.key
            and (each.holder == place.key or bool(((low < each.middle) & (each.middle < high)).all()))
        ]
        if not inside:
            return False
        yield from self.put_down()
        yield from self.take(inside[0])
        yield from self.put_down()
        yield from self.take(self.memory.things.get(held.key, held))
        return True

    def switch(self, thing: TrackedObject, on: bool) -> Routine[None]:
        """Turn something on or off; what has to be closed to run is closed."""
        kind = object_type(thing.type)
        if on and kind.closed_while_on and thing.open:
            yield from self.close(thing)
        outcome = yield from self._reach("ToggleOn" if on else "ToggleOff", thing)
        if outcome.reason is Reason.CLOSE_FIRST:
            thing.open = True
            yield from self.close(thing)
            outcome = yield from self.navigator.touch("ToggleOn", thing.key)
        if not outcome.success and outcome.reason is not Reason.ALREADY:
            raise Stuck("reach", thing.type)
        thing.running = on
        self._use(thing)
        if on:
            self._note_effects(thing)

    def _note_effects(self, machine: TrackedObject) -> None:
        """Update states that follow from a machine running: clean, filled, cooked."""
        for thing in self.memory.affected(machine):
            if machine.type == "Faucet":
                thing.clean, thing.water = True, thing.can("fill")
            elif object_type(machine.type).heats or machine.type == "StoveKnob":
                thing.cooked = True
            elif machine.type == "CoffeeMachine":
                thing.water = False

    def slice(self, thing: TrackedObject) -> Routine[None]:
        """Cut an object with the knife in the hand."""
        shut = self.memory.closed_container(thing)
        if shut is not None:
            yield from self.open(shut)
        before = set(self.memory.things)
        outcome = yield from self._reach("Slice", thing)
        if not outcome.success:
            thing.failed_actions.add("Slice")
            raise Stuck("reach", thing.type)
        self.memory.forget(thing.key)
        if not self.memory.perception.stable_ids:
            self.memory.add_slices(thing, outcome.data.get("pieces", 0))
        for key in set(self.memory.things) - before:
            self.memory.things[key].failed_actions.add("Slice")
            self.memory.things[key].holder = thing.holder

    def pour(self, place: TrackedObject) -> Routine[None]:
        """Pour what is in the hand into something."""
        held = self._in_hand(place)
        outcome = yield from self.navigator.touch("Pour", place.key)
        if outcome.reason is Reason.NOTHING_TO_POUR:
            if place.type in BASINS:
                return
            raise Stuck("dry", held.type)
        if not outcome.success:
            raise Stuck("reach", place.type)
        held.water = False
        self._use(place)
