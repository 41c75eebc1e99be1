"""The Follower: parses what is said, acts on its pictures, asks, answers, reports what its acts changed."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from housemates.agents.embodied.deeds import Deed, name_of, report
from housemates.agents.embodied.locomotion import Routine
from housemates.agents.embodied.manipulation import Manipulator, Stuck
from housemates.agents.embodied.navigation import Navigator
from housemates.agents.embodied.semantics import Fact, Location, NounPhrase, Order, Question, Remark
from housemates.agents.reader.conversation import QUIET, Conversation
from housemates.agents.reader.language.interpretation import Interpreter
from housemates.agents.reader.planning.executor import TaskExecutor
from housemates.agents.reader.planning.object_search import AskingSearch, ObjectSearch
from housemates.agents.reader.planning.routines import Routines
from housemates.agents.reader.planning.teach_tasks import TeachTasks
from housemates.agents.reader.policy import PerceptionSource, equip, usage_of
from housemates.agents.teach.embodiment import TeachEmbodiment
from housemates.agents.teach.talk.orders import OrderExecutor
from housemates.agents.teach.talk.realisation import Realiser
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept

QUESTION_LIMIT = 3
"""Questions about one order after which it is given up."""
SEARCHED = ("where", "lost")
"""Troubles after which the order stays to be done, as the answer may help."""


class Follower(Agent):
    """Acts by its pictures, its pose, the dialogue and outcomes alone.

    Args:
        eyes: `given` for the simulator's segmentation and depth, `own` for predicted ones.
    """

    def __init__(self, eyes: PerceptionSource = "given") -> None:
        self.eyes = eyes

    @property
    def usage(self) -> dict[str, float]:
        """Perception and failures of the episode, for the results."""
        return usage_of(self.eyes, self.troubles)

    def reset(self, brief: Brief) -> None:
        """Forget the last home; draw a manner from the seed."""
        rng = np.random.default_rng(brief.seed)
        self.realiser = Realiser(rng, "follower")
        self.navigator = Navigator(TeachEmbodiment())
        equip(self.eyes, self.navigator)
        manipulator = Manipulator(self.navigator)
        search = ObjectSearch(manipulator, brief.limits.steps // 2, brief.limits.failures // 2)
        self.grounding = AskingSearch(manipulator, int(rng.integers(3)), search)
        self.interpreter = Interpreter()
        orders = OrderExecutor(manipulator, self.grounding)
        self.orders = TaskExecutor(orders, TeachTasks(Routines(manipulator, search)), self.interpreter.tasks)
        self.answers = self.orders.answers
        self.conversation = Conversation(self.answers, self.realiser)
        self.agenda: deque[Order] = deque()
        self.chatty = float(rng.choice([0.1, 0.3, 0.6]))
        self.curious = float(rng.choice([0.3, 0.6, 0.9]))
        self.troubles: list[Stuck] = []
        """Failures so far."""
        self._heard = 0
        self._spoken_to = self._busy = self._silent = False
        self._reply = ""
        """An answer that is due."""
        self._suspended: deque[Order] = deque()
        """What was to be done when it was told to stop."""
        self._begun = 0
        """Number of deeds before the last instruction."""
        self._wondered: set[NounPhrase] = set()
        """Phrases about which it has decided whether to ask."""
        self._asked: NounPhrase | None = None
        self._spoken_of: NounPhrase | None = None
        """What the Commander spoke of last, to which `it` refers once an order is done."""
        self._troubles: Counter[str] = Counter()
        self._generator: Routine[None] | None = None

    @property
    def done(self) -> Sequence[Deed]:
        """What was done for the last instruction."""
        return self.navigator.deeds[self._begun :]

    def act(self, percept: Percept) -> Act:
        """Send the percept to the coroutine, which begins anew if it was spoken to while it worked."""
        if self._generator is None:
            self.navigator.perceive(percept)
            self._generator = self._run()
            return next(self._generator)
        act = self._generator.send(percept)
        if any(each.role == "commander" for each in percept.said[self._heard :]):
            self._generator.close()
            self._generator = self._run()
            act = next(self._generator)
        return act

    def _run(self) -> Routine[None]:
        while True:
            self._listen()
            if self._reply:
                reply, self._reply = self._reply, ""
                yield from self._say(reply)
            elif self.agenda:
                self._busy, self._silent = True, False
                yield from self._work()
            else:
                yield from self._report()

    def _report(self) -> Routine[None]:
        """Say what was done and ask for more, or greet; after silence, wait a turn."""
        if self._busy or not self._spoken_to:
            told = self._account() if self._busy else ""
            self._busy, self._silent = False, True
            yield from self._say(f"{told} {self.conversation.next()}" if told else self.realiser.say("hello"))
            return
        self._silent = not self._silent
        yield from self._say(self.conversation.next()) if self._silent else self.navigator.do(Act("Pass"))

    def _account(self) -> str:
        """What was done for the last instruction, in a sentence; else why nothing was."""
        news, self.orders.news = self.orders.news, ""
        told = news or report(self.done)
        if told or not self.interpreter.said:
            return told or "All right."
        last = self.interpreter.said[-1]
        return self.answers.undone(replace(last, theme=self.orders.last)) or "All right."

    def _say(self, text: str) -> Routine[None]:
        yield from self.navigator.do(Act("Say", {"text": text}))

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
        if order in self.interpreter.said:
            self._spoken_of = self.orders.last
        if self._spoken_of is not None and (not self.agenda or self.agenda[0] in self.interpreter.said):
            self.orders.last = self._spoken_of
        if self.agenda and not more and self.realiser.likely(self.chatty / 4) and (told := report(self.done)):
            yield from self._say(told)

    def _wonder(self, order: Order) -> Routine[bool]:
        """Perhaps ask which object is meant, where several were seen that can be told apart."""
        for phrase in self._mentioned(order):
            rivals = [] if phrase in self._wondered else self.grounding.rivals(phrase)
            self._wondered.add(phrase)
            if not rivals or not self.realiser.likely(self.curious):
                continue
            self._asked = self.interpreter.asked = replace(phrase, types=(rivals[0].type,))
            yield from self._say(self.answers.which(phrase, rivals))
            return True
        return False

    def _mentioned(self, order: Order) -> Iterator[NounPhrase]:
        """Phrases of an order, and of the hint about its object."""
        goal = None if order.goal is None else order.goal.anchor
        for phrase in (order.theme, goal):
            if phrase is None or not phrase.types:
                continue
            if order in self.interpreter.said:
                yield phrase
            told = self.grounding.described(phrase)
            yield from (place.anchor for place in told.places if place.holds and place.anchor is not None)

    def _tell(self, order: Order, trouble: Stuck) -> Routine[None]:
        """Say what is wrong; where retries may help, clear failures and believe in faint detections."""
        self.troubles.append(trouble)
        memory = self.navigator.memory
        if memory.perception.retries:
            memory.clear_failures()
            memory.believed_types.add(trouble.type)
        about = f"{order.verb} {trouble.type}"
        self._troubles[about] += 1
        self._asked = NounPhrase((trouble.type,), trouble.type) if trouble.type else None
        self.interpreter.asked = self._asked if trouble.kind in SEARCHED else None
        kind = trouble.kind
        if trouble.type and self._troubles[about] > QUESTION_LIMIT:
            self._troubles[about] = 0
            kind = "lost_again"
        told = ""
        if kind not in SEARCHED:
            told = report(self.done)
            self.agenda.clear()
            self._busy = False
        elif order.theme is not None and "other" in order.theme.traits and self.navigator.memory.held:
            kind = "other"
        place = name_of(trouble.place) if trouble.place not in ("", "anywhere") else "place"
        name = self.realiser.name(trouble.type) if trouble.type else "thing"
        yield from self._say(f"{told} {self.realiser.say(kind, x=name, y=place)}".strip())

    def _listen(self) -> bool:
        """Take in what was said since; new orders replace old ones. Returns whether there are any."""
        orders: list[Order] = []
        dialogue = self.navigator.now.said
        for utterance in dialogue[self._heard :]:
            if utterance.role == "commander":
                self._spoken_to, self._reply = True, ""
                orders += self._take_in(utterance.text, bool(orders))
        self._heard = len(dialogue)
        if orders:
            self._begin(orders)
        return bool(orders)

    def _take_in(self, text: str, after_order: bool) -> list[Order]:
        """The orders of an utterance; facts are learnt, and what is no order is answered."""
        orders: list[Order] = []
        for meaning in self.interpreter.read(text):
            if isinstance(meaning, Order):
                orders.append(meaning)
            elif isinstance(meaning, Fact):
                orders += self._learn(meaning.theme, after_order or bool(orders))
                self._reply = "" if orders or self.agenda else self.conversation.line("fact")
            else:
                self._answer(meaning)
        if orders:
            self.conversation.words, self._reply = text.strip(), ""
        return orders

    def _begin(self, orders: list[Order]) -> None:
        """Let orders replace what was to be done."""
        if self.navigator.deeds[self._begun :]:
            self.orders.past = self.done
        self.agenda, self._begun = deque(orders), len(self.navigator.deeds)
        self._suspended.clear()
        self.interpreter.said, self.interpreter.lacking, self.interpreter.asked = orders, None, None
        self.conversation.orders = orders
        self._wondered.clear()
        for thing in self.navigator.memory.things.values():
            thing.failed_actions &= {"Slice"}

    def _answer(self, said: Question | Remark) -> None:
        """Prepare the answer to what is no order."""
        self.conversation.last = self.orders.last
        if isinstance(said, Question):
            self._reply = self.conversation.question(said, self.done, self.navigator.deeds)
            self.orders.last = self.conversation.last
        elif said.kind in ("stop", "taken back", "bye", "finished"):
            self._suspended, self.agenda = self.agenda, deque()
            told = report(self.done) if self._busy and self._suspended else ""
            self._reply = f"{self.conversation.remark(said)} {told}".strip()
            self._busy = False
        elif said.kind == "search" and self.agenda:
            self.grounding.thorough = True
        elif said.kind == "continue" and (self._suspended or self.agenda):
            self.agenda = self.agenda or self._suspended
        elif said.kind not in QUIET or not self.agenda:
            kind = "nothing" if said.kind == "continue" else said.kind
            self._reply = self.conversation.remark(replace(said, kind=kind))
            if said.kind == "lacking" and said.theme is not None:
                self.interpreter.lacking = Order(next(iter(said.theme.traits)))

    def _learn(self, theme: NounPhrase, after_order: bool) -> list[Order]:
        """Heed where something is said to be; once all is done, do the last order again with that one."""
        last = self.interpreter.said[-1] if self.interpreter.said else None
        waiting = bool(self.agenda) or after_order
        if not theme.types and not waiting and last is not None and last.theme is not None:
            return [replace(last, theme=self._moved_on(last.theme, theme))]
        if not theme.types:
            about = self._asked or self.orders.last
            if about is None:
                return []
            theme = replace(theme, types=about.types, words=about.words)
        elif not after_order:
            self.orders.last = replace(theme, places=())
        self.grounding.add_hint(theme)
        return []

    def _moved_on(self, theme: NounPhrase, told: NounPhrase) -> NounPhrase:
        """A phrase for another object: the one in a place, or on a side of the one that was used last."""
        side = next((each.removeprefix("next ") for each in told.traits if each.startswith("next ")), "")
        if not side:
            return replace(theme, traits=told.traits, places=told.places, definite=True)
        used = max(self.grounding.known(theme), key=lambda each: each.last_used, default=None)
        traits = frozenset() if used is None else frozenset({used.key})
        anchor = NounPhrase(theme.types, theme.words, traits=traits)
        return replace(theme, traits=frozenset(), places=(Location(side, anchor),))


class OwnEyesFollower(Follower):
    """The same with its own eyes, unless it is told otherwise."""

    def __init__(self, eyes: PerceptionSource = "own") -> None:
        super().__init__(eyes)
