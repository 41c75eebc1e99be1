"""The talking Follower: parses what is said, acts on its pictures, asks and reports."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from housemates.agents.embodied.grounding import Grounding
from housemates.agents.embodied.locomotion import Routine
from housemates.agents.embodied.manipulation import Manipulator, Stuck
from housemates.agents.embodied.navigation import Navigator
from housemates.agents.embodied.semantics import Fact, LogicalForm, NounPhrase, Order, Remark
from housemates.agents.embodied.spatial_relations import side_of
from housemates.agents.teach.embodiment import TeachEmbodiment
from housemates.agents.teach.talk.orders import OrderExecutor
from housemates.agents.teach.talk.parsing import parse
from housemates.agents.teach.talk.wording import Realiser, sayings
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept

REPORTED = ("take", "slice", "put", "clean")
"""Verbs that it may report on between orders."""
QUESTION_LIMIT = 3
"""Questions about one order after which it is given up."""


class TalkFollower(Agent):
    """Acts by its pictures, its pose, the dialogue and outcomes alone."""

    def reset(self, brief: Brief) -> None:
        """Forget the last home; draw a manner from the seed."""
        rng = np.random.default_rng(brief.seed)
        self.realiser = Realiser(rng, "follower")
        self.navigator = Navigator(TeachEmbodiment())
        manipulator = Manipulator(self.navigator)
        self.grounding = Grounding(manipulator, effort=int(rng.integers(3)))
        self.orders = OrderExecutor(manipulator, self.grounding)
        self.agenda: deque[Order] = deque()
        self.chatty = float(rng.choice([0.1, 0.3, 0.6]))
        self.curious = float(rng.choice([0.3, 0.6, 0.9]))
        self._heard = 0
        self._spoken_to = False
        self._said: list[Order] = []
        """The orders of the last instruction."""
        self._wondered: set[NounPhrase] = set()
        """Phrases about which it has decided whether to ask."""
        self._asked: NounPhrase | None = None
        self._troubles: Counter[str] = Counter()
        self._generator: Routine[None] | None = None

    def act(self, percept: Percept) -> Act:
        """Send the percept to the coroutine; returns the act that it yields."""
        if self._generator is None:
            self.navigator.perceive(percept)
            self._generator = self._run()
            return next(self._generator)
        try:
            return self._generator.send(percept)
        except StopIteration:
            return Act("Pass")

    def _run(self) -> Routine[None]:
        while True:
            news = self._listen()
            if news and self.agenda and self.realiser.likely(self.chatty):
                yield from self._say("ok")
                before = self.agenda
                if self._listen():
                    self.agenda.extendleft(reversed(before))
            while self.agenda:
                yield from self._work()
                self._listen()
            yield from self._report()

    def _report(self) -> Routine[None]:
        """Report that all is done and ask for more, or greet."""
        yield from self._say("next" if self._spoken_to else "hello")

    def _say(self, key: str, **slots: str) -> Routine[None]:
        yield from self.navigator.do(Act("Say", {"text": self.realiser.say(key, **slots)}))

    def _work(self) -> Routine[None]:
        """Carry out the next order; say so where that fails."""
        order = self.agenda[0]
        if (yield from self._wonder(order)):
            return
        try:
            more = yield from self.orders.carry_out(order)
        except Stuck as trouble:
            yield from self._tell(order, trouble)
            return
        if self.agenda and self.agenda[0] is order:
            self.agenda.popleft()
        self.agenda.extendleft(reversed(more))
        theme = order.theme
        reported = bool(self.agenda) and order.verb in REPORTED and theme is not None and bool(theme.types)
        if reported and theme is not None and self.realiser.likely(self.chatty / 2):
            yield from self._say(order.verb, x=self.realiser.name(theme.types[0]))

    def _wonder(self, order: Order) -> Routine[bool]:
        """Perhaps ask which object is meant, where several were seen that the phrase fits."""
        for phrase in self._mentioned(order):
            rivals = [] if phrase in self._wondered else self.grounding.rivals(phrase)
            if not rivals:
                continue
            self._wondered.add(phrase)
            if not self.realiser.likely(self.curious):
                continue
            self._asked = replace(phrase, types=(rivals[0].type,))
            side = side_of(self.grounding.extent(rivals[0]), self.grounding.viewer)
            yield from self._say(
                self.realiser.choose(("which", "which_guess")),
                x=phrase.words,
                n=str(len(rivals)),
                side=self.realiser.choose(sayings()["mine"][side]),
            )
            return True
        return False

    def _mentioned(self, order: Order) -> Iterator[NounPhrase]:
        """Phrases of an order, and of the hint about its object."""
        goal = None if order.goal is None else order.goal.anchor
        for phrase in (order.theme, goal):
            if phrase is None or not phrase.types:
                continue
            if order in self._said:
                yield phrase
            told = self.grounding.described(phrase)
            yield from (place.anchor for place in told.places if place.holds and place.anchor is not None)

    def _tell(self, order: Order, trouble: Stuck) -> Routine[None]:
        about = f"{order.verb} {trouble.type}"
        self._troubles[about] += 1
        self._asked = NounPhrase((trouble.type,), trouble.type) if trouble.type else None
        kind = trouble.kind
        if trouble.type and self._troubles[about] > QUESTION_LIMIT:
            self._troubles[about] = 0
            kind = "lost_again"
        if kind not in ("where", "lost"):
            self.agenda.clear()
        place = self.realiser.name(trouble.place) if trouble.place not in ("", "anywhere") else "place"
        yield from self._say(kind, x=self.realiser.name(trouble.type or "it"), y=place)

    def _listen(self) -> bool:
        """Parse what was said since; new orders replace old ones. Returns whether there are any."""
        dialogue = self.navigator.now.said
        orders: list[Order] = []
        for utterance in dialogue[self._heard :]:
            if utterance.role != "commander":
                continue
            self._spoken_to = True
            for meaning in self.interpret(utterance.text):
                if isinstance(meaning, Order):
                    orders.append(meaning)
                elif isinstance(meaning, Fact):
                    self._learn(meaning.theme, bool(orders))
                elif isinstance(meaning, Remark) and meaning.kind == "finished":
                    self.agenda.clear()
        self._heard = len(dialogue)
        if orders:
            self.agenda = deque(orders)
            self._said = orders
            self._wondered.clear()
            for thing in self.navigator.memory.things.values():
                thing.failed_actions &= {"Slice"}
        return bool(orders)

    def interpret(self, text: str) -> list[LogicalForm]:
        """The logical forms of an utterance."""
        return parse(text)

    def _learn(self, theme: NounPhrase, after_order: bool) -> None:
        if not theme.types:
            about = self._asked or self.orders.last
            if about is None:
                return
            theme = replace(theme, types=about.types, words=about.words)
        elif not after_order:
            self.orders.last = replace(theme, places=())
        self.grounding.add_hint(theme)
