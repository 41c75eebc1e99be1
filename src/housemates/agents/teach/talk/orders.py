"""Order execution: simple orders by manipulation, others expanded by the recipes of the home."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from housemates.agents.embodied.grounding import Grounding, basins, wholes
from housemates.agents.embodied.locomotion import Routine
from housemates.agents.embodied.manipulation import Manipulator, Stuck
from housemates.agents.embodied.object_memory import TrackedObject
from housemates.agents.embodied.semantics import ALL, Location, NounPhrase, Order
from housemates.agents.teach.talk.parsing import THEMELESS, parse
from housemates.home.kinds import BASINS, KNIVES
from housemates.home.recipes import FRYING, MICROWAVING, TOASTING, WASHING, recipes
from housemates.home.types import object_types

TRIES = 2
"""Places of a type that are tried for pouring."""
MOST = 12
"""How many things `all of them` may be."""
KNIFE = NounPhrase(KNIVES, "knife")
SINK = Location("in", NounPhrase((WASHING.at,), "sink"))
HEATING = (MICROWAVING, TOASTING, FRYING)
HOT = {kind for way in HEATING for kind in (way.at, *way.vessels)}


class OrderExecutor:
    """Carries out one order at a time; what cannot be done raises `Stuck`."""

    def __init__(self, manipulator: Manipulator, grounding: Grounding) -> None:
        self.manipulator = manipulator
        self.grounding = grounding
        self.memory = manipulator.memory
        self.last: NounPhrase | None = None
        """The antecedent of `it`."""
        self.last_keys: list[str] = []

    def carry_out(self, order: Order) -> Routine[list[Order]]:
        """Carry an order out; returns the orders that have to be done instead, if it expands."""
        order = self._resolved(order)
        if order.theme is not None and order.theme.types:
            self.last = order.theme
        simple = SIMPLE.get(order.verb)
        if simple is None:
            return (yield from self.expand(order))
        yield from simple(self, order)
        return []

    def _resolved(self, order: Order) -> Order:
        """The order with pronouns resolved; raises `Stuck` if one has no antecedent."""
        theme, goal = order.theme, order.goal
        if theme is not None:
            theme = self._meant(theme)
            theme = replace(theme, places=tuple(each for each in map(self._there_is, theme.places) if each))
        if goal is not None:
            goal = self._there_is(goal)
            if goal is None:
                raise Stuck("how", "")
        if theme is not None and not theme.types and not theme.words and order.verb not in THEMELESS:
            raise Stuck("how", "")
        return replace(order, theme=theme, goal=goal)

    def _meant(self, phrase: NounPhrase) -> NounPhrase:
        if not phrase.refers_back or phrase.words or self.last is None:
            return phrase
        if "sliced" in phrase.traits:
            kinds = tuple(object_types()[each].slice_type or each for each in self.last.types)
            return replace(phrase, types=tuple(dict.fromkeys(kinds)), words=self.last.words)
        count = self.last.count if phrase.plural else 1
        return replace(self.last, count=count, places=phrase.places, plural=phrase.plural)

    def _there_is(self, place: Location) -> Location | None:
        """A location with its pronoun resolved; None if it has no antecedent."""
        if place.anchor is None:
            return place
        anchor = self._meant(place.anchor)
        return replace(place, anchor=anchor) if anchor.types else None

    def expand(self, order: Order) -> Routine[list[Order]]:
        """The orders that a complex one expands to."""
        theme = order.theme
        name = order.verb
        if order.verb == "make" and theme is not None:
            if theme.types:
                return self._made(order)
            name = theme.words
        ways = recipes().get(name)
        if ways is None:
            raise Stuck("how", "")
        if theme is not None and theme.count == ALL and theme.types:
            yield from self.grounding.find(theme)
            return [
                replace(order, theme=replace(theme, count=1, traits=theme.traits | {each.key}))
                for each in self._all(theme)
            ]
        way = next((each for each in ways if self._has(each.needs)), ways[0])
        times = theme.count if theme is not None and way.each else 1
        count = 1 if way.each or theme is None else theme.count
        steps = [step for _ in range(times) for step in self._steps(way.steps, theme, count)]
        return [*steps, *self._dish(order, name)]

    def _made(self, order: Order) -> list[Order]:
        """`make a slice of tomato`."""
        theme = order.theme
        assert theme is not None
        if "sliced" in theme.traits:
            return [Order("slice", replace(theme, types=wholes(theme.types) or theme.types, count=1))]
        raise Stuck("how", "")

    def _all(self, theme: NounPhrase) -> list[TrackedObject]:
        spared = self._spared(theme)
        return [each for each in self.grounding.known(theme) if each.key not in spared][:MOST]

    def _spared(self, theme: NounPhrase) -> list[str]:
        """Keys of the objects that `all but` leaves out."""
        if theme.spared is None:
            return []
        if theme.spared.places:
            thing = self.grounding.placed(replace(theme, places=theme.spared.places, count=1))
            return [] if thing is None else [thing.key]
        return [each.key for each in self.grounding.known(theme)][-theme.spared.count :]

    def _has(self, types: Sequence[str]) -> bool:
        return all(self.memory.of((each,)) for each in types)

    def _steps(self, texts: Sequence[str], theme: NounPhrase | None, count: int) -> list[Order]:
        """Recipe lines as orders, with the object in place of `{x}`."""
        orders = []
        for text in texts:
            spoken_steps = parse(text.replace("{n} {x}", "it").replace("{x}", "it"))
            for step in spoken_steps:
                assert isinstance(step, Order), text
                if step.theme is not None and step.theme.refers_back and "{x}" in text and theme is not None:
                    step = replace(step, theme=replace(theme, count=count))
                orders.append(step)
        return orders

    def _dish(self, order: Order, name: str) -> list[Order]:
        """Orders that prepare a sandwich or salad and serve it."""
        steps: list[Order] = []
        plate = NounPhrase(("Plate",), "plate")
        parts = list(order.parts)
        if name == "sandwich" and not any("BreadSliced" in part.types for part in parts):
            parts.insert(0, NounPhrase(("BreadSliced",), "bread", 2, frozenset({"sliced"})))
        for part in parts:
            bread = "BreadSliced" in part.types
            if bread:
                for _ in range(part.count):
                    one = replace(part, count=1)
                    steps += [
                        Order("toast", one),
                        Order("put", replace(one, traits=part.traits | {"cooked"}), Location("on", plate)),
                    ]
                continue
            if "cooked" in part.traits:
                steps.append(Order("cook", part))
            steps.append(Order("put", replace(part, places=()), Location("on", plate)))
        if order.verb == "cook" and order.goal is not None and order.goal.anchor is not None:
            kind = order.goal.anchor.types[0]
            if kind not in HOT and order.theme is not None:
                steps.append(
                    Order("put", replace(order.theme, traits=order.theme.traits | {"cooked"}), order.goal)
                )
        return steps

    def take(self, order: Order) -> Routine[None]:
        """Pick up the theme of the order."""
        thing = yield from self.pick(order.theme, order)
        yield from self.manipulator.take(thing)

    def pick(
        self, phrase: NounPhrase | None, order: Order, avoid: Sequence[str] = ()
    ) -> Routine[TrackedObject]:
        """Ground a phrase; slices are cut first if there are none yet."""
        assert phrase is not None
        exact = next((self.memory.things[each] for each in phrase.traits if each in self.memory.things), None)
        if exact is not None:
            return exact
        phrase = self._container(phrase)
        known = self.grounding.known(phrase, avoid) or self._in_hand(phrase) or self.grounding.hinted(phrase)
        if "sliced" in phrase.traits and not known:
            whole = replace(phrase, types=wholes(phrase.types), traits=frozenset(), count=1)
            if whole.types:
                yield from self.slice(Order("slice", whole))
                phrase = replace(phrase, places=())
        found = yield from self.grounding.find(phrase, avoid)
        return found

    def _in_hand(self, phrase: NounPhrase) -> bool:
        held = self.manipulator.held
        return held is not None and held.type in phrase.types

    def _container(self, phrase: NounPhrase) -> NounPhrase:
        """A vessel that can be filled at the sink, for `a container`."""
        if phrase.words != "container":
            return phrase
        order = ("WateringCan", "Cup", "Mug", "Bowl", "Pot", "Kettle", "Bottle", "WineBottle")
        seen = tuple(kind for kind in order if self.memory.of((kind,)))
        return replace(phrase, types=seen or order, words="container")

    def put(self, order: Order) -> Routine[None]:
        """Bring objects to a place; without one, put down what is in the hand."""
        theme, goal = order.theme, order.goal
        if goal is None or goal.anchor is None:
            if self.manipulator.held is None:
                raise Stuck("how", "")
            yield from self.manipulator.put_down()
            return
        count = MOST if theme is not None and theme.count == ALL else theme.count if theme is not None else 1
        done: list[str] = [] if theme is None else self._spared(theme)
        for number in range(count):
            moved = yield from self._put_one(
                order, done, must=number == 0 or (theme is not None and theme.count != ALL)
            )
            if not moved:
                return

    def _put_one(self, order: Order, done: list[str], must: bool) -> Routine[bool]:
        theme, goal = order.theme, order.goal
        assert goal is not None and goal.anchor is not None
        held = self.manipulator.held
        if theme is not None and theme.types:
            avoid = [*done, *self._there(goal.anchor, theme), *self._unfit(theme, goal.anchor)]
            if held is None or held.type not in theme.types or held.key in avoid or theme.places:
                if not must and not [each for each in self.grounding.known(theme) if each.key not in avoid]:
                    return False
                held = yield from self.pick(theme, order, avoid)
        if held is None:
            raise Stuck("how", "")
        if self.memory.held != held.key:
            yield from self.manipulator.take(held)
        for attempt in range(3):
            place = yield from self.grounding.destination(goal.anchor, held)
            try:
                yield from self.manipulator.put(place)
                break
            except Stuck:
                if attempt == 2 or goal.anchor.places:
                    raise
        done.append(held.key)
        return True

    def _there(self, goal: NounPhrase, theme: NounPhrase) -> list[str]:
        """Keys of objects that are where they are to go."""
        if goal.places:
            place = self.grounding.placed(goal)
            holders = set() if place is None else {place.key}
        else:
            known = self.memory.of(basins(goal.types))
            holders = {each.key for each in known if each.last_used >= 0 or each.type in BASINS}
        return [each.key for each in self.memory.of(theme.types) if each.holder in holders]

    def _unfit(self, theme: NounPhrase, goal: NounPhrase) -> list[str]:
        """Keys of objects that are cooked already."""
        if not {way.into for way in HEATING} & set(goal.types) or "cooked" in theme.traits:
            return []
        held = self.manipulator.held
        known = [*self.memory.of(theme.types), *([] if held is None else [held])]
        return [each.key for each in known if each.cooked]

    def open(self, order: Order) -> Routine[None]:
        """Open the theme of the order."""
        thing = yield from self.pick(order.theme, order)
        yield from self.manipulator.open(thing)

    def close(self, order: Order) -> Routine[None]:
        """Close the theme of the order."""
        thing = yield from self.pick(order.theme, order)
        yield from self.manipulator.close(thing)

    def start(self, order: Order) -> Routine[None]:
        """Switch the theme on; a stove by all its knobs."""
        for thing in (yield from self._switches(order)):
            if not thing.running:
                yield from self.manipulator.switch(thing, on=True)

    def stop(self, order: Order) -> Routine[None]:
        """Switch the theme off; a stove by all its knobs."""
        for thing in (yield from self._switches(order)):
            if thing.running or (thing.running is None and thing.type != "StoveKnob"):
                yield from self.manipulator.switch(thing, on=False)

    def _switches(self, order: Order) -> Routine[list[TrackedObject]]:
        theme = order.theme
        assert theme is not None
        switches = tuple(each for each in theme.types if object_types()[each].can("toggle"))
        if not switches:
            raise Stuck("how", "")
        thing = yield from self.grounding.find(replace(theme, types=switches))
        if thing.type == "StoveKnob" and not theme.places:
            return self.memory.of(("StoveKnob",))
        return [thing]

    def slice(self, order: Order) -> Routine[None]:
        """Take a knife and cut the theme."""
        theme = order.theme
        assert theme is not None
        whole = tuple(each for each in theme.types if object_types()[each].can("slice")) or wholes(
            theme.types
        )
        if not whole:
            raise Stuck("how", "")
        theme = replace(theme, types=whole, traits=theme.traits - {"sliced"}, count=1)
        pieces = tuple(object_types()[each].slice_type for each in whole)
        cut = [each.key for each in self.memory.of(whole) if "Slice" in each.failed_actions]
        if self.memory.of(pieces) and set(cut) == {each.key for each in self.memory.of(whole)}:
            return
        thing = yield from self.grounding.find(theme, cut)
        yield from self._lay_open(thing)
        held = self.manipulator.held
        if held is None or not object_types()[held.type].cuts:
            knife = yield from self.grounding.find(KNIFE)
            yield from self.manipulator.take(knife)
        yield from self.manipulator.slice(thing)

    def _lay_open(self, thing: TrackedObject) -> Routine[None]:
        """Bring an object to a surface where it can be cut."""
        holder = self.memory.things.get(thing.holder)
        if holder is not None and holder.can("open"):
            yield from self.manipulator.take(thing)
        if self.memory.held == thing.key:
            yield from self.manipulator.put_down()

    def pour(self, order: Order) -> Routine[None]:
        """Pour what is in the hand into something, the sink by default."""
        goal = (order.goal or SINK).anchor
        assert goal is not None
        held = self.manipulator.held
        other = (
            order.theme is not None
            and order.theme.types
            and held is not None
            and held.type not in order.theme.types
        )
        if held is None or other:
            theme = order.theme or self.last
            if theme is None or not theme.types:
                raise Stuck("how", "")
            thing = yield from self.pick(theme, order)
            yield from self.manipulator.take(thing)
        vain: list[str] = []
        while True:
            place = yield from self.grounding.find(replace(goal, types=basins(goal.types)), vain)
            try:
                yield from self.manipulator.pour(place)
                return
            except Stuck as trouble:
                vain.append(place.key)
                if trouble.kind != "reach" or goal.places or len(vain) >= TRIES:
                    raise

    def go(self, order: Order) -> Routine[None]:
        """Approach the theme of the order."""
        thing = yield from self.pick(order.theme, order)
        yield from self.manipulator.navigator.approach(thing.key)


SIMPLE: dict[str, Callable[[OrderExecutor, Order], Routine[None]]] = {
    "take": OrderExecutor.take,
    "find": OrderExecutor.go,
    "go": OrderExecutor.go,
    "put": OrderExecutor.put,
    "open": OrderExecutor.open,
    "close": OrderExecutor.close,
    "start": OrderExecutor.start,
    "stop": OrderExecutor.stop,
    "slice": OrderExecutor.slice,
    "pour": OrderExecutor.pour,
}
"""Verbs that need no expansion."""
