"""Execution of what people order: single orders, whole tasks, moves, a look into something, taking back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from housemates.agents.embodied.deeds import OPPOSITE, Deed, name_of, preposition
from housemates.agents.embodied.locomotion import Routine
from housemates.agents.embodied.manipulation import Stuck
from housemates.agents.embodied.semantics import NounPhrase, Order
from housemates.agents.reader.answers import Answers
from housemates.agents.reader.language.interpretation import INSPECT, MOVE, SURVEY, TASK, UNDO
from housemates.agents.reader.language.slots import TeachTask
from housemates.agents.reader.planning.teach_tasks import TeachTasks
from housemates.agents.teach.talk.orders import OrderExecutor
from housemates.core.actions import Act
from housemates.home.types import object_type, object_types

NEEDS = {
    **dict.fromkeys(("take", "put", "clean", "fill", "empty"), "pickup"),
    **dict.fromkeys(("cook", "toast", "boil"), "cook"),
    **dict.fromkeys(("open", "close"), "open"),
    **dict.fromkeys(("start", "stop"), "toggle"),
    "slice": "slice",
}
"""The affordance that an order needs of its object or of the object's slices."""
MOVED = {
    **dict.fromkeys(("TurnLeft", "TurnRight"), "turned"),
    **dict.fromkeys(("LookUp", "LookDown"), "moved my head"),
    "Forward": "went forward",
    "Backward": "went back",
    "PanLeft": "went left",
    "PanRight": "went right",
}
"""How moves are told."""
SWITCHED_BY = {
    "Sink": "Faucet",
    "SinkBasin": "Faucet",
    "Bathtub": "Faucet",
    "BathtubBasin": "Faucet",
    "StoveBurner": "StoveKnob",
}
"""What is switched where one speaks of something else."""


class TaskExecutor(OrderExecutor):
    """Carries out orders; what makes no sense or fails raises `Stuck`."""

    def __init__(self, orders: OrderExecutor, tasks: TeachTasks, decoded: Mapping[str, TeachTask]) -> None:
        super().__init__(orders.manipulator, orders.grounding)
        self.tasks, self.decoded = tasks, decoded
        self.answers = Answers(orders.grounding)
        self.past: Sequence[Deed] = ()
        """What was done for the last instruction."""
        self.news = ""
        """What was found where it was asked to look, or how it moved, as a sentence."""

    def carry_out(self, order: Order) -> Routine[list[Order]]:
        """Carry out an order; returns the orders that have to be done instead, if it expands."""
        if order.verb == UNDO:
            yield from self._undo()
            return []
        if order.verb == SURVEY:
            yield from self._survey()
            return []
        order = self._resolved(order)
        order = toasting(order)
        theme = order.theme
        if theme is not None and not makes_sense(order.verb, theme):
            raise Stuck("cannot", theme.types[0])
        if order.verb == MOVE and theme is not None:
            yield from self._move(theme.words.split())
            return []
        if order.verb == INSPECT:
            yield from self._inspect(order)
            return []
        if order.verb != TASK or theme is None:
            return (yield from super().carry_out(order))
        yield from self.tasks.carry_out(*self.decoded[theme.words])
        return []

    def _inspect(self, order: Order) -> Routine[None]:
        """Look into or onto something, and note what is there."""
        self.last = order.theme
        place = yield from self.pick(order.theme, order)
        if place.can("open") and place.can("receptacle"):
            yield from self.manipulator.open(place)
        else:
            yield from self.manipulator.navigator.approach(place.key)
        found = [each.type for each in self.memory.contents(place.key)]
        names = [name_of(each) for each in sorted(set(found))]
        where = f"{preposition(place.type)} the {name_of(place.type)}"
        self.news = f"I see {', '.join(names) or 'nothing'} {where}."

    def _survey(self) -> Routine[None]:
        """Turn around once, and note what is there."""
        for _ in range(4):
            yield from self.manipulator.navigator.move("TurnRight")
        self.news = self.answers.sights(everywhere=True)

    def _move(self, names: list[str]) -> Routine[None]:
        """Make moves in turn; raises `Stuck` when one is blocked."""
        for name in names:
            outcome = yield from self.manipulator.navigator.do(Act(name))
            if not outcome.success:
                raise Stuck("blocked", "")
        steps = Counter(MOVED[name] for name in names)
        said = [
            f"{way} {number} steps" if number > 1 and way.startswith("went") else way
            for way, number in steps.items()
        ]
        self.news = f"I {' and '.join(said)}."

    def _undo(self) -> Routine[None]:
        """Reverse what was done last; raises `Stuck` for what cannot be reversed."""
        past = self.past
        if not past:
            raise Stuck("nothing", "")
        for number, deed in reversed(list(enumerate(past))):
            if any(
                each.key == deed.key and each.action == OPPOSITE.get(deed.action) for each in past[number:]
            ):
                continue
            yield from self._reverse(deed)

    def _reverse(self, deed: Deed) -> Routine[None]:
        thing = self.memory.things.get(deed.load_key if deed.action == "Place" else deed.key)
        if thing is None or deed.action in ("Slice", "Pour"):
            raise Stuck("cannot", deed.type)
        if deed.action in ("Open", "Close"):
            yield from (self.manipulator.close if deed.action == "Open" else self.manipulator.open)(thing)
        elif deed.action in OPPOSITE:
            yield from self.manipulator.switch(thing, on=deed.action == "ToggleOff")
        elif deed.action == "Place":
            yield from self.manipulator.take(thing)
        elif self.memory.held == thing.key:
            yield from self._put_back(deed)

    def _put_back(self, deed: Deed) -> Routine[None]:
        """Put what is in the hand where it came from, or else where there is room."""
        origin = self.memory.things.get(deed.origin)
        if origin is None:
            yield from self.manipulator.put_down()
            return
        try:
            yield from self.manipulator.put(origin)
        except Stuck:
            yield from self.manipulator.put_down()


def toasting(order: Order) -> Order:
    """An order to make toast, or to toast a loaf, as one to toast a slice."""
    theme = order.theme
    made = order.verb == "make" and theme is not None and theme.words == "toast"
    if theme is None or not (made or (order.verb == "toast" and "Bread" in theme.types)):
        return order
    traits = theme.traits | {"sliced"}
    return Order("toast", replace(theme, types=("BreadSliced",), words="bread", traits=traits))


def makes_sense(verb: str, theme: NounPhrase) -> bool:
    """Whether the theme affords what the verb needs."""
    need = NEEDS.get(verb, "")
    kinds = [object_type(SWITCHED_BY.get(each, each)) for each in theme.types if each in object_types()]
    kinds += [object_type(each.slice_type) for each in kinds if each.slice_type]
    return not need or not kinds or any(each.can(need) for each in kinds)
