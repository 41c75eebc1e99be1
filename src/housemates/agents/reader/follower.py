"""The reader in TATC: follows any Commander, people included; parses, acts, asks and reports."""

from __future__ import annotations

import difflib
import re
from dataclasses import replace
from functools import cache

from housemates.agents.embodied.locomotion import Routine
from housemates.agents.embodied.manipulation import Stuck
from housemates.agents.embodied.semantics import Fact, LogicalForm, NounPhrase, Order, Remark
from housemates.agents.reader.language.decoding import decode_dialogue
from housemates.agents.reader.language.move_commands import moves_of
from housemates.agents.reader.language.network import shipped_network
from housemates.agents.reader.language.slots import TeachTask
from housemates.agents.reader.language.small_talk import KINDS, answer, contents, is_halt, kind_of, theme_of
from housemates.agents.reader.language.text import Spelling, dialogue, words_of
from housemates.agents.reader.planning.object_search import ObjectSearch
from housemates.agents.reader.planning.routines import Routines
from housemates.agents.reader.planning.teach_tasks import TeachTasks
from housemates.agents.reader.policy import PerceptionSource, equip, usage_of
from housemates.agents.teach.talk.follower import TalkFollower
from housemates.agents.teach.talk.orders import OrderExecutor
from housemates.agents.teach.talk.parsing import parse
from housemates.agents.teach.talk.vocabulary import grammar_words
from housemates.benchmarks.teach.world.names import types_called
from housemates.core.actions import Act
from housemates.core.outcome import spoken
from housemates.core.percepts import Brief, Utterance
from housemates.home.types import object_type, object_types

SURE = 0.5
"""Probability from which a decoded task is carried out."""
LONGEST = 2000
"""Characters of an utterance that are read."""
TASK = "task"
"""Verb of an order that is a whole task, as the network decodes it."""
MOVE = "move"
"""Verb of an order that is a sequence of moves, given in its words."""
INSPECT = "inspect"
"""Verb of an order to tell what is in or on something."""
UNCLEAR = "unclear"
"""Verb of an utterance that is not understood."""
NEEDS = {
    **dict.fromkeys(("take", "put", "clean", "fill", "empty"), "pickup"),
    **dict.fromkeys(("cook", "toast", "boil"), "cook"),
    **dict.fromkeys(("open", "close"), "open"),
    "slice": "slice",
}
"""The affordance that an order needs of its object or of the object's slices."""
NOT = re.compile(r"\b(?:do ?n[o']?t|do not|never|no need to)\b")
"""Begins a negated order."""
BUT = re.compile(r",|\b(?:but|instead)\b")
"""Ends a negated order."""
SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]*")
WHAT_IS_THERE = re.compile(r"\bwhat(?: ?'| i)?s (?:there )?(?:in|inside|on)\b(?! (?:your|ur) hand)(?: of)?")
"""Asks what is in or on something."""
OTHER = re.compile(
    r"\b(?:(?:the|an)? ?other(?: one)?|another(?: one)?|not (?:that|this)(?: one)?|wrong one)\b"
)
"""Asks for the last order with another object."""
SAME = re.compile(r"\b(?:same|again)(?: thing)? (?:with|for|to)\b")
"""Asks for the last order with the objects that follow."""
REWORDED = (
    (re.compile(r"\b(?:bring|give|hand|fetch|pass|get|grab|pick) (?:me|us)(?: up)?\b"), "get"),
    (re.compile(r"\b(make|cook|prepare|brew|toast|boil|slice|cut|fill) (?:me|us)\b"), r"\1"),
    (re.compile(r"\b(?:teh|hte)\b"), "the"),
)
"""Phrasings of people, and how the grammar has them."""
ALIKE = 0.85
"""Least similarity of a misspelt word and a noun."""
FOREIGN = 0.5
"""Share of unknown words above which an utterance counts as another language."""


