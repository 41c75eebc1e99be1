"""What the Follower can do with its hands: take, put, open, switch, slice and pour things it knows of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from housemates.agents.embodied import outcome_parsing, pointing
from housemates.agents.embodied.locomotion import Doing
from housemates.agents.embodied.navigation import DOOR_M, Body
from housemates.agents.embodied.object_memory import Seen
from housemates.agents.embodied.viewpoints import View
from housemates.core.outcome import Outcome, Reason
from housemates.home.kinds import BASINS, surfaces
from housemates.home.types import object_type

SURFACES = surfaces()
"""Where things are put down that are in the way, the likeliest first."""
KEPT_OPEN = ("Microwave", "Box", "Laptop", "Book")
"""What is not closed again unbidden."""
TOO_LITTLE = (Reason.FULL, Reason.NO_ROOM, Reason.ROOM_TOO_FAR)
"""Why a place does not take what is in the hand though it could hold it."""
NEAR_M = 0.04


@dataclass
class Stuck(Exception):
    """The Follower cannot go on by itself.

    `kind`: `where` (it does not find something), `lost` (that is not where it was said to be), `reach`,
    `full`, `shut`, `blocked`, `dry` (there is nothing to pour) or `how` (it does not understand).
    """

    kind: str
    type: str
    """What it is about."""
    place: str = ""
    """The type of where it should go."""


class Hands:
    """Handling of things that are remembered."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.memory = body.memory

    @property
    def held(self) -> Seen | None:
        """What is in the hand."""
        return self.memory.things.get(self.memory.held)

    def _in_hand(self, place: Seen) -> Seen:
        """What is in the hand and meant for a place; by own eyes it may be something that was never there."""
        if self.held is None:
            raise Stuck("reach", place.type)
        return self.held

    def _use(self, thing: Seen) -> None:
        thing.used = self.memory.step

    def open(self, place: Seen) -> Doing[None]:
        """Open a door, drawer or lid."""
        if place.open:
            return
        if place.running:
            yield from self.switch(place, on=False)
        outcome = yield from self.body.touch("Open", place.key, DOOR_M, tries=3)
        if outcome.reason is Reason.UNREACHABLE:
            yield from self._shut_all_but(place.key)
            outcome = yield from self.body.touch("Open", place.key, DOOR_M, tries=2)
        if outcome.reason is Reason.TURN_OFF_FIRST:
            yield from self.switch(place, on=False)
            outcome = yield from self.body.touch("Open", place.key, DOOR_M)
        if not outcome.success and outcome.reason is not Reason.ALREADY:
            raise Stuck("shut", place.type)
        place.open = True
        self.body.map.forgive()
        self.body.perceive(self.body.now)

    def close(self, place: Seen) -> Doing[None]:
        """Close it again."""
        outcome = yield from self.body.touch("Close", place.key, DOOR_M)
        if not outcome.success and outcome.reason is not Reason.ALREADY:
            raise Stuck("shut", place.type)
        self._shut(place)

    def _shut(self, place: Seen) -> None:
        place.open = False
        self.body.map.forget(place.key)
        self.body.map.forgive()

    def open_from_elsewhere(self, place: Seen) -> Doing[None]:
        """Close a door that hides what is behind it, and open it again from another side."""
        here = View(self.body.stand, round(self.body.pose.horizon))
        yield from self.close(place)
        view = self.body.other_view(place, DOOR_M, [here])
        if view is not None:
            yield from self.body.walk(view.stand)
            yield from self.body.tilt(view.horizon)
        yield from self.open(place)

    def take(self, thing: Seen) -> Doing[None]:
        """Get a thing into the hand, from where it is shut in if need be."""
        if self.memory.held == thing.key:
            return
        if self.held is not None:
            yield from self.put_down()
        if self.memory.hazy:
            self.memory.recall(thing)
        shut = self.memory.inside(thing)
        if shut is not None:
            yield from self.open(shut)
        outcome = yield from self._reach("Pickup", thing)
        if not outcome.success:
            self.memory.things.get(thing.key, thing).spoiled.add("Pickup")
            raise Stuck("reach", thing.type)
        self.memory.held = thing.key
        thing.holder = ""
        self._use(thing)
        self.body.map.forget(thing.key)
        if shut is not None and shut.type not in KEPT_OPEN:
            yield from self.close_if_seen(shut)
        elif self.memory.hazy:
            yield from self._shut_here()

    def _shut_here(self) -> Doing[None]:
        """Close a door that one stands before: it would be in the way, and eyes hardly see it there."""
        ajar = [each for each in self.memory.things.values() if each.open and each.type not in KEPT_OPEN]
        for other in ajar:
            if other.key in self.body.seen:
                yield from self.close_if_seen(other)

    def _reach(self, name: str, thing: Seen) -> Doing[Outcome]:
        """Do something with a thing; where no way leads to it, close what stands open and try again."""
        outcome = yield from self.body.touch(name, thing.key, tries=3)
        if outcome.reason is Reason.UNREACHABLE:
            yield from self._shut_all_but(thing.holder)
            holder = self.memory.things.get(thing.holder)
            if holder is not None:
                yield from self.search(holder, lambda: thing.key in self.body.seen)
            outcome = yield from self.body.touch(name, thing.key, tries=2)
        return outcome

    def _shut_all_but(self, key: str) -> Doing[None]:
        """Close what stands open and may be in the way."""
        kept = () if self.memory.hazy else KEPT_OPEN
        ajar = [each for each in self.memory.things.values() if each.open and each.type not in kept]
        for other in ajar:
            if other.key != key:
                yield from self.close_if_seen(other)
                if other.open and self.memory.hazy and (yield from self.body.repeat("Close", other.key)):
                    self._shut(other)

    def search(self, place: Seen, found: Callable[[], bool], sides: int = 3) -> Doing[bool]:
        """Look into a place from several sides; a door that may hide something is opened from elsewhere."""
        if (yield from self.body.inspect(place.key, sides, found)):
            return True
        if sides > 1 and place.open and place.can("open") and not place.can("pickup"):
            yield from self.open_from_elsewhere(place)
            return (yield from self.body.inspect(place.key, 2, found))
        return False

    def close_if_seen(self, place: Seen) -> Doing[None]:
        """Close a door again that is in the picture and in reach."""
        click = pointing.on_thing(self.body.picture(), place.key, self.body.position)
        if click is not None:
            outcome = yield from self.body.click("Close", place.key, click)
            if outcome.success:
                self._shut(place)

    def put_down(self) -> Doing[None]:
        """Leave what is in the hand on some surface."""
        held = self.held
        if held is None:
            return
        for surface in self._surfaces(held)[:4]:
            outcome = yield from self.body.touch("Place", surface.key, surface=True, tries=2)
            if outcome.success or outcome_parsing.mistaken(outcome):
                self._let_go(held, surface)
                return
            if self.memory.hazy and outcome.reason is Reason.UNREACHABLE:
                yield from self._shut_all_but("")
            surface.spoiled.add(f"Place {held.type}")
        raise Stuck("full", held.type, "anywhere")

    def _surfaces(self, held: Seen) -> list[Seen]:
        x, _, z = self.body.position
        found = [
            each
            for each in self.memory.of(SURFACES)
            if f"Place {held.type}" not in each.spoiled and each.key != held.key
        ]

        def badness(each: Seen) -> float:
            away = float(np.hypot(each.points[:, 0] - x, each.points[:, 2] - z).min())
            return away + 0.3 * SURFACES.index(each.type)

        return sorted(found, key=badness)

    def _let_go(self, held: Seen, place: Seen) -> None:
        if not self.memory.hazy:
            self.memory.lay(held, place.key, self.body.touched, self.body.senses.exact)
        self._use(place)
        self._use(held)
        self.body.perceive(self.body.now)
        if held.key in self.memory.things:
            self.memory.things[held.key].holder = place.key

    def put(self, place: Seen) -> Doing[None]:
        """Put what is in the hand on or into a place."""
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
            place.spoiled.add(f"Place {held.type}")
            raise Stuck("full" if outcome.reason in TOO_LITTLE else "reach", held.type, place.type)
        self._let_go(held, place)
        if place.open and place.type not in KEPT_OPEN:
            yield from self.close_if_seen(place)

    def _place(self, place: Seen) -> Doing[Outcome]:
        kind = object_type(place.type)
        flat = not (kind.snaps or kind.can("pickup"))
        nearest = 0.0 if not place.open else 0.3
        outcome = yield from self.body.touch(
            "Place", place.key, nearest, surface=flat, tries=4 if flat else 2
        )
        return outcome

    def _make_room(self, held: Seen, place: Seen) -> Doing[bool]:
        """Take out what is in a machine already; False if nothing is known to be there."""
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

    def switch(self, thing: Seen, on: bool) -> Doing[None]:
        """Turn something on or off; what has to be closed to run is closed."""
        kind = object_type(thing.type)
        if on and kind.closed_while_on and thing.open:
            yield from self.close(thing)
        outcome = yield from self._reach("ToggleOn" if on else "ToggleOff", thing)
        if outcome.reason is Reason.CLOSE_FIRST:
            thing.open = True
            yield from self.close(thing)
            outcome = yield from self.body.touch("ToggleOn", thing.key)
        if not outcome.success and outcome.reason is not Reason.ALREADY:
            raise Stuck("reach", thing.type)
        thing.running = on
        self._use(thing)
        if on:
            self._note_effects(thing)

    def _note_effects(self, machine: Seen) -> None:
        """Remember what a machine that runs does to what is in it."""
        if machine.type == "Faucet":
            for basin in self.memory.of(BASINS):
                for thing in self.memory.contents(basin.key):
                    thing.clean, thing.water = True, thing.can("fill")
        elif object_type(machine.type).heats or machine.type == "StoveKnob":
            for thing in self.memory.things.values():
                if self._is_in(thing, machine):
                    thing.cooked = True
        elif machine.type == "CoffeeMachine":
            for thing in self.memory.contents(machine.key):
                thing.water = False

    def _is_in(self, thing: Seen, machine: Seen) -> bool:
        key = thing.holder
        for _ in range(5):
            holder = self.memory.things.get(key)
            if holder is None:
                return False
            if holder.key == machine.key or (machine.type == "StoveKnob" and holder.type == "StoveBurner"):
                return True
            key = holder.holder
        return False

    def slice(self, thing: Seen) -> Doing[None]:
        """Cut a thing with the knife in the hand."""
        shut = self.memory.inside(thing)
        if shut is not None:
            yield from self.open(shut)
        before = set(self.memory.things)
        outcome = yield from self._reach("Slice", thing)
        if not outcome.success:
            thing.spoiled.add("Slice")
            raise Stuck("reach", thing.type)
        self.memory.forget(thing.key)
        if self.memory.hazy:
            self.memory.heap(thing, outcome.data.get("pieces", 0))
        for key in set(self.memory.things) - before:
            self.memory.things[key].spoiled.add("Slice")
            self.memory.things[key].holder = thing.holder

    def pour(self, place: Seen) -> Doing[None]:
        """Pour what is in the hand into something."""
        held = self._in_hand(place)
        outcome = yield from self.body.touch("Pour", place.key)
        if outcome.reason is Reason.NOTHING_TO_POUR:
            if place.type in BASINS:
                return
            raise Stuck("dry", held.type)
        if not outcome.success:
            raise Stuck("reach", place.type)
        held.water = False
        self._use(place)
