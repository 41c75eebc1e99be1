"""How the Follower carries out orders: simple ones with its hands, others by know-how in plain words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from housemates.agents.embodied.grounding import Finder, basins, wholes
from housemates.agents.embodied.locomotion import Doing
from housemates.agents.embodied.manipulation import Hands, Stuck
from housemates.agents.embodied.object_memory import Seen
from housemates.agents.embodied.semantics import ALL, Order, Phrase, Place
from housemates.agents.teach.talk.parsing import THEMELESS, understand
from housemates.home.kinds import KNIVES
from housemates.home.recipes import FRYING, MICROWAVING, TOASTING, WASHING, recipes
from housemates.home.types import object_types

MOST = 12
"""How many things `all of them` may be."""
KNIFE = Phrase(KNIVES, "knife")
SINK = Place("in", Phrase((WASHING.at,), "sink"))
HEATING = (MICROWAVING, TOASTING, FRYING)
HOT = {kind for way in HEATING for kind in (way.at, *way.vessels)}


class Orders:
    """Carries out one order at a time; what it cannot do is raised as Stuck."""

    def __init__(self, hands: Hands, finder: Finder) -> None:
        self.hands = hands
        self.finder = finder
        self.memory = hands.memory
        self.last: Phrase | None = None
        """What was spoken of last."""
        self.last_keys: list[str] = []

    def carry_out(self, order: Order) -> Doing[list[Order]]:
        """Do what is said; returns what else has to be done for it, first."""
        order = self._resolved(order)
        if order.theme is not None and order.theme.types:
            self.last = order.theme
        simple = SIMPLE.get(order.verb)
        if simple is None:
            return (yield from self.expand(order))
        yield from simple(self, order)
        return []

    def _resolved(self, order: Order) -> Order:
        """The order with `it` replaced by what was spoken of, in the places that it names too."""
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

    def _meant(self, phrase: Phrase) -> Phrase:
        if not phrase.refers_back or phrase.words or self.last is None:
            return phrase
        count = self.last.count if phrase.plural else 1
        return replace(self.last, count=count, places=phrase.places, plural=phrase.plural)

    def _there_is(self, place: Place) -> Place | None:
        """A place by what was spoken of; None if nothing was."""
        if place.anchor is None:
            return place
        anchor = self._meant(place.anchor)
        return replace(place, anchor=anchor) if anchor.types else None

    def expand(self, order: Order) -> Doing[list[Order]]:
        """The steps that a bigger order comes to."""
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
            yield from self.finder.find(theme)
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

    def _all(self, theme: Phrase) -> list[Seen]:
        return self.finder.known(theme)[:MOST]

    def _has(self, types: Sequence[str]) -> bool:
        return all(self.memory.of((each,)) for each in types)

    def _steps(self, texts: Sequence[str], theme: Phrase | None, count: int) -> list[Order]:
        """Steps in plain words, with the thing itself put where `{x}` stands."""
        orders = []
        for text in texts:
            spoken_steps = understand(text.replace("{n} {x}", "it").replace("{x}", "it"))
            for step in spoken_steps:
                assert isinstance(step, Order), text
                if step.theme is not None and step.theme.refers_back and "{x}" in text and theme is not None:
                    step = replace(step, theme=replace(theme, count=count))
                orders.append(step)
        return orders

    def _dish(self, order: Order, name: str) -> list[Order]:
        """The parts of a sandwich or salad, made and put on its plate; and where the dish goes."""
        steps: list[Order] = []
        plate = Phrase(("Plate",), "plate")
        parts = list(order.parts)
        if name == "sandwich" and not any("BreadSliced" in part.types for part in parts):
            parts.insert(0, Phrase(("BreadSliced",), "bread", 2, frozenset({"sliced"})))
        for part in parts:
            bread = "BreadSliced" in part.types
            if bread:
                for _ in range(part.count):
                    one = replace(part, count=1)
                    steps += [
                        Order("toast", one),
                        Order("put", replace(one, traits=part.traits | {"cooked"}), Place("on", plate)),
                    ]
                continue
            if "cooked" in part.traits:
                steps.append(Order("cook", part))
            steps.append(Order("put", replace(part, places=()), Place("on", plate)))
        if order.verb == "cook" and order.goal is not None and order.goal.anchor is not None:
            kind = order.goal.anchor.types[0]
            if kind not in HOT and order.theme is not None:
                steps.append(
                    Order("put", replace(order.theme, traits=order.theme.traits | {"cooked"}), order.goal)
                )
        return steps

    def take(self, order: Order) -> Doing[None]:
        """Get one thing."""
        thing = yield from self.pick(order.theme, order)
        yield from self.hands.take(thing)

    def pick(self, phrase: Phrase | None, order: Order, avoid: Sequence[str] = ()) -> Doing[Seen]:
        """The thing that is meant; pieces are cut first if there are none yet."""
        assert phrase is not None
        exact = next((self.memory.things[each] for each in phrase.traits if each in self.memory.things), None)
        if exact is not None:
            return exact
        phrase = self._container(phrase)
        known = self.finder.known(phrase, avoid) or self._in_hand(phrase) or self.finder.hinted(phrase)
        if "sliced" in phrase.traits and not known:
            whole = replace(phrase, types=wholes(phrase.types), traits=frozenset(), count=1)
            if whole.types:
                yield from self.slice(Order("slice", whole))
                phrase = replace(phrase, places=())
        found = yield from self.finder.find(phrase, avoid)
        return found

    def _in_hand(self, phrase: Phrase) -> bool:
        held = self.hands.held
        return held is not None and held.type in phrase.types

    def _container(self, phrase: Phrase) -> Phrase:
        """Anything that can be carried to the sink and filled, for `a container`."""
        if phrase.words != "container":
            return phrase
        order = ("WateringCan", "Cup", "Mug", "Bowl", "Pot", "Kettle", "Bottle", "WineBottle")
        seen = tuple(kind for kind in order if self.memory.of((kind,)))
        return replace(phrase, types=seen or order, words="container")

    def put(self, order: Order) -> Doing[None]:
        """Bring things somewhere; without a place, put down what is in the hand."""
        theme, goal = order.theme, order.goal
        if goal is None or goal.anchor is None:
            if self.hands.held is None:
                raise Stuck("how", "")
            yield from self.hands.put_down()
            return
        count = MOST if theme is not None and theme.count == ALL else theme.count if theme is not None else 1
        done: list[str] = []
        for number in range(count):
            moved = yield from self._put_one(
                order, done, must=number == 0 or (theme is not None and theme.count != ALL)
            )
            if not moved:
                return

    def _put_one(self, order: Order, done: list[str], must: bool) -> Doing[bool]:
        theme, goal = order.theme, order.goal
        assert goal is not None and goal.anchor is not None
        held = self.hands.held
        if theme is not None and theme.types:
            avoid = [*done, *self._there(goal.anchor, theme), *self._unfit(theme, goal.anchor)]
            if held is None or held.type not in theme.types or held.key in avoid or theme.places:
                if not must and not [each for each in self.finder.known(theme) if each.key not in avoid]:
                    return False
                held = yield from self.pick(theme, order, avoid)
        if held is None:
            raise Stuck("how", "")
        if self.memory.held != held.key:
            yield from self.hands.take(held)
        for attempt in range(3):
            place = yield from self.finder.destination(goal.anchor, held)
            try:
                yield from self.hands.put(place)
                break
            except Stuck:
                if attempt == 2 or goal.anchor.places:
                    raise
        done.append(held.key)
        return True

    def _there(self, goal: Phrase, theme: Phrase) -> list[str]:
        """Things that are already where they are to go."""
        if goal.places:
            place = self.finder.placed(goal)
            holders = set() if place is None else {place.key}
        else:
            holders = {each.key for each in self.memory.of(basins(goal.types)) if each.used >= 0}
        return [each.key for each in self.memory.of(theme.types) if each.holder in holders]

    def _unfit(self, theme: Phrase, goal: Phrase) -> list[str]:
        """What is cooked already need not be heated."""
        if not {way.into for way in HEATING} & set(goal.types) or "cooked" in theme.traits:
            return []
        return [each.key for each in self.memory.of(theme.types) if each.cooked]

    def open(self, order: Order) -> Doing[None]:
        """Open something."""
        thing = yield from self.pick(order.theme, order)
        yield from self.hands.open(thing)

    def close(self, order: Order) -> Doing[None]:
        """Close something."""
        thing = yield from self.pick(order.theme, order)
        yield from self.hands.close(thing)

    def start(self, order: Order) -> Doing[None]:
        """Turn something on; a stove by all its knobs."""
        for thing in (yield from self._switches(order)):
            if not thing.running:
                yield from self.hands.switch(thing, on=True)

    def stop(self, order: Order) -> Doing[None]:
        """Turn something off."""
        for thing in (yield from self._switches(order)):
            if thing.running or (thing.running is None and thing.type != "StoveKnob"):
                yield from self.hands.switch(thing, on=False)

    def _switches(self, order: Order) -> Doing[list[Seen]]:
        theme = order.theme
        assert theme is not None
        switches = tuple(each for each in theme.types if object_types()[each].can("toggle"))
        if not switches:
            raise Stuck("how", "")
        thing = yield from self.finder.find(replace(theme, types=switches))
        if thing.type == "StoveKnob" and not theme.places:
            return self.memory.of(("StoveKnob",))
        return [thing]

    def slice(self, order: Order) -> Doing[None]:
        """Get a knife and cut something."""
        theme = order.theme
        assert theme is not None
        whole = tuple(each for each in theme.types if object_types()[each].can("slice")) or wholes(
            theme.types
        )
        if not whole:
            raise Stuck("how", "")
        theme = replace(theme, types=whole, traits=theme.traits - {"sliced"}, count=1)
        pieces = tuple(object_types()[each].slice_type for each in whole)
        cut = [each.key for each in self.memory.of(whole) if "Slice" in each.spoiled]
        if self.memory.of(pieces) and set(cut) == {each.key for each in self.memory.of(whole)}:
            return
        thing = yield from self.finder.find(theme, cut)
        yield from self._lay_open(thing)
        held = self.hands.held
        if held is None or not object_types()[held.type].cuts:
            knife = yield from self.finder.find(KNIFE)
            yield from self.hands.take(knife)
        yield from self.hands.slice(thing)

    def _lay_open(self, thing: Seen) -> Doing[None]:
        """Get a thing out of the hand, or of a fridge or cabinet, to where it can be cut."""
        holder = self.memory.things.get(thing.holder)
        if holder is not None and holder.can("open"):
            yield from self.hands.take(thing)
        if self.memory.held == thing.key:
            yield from self.hands.put_down()

    def pour(self, order: Order) -> Doing[None]:
        """Pour what is in the hand into something, the sink by default."""
        goal = (order.goal or SINK).anchor
        assert goal is not None
        held = self.hands.held
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
            yield from self.hands.take(thing)
        place = yield from self.finder.destination(goal, None)
        yield from self.hands.pour(place)

    def go(self, order: Order) -> Doing[None]:
        """Go and stand before something."""
        thing = yield from self.pick(order.theme, order)
        yield from self.hands.body.approach(thing.key)


SIMPLE: dict[str, Callable[[Orders, Order], Doing[None]]] = {
    "take": Orders.take,
    "find": Orders.go,
    "go": Orders.go,
    "put": Orders.put,
    "open": Orders.open,
    "close": Orders.close,
    "start": Orders.start,
    "stop": Orders.stop,
    "slice": Orders.slice,
    "pour": Orders.pour,
}
"""What is done with the hands."""
