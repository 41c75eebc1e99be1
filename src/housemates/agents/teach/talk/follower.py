"""The Follower of the talking pair: listens, looks, acts on what it sees, asks and reports."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from housemates.agents.embodied.grounding import Finder
from housemates.agents.embodied.locomotion import Doing
from housemates.agents.embodied.manipulation import Hands, Stuck
from housemates.agents.embodied.navigation import Body
from housemates.agents.embodied.semantics import Fact, Meaning, Order, Phrase, Remark
from housemates.agents.embodied.spatial_relations import side_of
from housemates.agents.teach.embodiment import FollowerSenses
from housemates.agents.teach.talk.orders import Orders
from housemates.agents.teach.talk.parsing import understand
from housemates.agents.teach.talk.wording import Tongue, sayings
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept

REPORTED = ("take", "slice", "put", "clean")
"""What it may report on while it goes on."""
PATIENCE = 3
"""How often it asks about one order before it gives it up."""


class TalkFollower(Agent):
    """Acts only on its own pictures, its pose, what was said and what came of its acts."""

    def reset(self, brief: Brief) -> None:
        """Forget the last home; become someone with habits of their own."""
        rng = np.random.default_rng(brief.seed)
        self.tongue = Tongue(rng, "follower")
        self.body = Body(FollowerSenses())
        hands = Hands(self.body)
        self.finder = Finder(hands, effort=int(rng.integers(3)))
        self.orders = Orders(hands, self.finder)
        self.agenda: deque[Order] = deque()
        self.chatty = float(rng.choice([0.1, 0.3, 0.6]))
        self.curious = float(rng.choice([0.3, 0.6, 0.9]))
        self._heard = 0
        self._spoken_to = False
        self._said: list[Order] = []
        """The orders as they were said last."""
        self._wondered: set[Phrase] = set()
        """What it has decided to ask about, or not to."""
        self._asked: Phrase | None = None
        self._troubles: Counter[str] = Counter()
        self._living: Doing[None] | None = None

    def act(self, percept: Percept) -> Act:
        """Go on with what it is doing."""
        if self._living is None:
            self.body.perceive(percept)
            self._living = self._live()
            return next(self._living)
        try:
            return self._living.send(percept)
        except StopIteration:
            return Act("Pass")

    def _live(self) -> Doing[None]:
        while True:
            news = self._listen()
            if news and self.agenda and self.tongue.likely(self.chatty):
                yield from self._say("ok")
                before = self.agenda
                if self._listen():
                    self.agenda.extendleft(reversed(before))
            while self.agenda:
                yield from self._work()
                self._listen()
            yield from self._report()

    def _report(self) -> Doing[None]:
        """Say that all is done and ask for more, or greet."""
        yield from self._say("next" if self._spoken_to else "hello")

    def _say(self, key: str, **slots: str) -> Doing[None]:
        yield from self.body.do(Act("Say", {"text": self.tongue.say(key, **slots)}))

    def _work(self) -> Doing[None]:
        """Do the next thing; where it cannot, say so and listen."""
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
        if reported and theme is not None and self.tongue.likely(self.chatty / 2):
            yield from self._say(order.verb, x=self.tongue.name(theme.types[0]))

    def _wonder(self, order: Order) -> Doing[bool]:
        """Perhaps ask which one is meant, where several were seen that words do not tell apart."""
        for phrase in self._mentioned(order):
            rivals = [] if phrase in self._wondered else self.finder.rivals(phrase)
            if not rivals:
                continue
            self._wondered.add(phrase)
            if not self.tongue.likely(self.curious):
                continue
            self._asked = replace(phrase, types=(rivals[0].type,))
            side = side_of(self.finder.extent(rivals[0]), self.finder.viewer)
            yield from self._say(
                self.tongue.choose(("which", "which_guess")),
                x=phrase.words,
                n=str(len(rivals)),
                side=self.tongue.choose(sayings()["mine"][side]),
            )
            return True
        return False

    def _mentioned(self, order: Order) -> Iterator[Phrase]:
        """What the Commander spoke of, in an order or in telling where a thing is."""
        goal = None if order.goal is None else order.goal.anchor
        for phrase in (order.theme, goal):
            if phrase is None or not phrase.types:
                continue
            if order in self._said:
                yield phrase
            told = self.finder.told_of(phrase)
            yield from (place.anchor for place in told.places if place.holds and place.anchor is not None)

    def _tell(self, order: Order, trouble: Stuck) -> Doing[None]:
        about = f"{order.verb} {trouble.type}"
        self._troubles[about] += 1
        self._asked = Phrase((trouble.type,), trouble.type) if trouble.type else None
        kind = trouble.kind
        if trouble.type and self._troubles[about] > PATIENCE:
            self._troubles[about] = 0
            kind = "lost_again"
        if kind not in ("where", "lost"):
            self.agenda.clear()
        place = self.tongue.name(trouble.place) if trouble.place not in ("", "anywhere") else "place"
        yield from self._say(kind, x=self.tongue.name(trouble.type or "it"), y=place)

    def _listen(self) -> bool:
        """Take in what was said since; new orders take the place of old ones. True if there are some."""
        dialogue = self.body.now.said
        orders: list[Order] = []
        for utterance in dialogue[self._heard :]:
            if utterance.role != "commander":
                continue
            self._spoken_to = True
            for meaning in self.understood(utterance.text):
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
            for thing in self.body.memory.things.values():
                thing.spoiled &= {"Slice"}
        return bool(orders)

    def understood(self, text: str) -> list[Meaning]:
        """What an utterance means."""
        return understand(text)

    def _learn(self, theme: Phrase, after_order: bool) -> None:
        if not theme.types:
            about = self._asked or self.orders.last
            if about is None:
                return
            theme = replace(theme, types=about.types, words=about.words)
        elif not after_order:
            self.orders.last = replace(theme, places=())
        self.finder.hear(theme)
