"""Routines: household skills composed of manipulation and search, each with fallbacks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache

import numpy as np

from housemates.agents.embodied.locomotion import Routine
from housemates.agents.embodied.manipulation import SURFACES, Manipulator, Stuck
from housemates.agents.embodied.object_memory import TrackedObject
from housemates.agents.embodied.semantics import NounPhrase
from housemates.agents.reader.planning.object_search import ObjectSearch
from housemates.home.kinds import KNIVES
from housemates.home.recipes import BREWING, COOLING, FRYING, MICROWAVING, TOASTING, WASHING
from housemates.home.types import object_type, object_types

Types = tuple[str, ...]
SINK = (WASHING.at,)
TRIES = 3
"""Objects of a type that are tried where perception sets no other number."""


class Routines:
    """Household skills; what cannot be done raises `Stuck`."""

    def __init__(self, manipulator: Manipulator, object_search: ObjectSearch) -> None:
        self.manipulator = manipulator
        self.object_search = object_search
        self.memory = manipulator.memory
        self.navigator = manipulator.navigator

    def find(self, types: Types, avoid: Sequence[str] = ()) -> Routine[TrackedObject]:
        """An object of one of these types, earlier types preferred."""
        return (yield from self.object_search.find(NounPhrase(types, types[0]), avoid))

    def take(self, types: Types, avoid: Sequence[str] = ()) -> Routine[TrackedObject]:
        """Take an object of one of these types."""
        held = self.manipulator.held
        if held is not None and held.type in types and held.key not in avoid:
            return held
        tries = self.memory.perception.object_tries
        return (yield from self._one_of(types, avoid, self.manipulator.take, tries))

    def bring(self, thing: TrackedObject, types: Types, avoid: Sequence[str] = ()) -> Routine[TrackedObject]:
        """Put an object on or into one of these; returns the place."""

        def put(place: TrackedObject) -> Routine[None]:
            yield from self.manipulator.take(thing)
            yield from self.manipulator.put(place)

        if not self.memory.perception.stable_ids:
            yield from self.manipulator.take(thing)
        return (yield from self._one_of(types, [*avoid, thing.key], put))

    def _one_of(
        self,
        types: Types,
        avoid: Sequence[str],
        use: Callable[[TrackedObject], Routine[None]],
        tries: int = TRIES,
    ) -> Routine[TrackedObject]:
        """Do something with an object of these types; after a failure, with another one."""
        vain: list[str] = []
        while True:
            thing = yield from self.find(types, [*avoid, *vain])
            try:
                yield from use(thing)
                return thing
            except Stuck:
                vain.append(thing.key)
                if len(vain) >= tries:
                    raise

    def wash(self, thing: TrackedObject) -> Routine[None]:
        """Rinse an object, and leave it in the basin."""
        if thing.clean:
            return
        sink = yield from self.find(SINK)
        yield from self._into(thing, sink)
        yield from self._run_water(thing, sink)
        thing.clean = True

    def _into(self, thing: TrackedObject, place: TrackedObject) -> Routine[None]:
        """Put an object into a place, which is cleared if there is no room."""
        yield from self.manipulator.take(thing)
        try:
            yield from self.manipulator.put(place)
        except Stuck:
            if not (yield from self.clear(place, thing)):
                raise
            yield from self.manipulator.take(thing)
            yield from self.manipulator.put(place)

    def clear(self, place: TrackedObject, but: TrackedObject) -> Routine[bool]:
        """Take out what is in a place; False if nothing was."""
        rest = [
            each for each in self.memory.contents(place.key) if each.can("pickup") and each.key != but.key
        ]
        if not rest:
            return False
        yield from self.manipulator.put_down()
        for each in rest[:TRIES]:
            yield from self.manipulator.take(each)
            yield from self.manipulator.put_down()
        return True

    def _run_water(self, thing: TrackedObject, sink: TrackedObject) -> Routine[None]:
        """Turn the faucet of a basin on and off with the object in view."""
        if not self.memory.of((WASHING.switch,)):
            yield from self.find((WASHING.switch,))
        faucets = sorted(self.memory.of((WASHING.switch,)), key=lambda each: _apart(each, sink))
        trouble: Stuck | None = None
        for faucet in faucets[:2]:
            try:
                yield from self.manipulator.switch(faucet, on=True)
                if thing.key not in self.navigator.seen:
                    yield from self.navigator.approach(thing.key)
                    yield from self._tap(faucet)
                yield from self.manipulator.switch(faucet, on=False)
                return
            except Stuck as error:
                trouble = error
        raise trouble or Stuck("where", WASHING.switch)

    def _tap(self, faucet: TrackedObject) -> Routine[None]:
        """Turn a faucet off and on again from here, if it is within reach."""
        for on in (False, True):
            try:
                yield from self.manipulator.switch(faucet, on=on)
            except Stuck:
                return

    def pieces(self, kind: str) -> Routine[list[TrackedObject]]:
        """Slices of a type of food, cut from a whole one if there are none."""
        cut = (object_type(kind).slice_type,)
        if not self._loose(cut):
            yield from self.cut(kind)
        return self._loose(cut)

    def _loose(self, types: Types) -> list[TrackedObject]:
        return [each for each in self.memory.of(types) if "Pickup" not in each.failed_actions]

    def cut(self, kind: str) -> Routine[None]:
        """Slice an object of a type on an open surface."""
        yield from self._one_of((kind,), [], self._slice)

    def _slice(self, thing: TrackedObject) -> Routine[None]:
        if "Slice" in thing.failed_actions:
            raise Stuck("reach", thing.type)
        holder = self.memory.things.get(thing.holder)
        if self.memory.held == thing.key:
            yield from self.manipulator.put_down()
        elif holder is not None and holder.type not in SURFACES:
            yield from self.manipulator.take(thing)
            yield from self.manipulator.put_down()
        yield from self.take(KNIVES)
        yield from self.manipulator.slice(thing)

    def heat(self, things: Sequence[TrackedObject]) -> Routine[None]:
        """Cook objects in a microwave, or else in a pan."""
        if all(each.cooked for each in things):
            return
        try:
            yield from self.microwave(things)
        except Stuck:
            yield from self.fry(things)

    def microwave(self, things: Sequence[TrackedObject]) -> Routine[None]:
        """Put objects into a microwave and run it."""
        oven = yield from self.find((MICROWAVING.at,))
        for thing in things:
            yield from self._into(thing, oven)
        yield from self._run(oven)
        for thing in things:
            thing.cooked = True

    def fry(self, things: Sequence[TrackedObject]) -> Routine[None]:
        """Put objects into a pan on the stove and heat it."""
        pan = yield from self.on_stove(FRYING.vessels)
        for thing in things:
            yield from self._into(thing, pan)
        yield from self.stove()
        for thing in things:
            thing.cooked = True

    def on_stove(self, types: Types) -> Routine[TrackedObject]:
        """A vessel of one of these types on a burner, put there if need be."""
        for vessel in self.memory.of(types):
            holder = self.memory.things.get(vessel.holder)
            if holder is not None and holder.type == FRYING.at:
                return vessel
        vessel = yield from self.find(types)
        yield from self.bring(vessel, (FRYING.at,))
        return vessel

    def stove(self) -> Routine[None]:
        """Turn every knob on and off again; raises `Stuck` if none works."""
        yield from self.find((FRYING.switch,))
        worked = False
        for on in (True, False):
            for knob in self.memory.of((FRYING.switch,)):
                try:
                    yield from self.manipulator.switch(knob, on=on)
                    worked = True
                except Stuck:
                    continue
        if not worked:
            raise Stuck("reach", FRYING.switch)

    def toast(self, thing: TrackedObject) -> Routine[None]:
        """Toast a slice of bread, or else cook it."""
        if thing.cooked:
            return
        try:
            toaster = yield from self.find((TOASTING.at,))
            yield from self._into(thing, toaster)
            yield from self._run(toaster)
            thing.cooked = True
        except Stuck:
            yield from self.heat([thing])

    def _run(self, machine: TrackedObject) -> Routine[None]:
        yield from self.manipulator.switch(machine, on=True)
        yield from self.manipulator.switch(machine, on=False)

    def cool(self, thing: TrackedObject) -> Routine[None]:
        """Put an object into the fridge and take it out again."""
        fridge = yield from self.find((COOLING.at,))
        yield from self._into(thing, fridge)
        if fridge.open:
            yield from self.manipulator.close(fridge)
        yield from self.manipulator.take(thing)

    def brew(self) -> Routine[TrackedObject]:
        """Coffee in a clean mug; returns the mug, which stays in the machine."""
        return (yield from self._one_of(BREWING.vessels, [], self._brew))

    def _brew(self, mug: TrackedObject) -> Routine[None]:
        yield from self.wash(mug)
        yield from self.manipulator.take(mug)
        with suppress(Stuck):
            yield from self.pour_out(mug)
        machine = yield from self.find((BREWING.at,))
        yield from self._into(mug, machine)
        yield from self.manipulator.switch(machine, on=True)

    def pour_out(self, thing: TrackedObject) -> Routine[None]:
        """Empty an object into the sink."""
        yield from self.manipulator.take(thing)
        sink = yield from self.find(SINK)
        yield from self.manipulator.pour(sink)

    def fill(self, types: Types) -> Routine[TrackedObject]:
        """A vessel of one of these types full of water, in the hand."""

        def water(vessel: TrackedObject) -> Routine[None]:
            sink = yield from self.find(SINK)
            yield from self._into(vessel, sink)
            yield from self._run_water(vessel, sink)
            yield from self.manipulator.take(vessel)
            vessel.water = True

        return (yield from self._one_of(types, [], water))

    def near(self, types: Types) -> list[TrackedObject]:
        """Known objects of these types, the nearest first."""
        x, _, z = self.navigator.position
        known = self.memory.of(types) if self.memory.perception.trusted_types else self._loose(types)
        return sorted(known, key=lambda each: float(np.hypot(each.middle[0] - x, each.middle[2] - z)))


def _apart(one: TrackedObject, other: TrackedObject) -> float:
    return float(np.linalg.norm(one.middle - other.middle))


@cache
@cache
def whole_of(kind: str) -> str:
    """The type that a slice is cut from; the type itself if it is no slice."""
    return next((name for name, each in object_types().items() if each.slice_type == kind), kind)