class TaskExecutor(OrderExecutor):
    """Carries out single orders, whole tasks, moves and inspections."""

    def __init__(self, orders: OrderExecutor, tasks: TeachTasks) -> None:
        super().__init__(orders.manipulator, orders.grounding)
        self.tasks = tasks
        self.asked: dict[str, TeachTask] = {}
        self.news = ""
        """What was found where it was asked to look, as text."""

    def carry_out(self, order: Order) -> Routine[list[Order]]:
        """Carry out an order or a task; raises `Stuck` for one that makes no sense or fails."""
        if order.verb == UNCLEAR:
            raise Stuck("how", "")
        order = self._resolved(order)
        if order.theme is not None and not _makes_sense(order.verb, order.theme):
            raise Stuck("cannot", order.theme.types[0])
        if order.verb == MOVE and order.theme is not None:
            yield from self._move(order.theme.words.split())
            return []
        if order.verb == INSPECT:
            yield from self._inspect(order)
            return []
        if order.verb != TASK or order.theme is None:
            return (yield from super().carry_out(order))
        yield from self.tasks.carry_out(*self.asked[order.theme.words])
        return []

    def _inspect(self, order: Order) -> Routine[None]:
        """Look into or onto something, and note what is there."""
        self.last = order.theme
        place = yield from self.pick(order.theme, order)
        if place.can("open"):
            yield from self.manipulator.open(place)
        else:
            yield from self.manipulator.navigator.approach(place.key)
        self.news = contents(self.manipulator.navigator, place)

    def _move(self, names: list[str]) -> Routine[None]:
        """Make moves in turn; raises `Stuck` when one is blocked."""
        for name in names:
            outcome = yield from self.manipulator.navigator.do(Act(name))
            if not outcome.success:
                raise Stuck("blocked", "")


