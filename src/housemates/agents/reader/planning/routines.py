"""Chores: what one does with things in a home, each tried in another way where one does not work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache

import numpy as np

from housemates.agents.embodied.locomotion import Doing
from housemates.agents.embodied.manipulation import SURFACES, Hands, Stuck
from housemates.agents.embodied.object_memory import Seen
from housemates.agents.embodied.semantics import Phrase
from housemates.agents.reader.planning.object_search import Seeker
from housemates.home.kinds import KNIVES
from housemates.home.recipes import BREWING, COOLING, FRYING, MICROWAVING, TOASTING, WASHING
from housemates.home.types import object_type, object_types

Types = tuple[str, ...]
SINK = (WASHING.at,)
TRIES, HAZY_TRIES = 3, 6
"""How many things of a kind are tried before one gives up; the same where eyes may err."""


class Chores:
    """Does chores with hands, and looks for what they need."""

    def __init__(self, hands: Hands, seeker: Seeker) -> None:
        self.hands = hands
        self.seeker = seeker
        self.memory = hands.memory
        self.body = hands.body

    def find(self, types: Types, avoid: Sequence[str] = ()) -> Doing[Seen]:
        """A thing of one of these types, the first of them rather than the last."""
        return (yield from self.seeker.find(Phrase(types, types[0]), avoid))

    def take(self, types: Types, avoid: Sequence[str] = ()) -> Doing[Seen]:
        """Get one of these into the hand."""
        held = self.hands.held
        if held is not None and held.type in types and held.key not in avoid:
            return held
        tries = HAZY_TRIES if self.memory.hazy else TRIES
        return (yield from self._one_of(types, avoid, self.hands.take, tries))

    def bring(self, thing: Seen, types: Types, avoid: Sequence[str] = ()) -> Doing[Seen]:
        """Put a thing on or into one of these; returns where it went."""

        def put(place: Seen) -> Doing[None]:
            yield from self.hands.take(thing)
            yield from self.hands.put(place)

        if self.memory.hazy:
            yield from self.hands.take(thing)
        return (yield from self._one_of(types, [*avoid, thing.key], put))

    def _one_of(
        self, types: Types, avoid: Sequence[str], use: Callable[[Seen], Doing[None]], tries: int = TRIES
    ) -> Doing[Seen]:
        """Do something with one of some types; where it does not work, with another one."""
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

    def wash(self, thing: Seen) -> Doing[None]:
        """Hold a thing under running water and leave it in the sink."""
        if thing.clean:
            return
        sink = yield from self.find(SINK)
        yield from self._into(thing, sink)
        yield from self._run_water(thing, sink)
        thing.clean = True

    def _into(self, thing: Seen, place: Seen) -> Doing[None]:
        """Put a thing into a place, which is cleared if there is no room."""
        yield from self.hands.take(thing)
        try:
            yield from self.hands.put(place)
        except Stuck:
            if not (yield from self.clear(place, thing)):
                raise
            yield from self.hands.take(thing)
            yield from self.hands.put(place)

    def clear(self, place: Seen, but: Seen) -> Doing[bool]:
        """Take out what is in the way; False if nothing was."""
        rest = [
            each for each in self.memory.contents(place.key) if each.can("pickup") and each.key != but.key
        ]
        if not rest:
            return False
        yield from self.hands.put_down()
        for each in rest[:TRIES]:
            yield from self.hands.take(each)
            yield from self.hands.put_down()
        return True

    def _run_water(self, thing: Seen, sink: Seen) -> Doing[None]:
        """Turn the faucet over a sink on and off, with the thing in sight."""
        if not self.memory.of((WASHING.switch,)):
            yield from self.find((WASHING.switch,))
        faucets = sorted(self.memory.of((WASHING.switch,)), key=lambda each: _apart(each, sink))
        trouble: Stuck | None = None
        for faucet in faucets[:2]:
            try:
                yield from self.hands.switch(faucet, on=True)
                if thing.key not in self.body.seen:
                    yield from self.body.approach(thing.key)
                    yield from self._tap(faucet)
                yield from self.hands.switch(faucet, on=False)
                return
            except Stuck as error:
                trouble = error
        raise trouble or Stuck("where", WASHING.switch)

    def _tap(self, faucet: Seen) -> Doing[None]:
        """Turn a faucet off and on again from where one stands, if it is in reach."""
        for on in (False, True):
            try:
                yield from self.hands.switch(faucet, on=on)
            except Stuck:
                return

    def pieces(self, kind: str) -> Doing[list[Seen]]:
        """Slices of a kind of food; a whole one is cut if there are none."""
        cut = (object_type(kind).slice_type,)
        if not self._loose(cut):
            yield from self.cut(kind)
        return self._loose(cut)

    def _loose(self, types: Types) -> list[Seen]:
        return [each for each in self.memory.of(types) if "Pickup" not in each.spoiled]

    def cut(self, kind: str) -> Doing[None]:
        """Slice one of a kind with a knife, out in the open."""
        yield from self._one_of((kind,), [], self._slice)

    def _slice(self, thing: Seen) -> Doing[None]:
        if "Slice" in thing.spoiled:
            raise Stuck("reach", thing.type)
        holder = self.memory.things.get(thing.holder)
        if self.memory.held == thing.key:
            yield from self.hands.put_down()
        elif holder is not None and holder.type not in SURFACES:
            yield from self.hands.take(thing)
            yield from self.hands.put_down()
        yield from self.take(KNIVES)
        yield from self.hands.slice(thing)

    def heat(self, things: Sequence[Seen]) -> Doing[None]:
        """Cook things in a microwave, or in a pan on a stove."""
        if all(each.cooked for each in things):
            return
        try:
            yield from self.microwave(things)
        except Stuck:
            yield from self.fry(things)

    def microwave(self, things: Sequence[Seen]) -> Doing[None]:
        """Put things into a microwave and let it run."""
        oven = yield from self.find((MICROWAVING.at,))
        for thing in things:
            yield from self._into(thing, oven)
        yield from self._run(oven)
        for thing in things:
            thing.cooked = True

    def fry(self, things: Sequence[Seen]) -> Doing[None]:
        """Put things into a pan on the stove."""
        pan = yield from self.on_stove(FRYING.vessels)
        for thing in things:
            yield from self._into(thing, pan)
        yield from self.stove()
        for thing in things:
            thing.cooked = True

    def on_stove(self, types: Types) -> Doing[Seen]:
        """A vessel that stands on a burner."""
        for vessel in self.memory.of(types):
            holder = self.memory.things.get(vessel.holder)
            if holder is not None and holder.type == FRYING.at:
                return vessel
        vessel = yield from self.find(types)
        yield from self.bring(vessel, (FRYING.at,))
        return vessel

    def stove(self) -> Doing[None]:
        """Turn all knobs on, and off again."""
        yield from self.find((FRYING.switch,))
        worked = False
        for on in (True, False):
            for knob in self.memory.of((FRYING.switch,)):
                try:
                    yield from self.hands.switch(knob, on=on)
                    worked = True
                except Stuck:
                    continue
        if not worked:
            raise Stuck("reach", FRYING.switch)

    def toast(self, thing: Seen) -> Doing[None]:
        """Toast a slice of bread."""
        if thing.cooked:
            return
        try:
            toaster = yield from self.find((TOASTING.at,))
            yield from self._into(thing, toaster)
            yield from self._run(toaster)
            thing.cooked = True
        except Stuck:
            yield from self.heat([thing])

    def _run(self, machine: Seen) -> Doing[None]:
        yield from self.hands.switch(machine, on=True)
        yield from self.hands.switch(machine, on=False)

    def cool(self, thing: Seen) -> Doing[None]:
        """Put a thing into the fridge for a moment, and take it out again."""
        fridge = yield from self.find((COOLING.at,))
        yield from self._into(thing, fridge)
        if fridge.open:
            yield from self.hands.close(fridge)
        yield from self.hands.take(thing)

    def brew(self) -> Doing[Seen]:
        """Coffee in a clean mug, which stays in the machine."""
        return (yield from self._one_of(BREWING.vessels, [], self._brew))

    def _brew(self, mug: Seen) -> Doing[None]:
        yield from self.wash(mug)
        yield from self.hands.take(mug)
        with suppress(Stuck):
            yield from self.pour_out(mug)
        machine = yield from self.find((BREWING.at,))
        yield from self._into(mug, machine)
        yield from self.hands.switch(machine, on=True)

    def pour_out(self, thing: Seen) -> Doing[None]:
        """Empty a thing into the sink."""
        yield from self.hands.take(thing)
        sink = yield from self.find(SINK)
        yield from self.hands.pour(sink)

    def fill(self, types: Types) -> Doing[Seen]:
        """A vessel full of water, in the hand."""

        def water(vessel: Seen) -> Doing[None]:
            sink = yield from self.find(SINK)
            yield from self._into(vessel, sink)
            yield from self._run_water(vessel, sink)
            yield from self.hands.take(vessel)
            vessel.water = True

        return (yield from self._one_of(types, [], water))

    def near(self, types: Types) -> list[Seen]:
        """The known things of some types, the nearest first."""
        x, _, z = self.body.position
        known = self._loose(types) if self.memory.hazy else self.memory.of(types)
        return sorted(known, key=lambda each: float(np.hypot(each.middle[0] - x, each.middle[2] - z)))


def _apart(one: Seen, other: Seen) -> float:
    return float(np.linalg.norm(one.middle - other.middle))


@cache
def whole_of(kind: str) -> str:
    """What a piece is cut from; the type itself if it is no piece."""
    return next((name for name, each in object_types().items() if each.slice_type == kind), kind)