class TatcReader(TalkFollower):
    """Parses single orders by grammar and decodes whole tasks with the network.

    Args:
        eyes: `given` for the simulator's segmentation and depth, `own` for predicted ones.
    """

    def __init__(self, eyes: PerceptionSource = "own") -> None:
        self.eyes = eyes

    @property
    def usage(self) -> dict[str, float]:
        """Perception and failures of the episode, for the results."""
        return usage_of(self.eyes, self.troubles)

    def reset(self, brief: Brief) -> None:
        """Begin with an empty map and memory."""
        super().reset(brief)
        self.chatty = 0.0
        equip(self.eyes, self.navigator)
        manipulator = self.orders.manipulator
        limits = brief.limits
        routines = Routines(manipulator, ObjectSearch(manipulator, limits.steps // 2, limits.failures // 2))
        self.reading = TaskExecutor(self.orders, TeachTasks(routines))
        self.orders = self.reading
        self.troubles: list[Stuck] = []
        """Failures so far."""
        self._answer = ""
        """An answer to be given in place of the report."""
        self._did = ""
        """Words of the last order that was carried out."""
        self._words = ""
        """Words of the last order that was heard."""

    def _work(self) -> Routine[None]:
        """Carry out the next order; `it` stays what the Commander spoke of."""
        order, spoken_of, troubles = self.agenda[0], self.orders.last, self._troubles.total()
        yield from super()._work()
        if not self.agenda and self._troubles.total() == troubles:
            self._did = self._words
        if order not in self._said and spoken_of is not None:
            self.orders.last = spoken_of

    def _tell(self, order: Order, trouble: Stuck) -> Routine[None]:
        """Say what is wrong; where retries may help, clear failures and believe in faint detections."""
        self.troubles.append(trouble)
        memory = self.navigator.memory
        if memory.perception.retries:
            memory.clear_failures()
            memory.believed_types.add(trouble.type)
        yield from super()._tell(order, trouble)

    def _report(self) -> Routine[None]:
        """Answer a question, or else report that all is done."""
        words, self._answer, self.reading.news = self.reading.news or self._answer, "", ""
        if not words:
            yield from super()._report()
        else:
            yield from self.navigator.do(Act("Say", {"text": words}))

    def interpret(self, text: str) -> list[LogicalForm]:
        """The logical forms of an utterance: its orders by grammar, or else the decoded task."""
        text = text[:LONGEST]
        if moves := moves_of(text):
            self._words, self._answer = text, ""
            return [Order(MOVE, NounPhrase(words=" ".join(moves)))]
        found = [] if is_halt(text) else _inspected(text) or _affirmed(text)
        if any(isinstance(each, Order) for each in found):
            self._words, self._answer = text, ""
            return found if not _foreign(text) else [Order(UNCLEAR)]
        if any(isinstance(each, Fact) for each in found):
            return found
        return self._repeated(text) or self._task_or_answer(text, found)

    def _repeated(self, text: str) -> list[LogicalForm]:
        """The last order with another object, if that is what is asked for."""
        last = self._said[-1] if self._said else None
        if last is None or last.theme is None:
            return []
        if same := SAME.search(text.lower()):
            return [replace(last, theme=each) for each in _themes(text[same.end() :])]
        if not OTHER.search(text.lower()):
            return []
        return [replace(last, theme=replace(last.theme, traits=last.theme.traits | {"other"}))]

    def _task_or_answer(self, text: str, found: list[LogicalForm]) -> list[LogicalForm]:
        """The decoded task; where there is none, prepare an answer."""
        kind = kind_of(text, found)
        if kind == "stop":
            self.agenda.clear()
        rest = " ".join(each for each in SENTENCE.findall(corrected(text)) if not parse(each))
        decoded = [] if kind in KINDS or _foreign(text) else self._decoded_task(rest)
        self._words = text if decoded else self._words
        self._answer = "" if decoded else answer(kind, self._about(text), found, self.navigator, self._did)
        return decoded or (found if self._answer else [Order(UNCLEAR)])

    def _about(self, text: str) -> NounPhrase | None:
        """What a question about a state refers to, which becomes the antecedent of `it`."""
        asked = theme_of(text)
        if asked in ("it", "that", "this"):
            return self.orders.last
        types = types_called(asked)
        if types:
            self.orders.last = NounPhrase(types, asked)
        return self.orders.last if types else None

    def _decoded_task(self, text: str) -> list[LogicalForm]:
        """The decoded task, if its probability is at least `SURE`."""
        network = shipped_network()
        words = dialogue([Utterance("commander", text)])
        best = decode_dialogue(network.card, network.log_probs(words), words)[0]
        if best.probability < SURE or len(words_of(text)) < 3:
            return []
        self.reading.asked[text] = best.task
        return [Order(TASK, NounPhrase(words=text))]


def _foreign(text: str) -> bool:
    """Whether more than `FOREIGN` of the words are unknown."""
    words, known = [word for word in words_of(text) if word.isalpha()], shipped_network().spelling.known
    return sum(word not in known and not _noun_like(word) for word in words) > FOREIGN * len(words)


def _affirmed(text: str) -> list[LogicalForm]:
    """The logical forms of a text without those that it negates."""
    found: list[LogicalForm] = []
    for sentence in SENTENCE.findall(text):
        said, *others = (corrected(part) for part in NOT.split(_reworded(sentence.lower())))
        found += parse(said)
        for taken_back, *more in (BUT.split(each, maxsplit=1) for each in others):
            for each in parse(taken_back):
                found = [one for one in found if not _same_order(one, each)]
                found.append(Remark("state", each.theme if isinstance(each, Order) else None))
            found += [each for part in more for each in parse(part)]
    return found


def _inspected(text: str) -> list[LogicalForm]:
    """The order to inspect a place, if the text asks what is there."""
    asked = WHAT_IS_THERE.search(text.lower())
    if asked is None:
        return []
    where = next(iter(_themes(text[asked.end() :])), NounPhrase())
    return [*_affirmed(text[: asked.start()]), Order(INSPECT, where)]


def _themes(text: str) -> list[NounPhrase]:
    """The noun phrases at the beginning of a text."""
    found = _affirmed(f"go to {text}")
    return [each.theme for each in found if isinstance(each, Order) and each.theme is not None]


def _reworded(text: str) -> str:
    for said, meant in REWORDED:
        text = said.sub(meant, text)
    return text


def _same_order(one: LogicalForm, other: LogicalForm) -> bool:
    if not isinstance(one, Order) or not isinstance(other, Order) or one.verb != other.verb:
        return False
    themes = [each.theme.types for each in (one, other) if each.theme is not None]
    return len(themes) < 2 or not themes[1] or themes[0] == themes[1]


def _makes_sense(verb: str, theme: NounPhrase) -> bool:
    """Whether the theme affords what the verb needs."""
    need = NEEDS.get(verb, "")
    kinds = [object_type(each) for each in theme.types if each in object_types()]
    kinds += [object_type(each.slice_type) for each in kinds if each.slice_type]
    return not need or not kinds or any(each.can(need) for each in kinds)


def corrected(text: str) -> str:
    """The text with spelling corrected."""
    spelling = shipped_network().spelling
    return " ".join(
        word if not word.isalpha() else _noun_like(word) or _spelt(word, spelling) for word in _parts(text)
    )


def _spelt(word: str, spelling: Spelling) -> str:
    known = word in spelling.known or word in grammar_words()
    return word if known else spelling.guess(word) or word


@cache
def _noun_like(word: str) -> str:
    """The noun that a word is or misspells; empty if it is another word of the grammar or unlike any noun."""
    if word in grammar_words() or word.removesuffix("s") in _nouns():
        return word if word.removesuffix("s") in _nouns() else ""
    alike = [noun for noun in _nouns() if noun[0] == word[0]] if len(word) > 3 else []
    return next(iter(difflib.get_close_matches(word, alike, 1, ALIKE)), "")


@cache
def _nouns() -> frozenset[str]:
    """Every word of an object name."""
    return frozenset(word for name in object_types() for word in spoken(name).split()) - {"sliced"}


def _parts(text: str) -> list[str]:
    """Words and punctuation of a text, in lower case."""
    return re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\S", text.lower())
