"""Situations of a dialogue: what was said and done, which things it is about, what steps leave behind."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from housemates.agents.embodied.grounding import basins
from housemates.agents.reader.language.text import names_of, singular_words, words_of
from housemates.agents.reader.planning.routines import whole_of
from housemates.benchmarks.teach.formats.starts import Given
from housemates.core.percepts import Utterance
from housemates.home.kinds import KNIVES, surfaces
from housemates.home.things import type_in
from housemates.home.types import object_type, object_types

SIGNS = 1 << 16
"""How many signs of situations are told apart."""
FRESH = 2
"""How many of the last utterances say what is to be done now."""
WEIGHTS = {
    "said": 1.0,
    "said as": 0.5,
    "pair": 1.0,
    "pair as": 0.5,
    "answered": 0.5,
    "before": 0.15,
    "did": 0.7,
    "last": 1.0,
    "last as": 0.5,
    "held": 3.5,
}
"""How much each kind of sign counts; `as` marks those in which things are called by the parts they play."""
SWITCHED = ("Faucet", "CoffeeMachine", "Toaster")
"""What is switched for a task."""
PARTS = {
    **dict.fromkeys(("Plate", "Bowl"), "dish"),
    **dict.fromkeys(("Mug", "Cup"), "cup"),
    **dict.fromkeys(("Cabinet", "Drawer", "Safe", "Box"), "cupboard"),
    **dict.fromkeys(("Pot", "Pan", "Kettle", *KNIVES, "WateringCan", "DishSponge"), ""),
    **dict.fromkeys(surfaces("worktop", "top"), "table"),
    **dict.fromkeys(surfaces("couch", "chair"), "seat"),
}
"""What part a type plays, if not `food` or `thing`; things of one part may stand for others."""
DEEDS = ("touched", "cut", "held")
"""Effects that are told by a word and a type; others by a type and where it is or how it is switched."""
ANY, NEW = "", "new"
AT_HAND, COUNTER = "AtHand", "CounterTop"
Effects = Counter[tuple[str, ...]]
"""What is left behind, and how often."""


class Step(NamedTuple):
    """An action of people and the type of what it was done to."""

    action: str
    type: str
    which: str = ANY
    """`new`: one that was not touched before, though others of the type were; else the last one, or any."""


class Touched:
    """Knows what was touched so far, and so whether something is another one of its type."""

    def __init__(self) -> None:
        self._known: dict[str, set[str]] = {}

    def step(self, action: str, object_id: str) -> Step:
        """The step of doing something to a thing."""
        kind = type_in(object_id)
        known = self._known.setdefault(kind, set())
        new = bool(known) and object_id not in known
        known.add(object_id)
        return Step(action, kind, NEW if new else ANY)


def steps_of(given: Given) -> tuple[list[Step], list[Step]]:
    """The steps of people before an EDH session begins, and those that come then."""
    known = Touched()
    before, after = (
        [known.step(each.action, each.object) for each in deeds if each.success and each.object]
        for deeds in (given.history, given.future)
    )
    return before, after


def table_of(steps: Iterable[Step]) -> str:
    """The kind of table on which something was put last; empty if there is none."""
    tables = [each.type for each in steps if each.action == "Place" and part_of(each.type) == "table"]
    return tables[-1] if tables else ""


def with_tables_at_hand(steps: Iterable[Step], table: str) -> list[Step]:
    """Steps in which tables are called `at hand` where they are the one that was used last."""
    found = []
    for step in steps:
        same = step.action == "Place" and step.type == table
        table = table_of([step]) or table
        found.append(step._replace(type=AT_HAND) if same else step)
    return found


def with_tables_here(steps: Iterable[Step], table: str) -> list[Step]:
    """Steps in which what is at hand is the table that was used here last, or else a counter."""
    found = []
    for step in steps:
        if step.type == AT_HAND:
            step = step._replace(type=table or COUNTER)
        table = table_of([step]) or table
        found.append(step)
    return found


class Situation(NamedTuple):
    """What was said so far, and what the Follower did."""

    said: Sequence[Utterance]
    steps: Sequence[Step]


def holding(steps: Sequence[Step]) -> str:
    """The type of what is in the hand after some steps."""
    held = ""
    for step in steps:
        held = {"Pickup": step.type, "Place": ""}.get(step.action, held)
    return held


@cache
def part_of(kind: str) -> str:
    """The part that a type plays; empty for what nothing else can stand for."""
    known = object_types().get(kind)
    if known is None or kind in PARTS:
        return PARTS.get(kind, "")
    if known.slice_type:
        return "food"
    return "thing" if known.can("pickup") else ""


@cache
def _named() -> Mapping[tuple[str, ...], str]:
    """What people call things that play a part."""
    found: dict[tuple[str, ...], str] = {}
    for kind in object_types():
        if part_of(kind):
            for name in names_of(kind):
                found.setdefault(name, kind)
    return found


def named_in(text: str) -> Iterator[tuple[str, str]]:
    """The words of a text, each with the type that it names, if any; a name of several words is one."""
    words = singular_words(text)
    at = 0
    while at < len(words):
        for size in (3, 2, 1):
            kind = _named().get(tuple(words[at : at + size]), "")
            if kind or size == 1:
                yield " ".join(words[at : at + size]), kind
                at += size
                break


class Cast:
    """Which types play which parts: those spoken of last come first, then those touched last."""

    def __init__(self, situation: Situation) -> None:
        spoken = [kind for each in reversed(situation.said) for _, kind in named_in(each.text)]
        touched = [whole_of(step.type) for step in reversed(situation.steps)]
        self.types: dict[str, str] = {}
        """Part -> type."""
        self.parts: dict[str, str] = {}
        """Type -> part."""
        for prefix, kinds in (("said", spoken), ("did", touched)):
            ranks: Counter[str] = Counter()
            for kind in dict.fromkeys(kinds):
                part = part_of(kind)
                if part:
                    name = f"{part} {prefix} {ranks[part]}"
                    ranks[part] += 1
                    self.types[name] = kind
                    self.parts.setdefault(kind, name)

    def called(self, kind: str) -> str:
        """A type as the part that it plays, or as it is."""
        whole = whole_of(kind)
        part = self.parts.get(whole, whole)
        return part if whole == kind else f"{part} cut"

    def instead_of(self, parts: Mapping[str, str]) -> dict[str, str]:
        """For each of somebody's types, with the part it plays: the one that plays it here, if another."""
        found = {}
        for kind, part in parts.items():
            here = self.types.get(part, kind)
            if here == kind or kind in self.parts:
                continue
            found[kind] = here
            cut, cut_here = object_type(kind).slice_type, object_type(here).slice_type
            if cut and cut_here:
                found[cut] = cut_here
        return found


def signs(situation: Situation, cast: Cast) -> dict[int, float]:
    """The signs of a situation, and how strong each is."""
    found: Counter[tuple[str, str]] = Counter()
    for left, utterance in enumerate(reversed(situation.said)):
        words, fresh = words_of(utterance.text), left < FRESH
        if utterance.role != "commander":
            found.update(("answered", word) for word in words if fresh)
            continue
        found.update(("said" if fresh else "before", word) for word in words)
        if fresh:
            found.update(("pair", f"{one} {two}") for one, two in pairwise(words))
            called = [cast.called(kind) if kind else word for word, kind in named_in(utterance.text)]
            found.update(("said as", word) for word in called)
            found.update(("pair as", f"{one} {two}") for one, two in pairwise(called))
    found.update(("did", f"{step.action} {step.type}") for step in situation.steps)
    found.update(("last", f"{step.action} {step.type}") for step in situation.steps[-3:])
    found.update(("last as", f"{step.action} {cast.called(step.type)}") for step in situation.steps[-3:])
    found["held", holding(situation.steps)] += 1
    strong: dict[int, float] = {}
    for (kind, text), count in found.items():
        number = zlib.crc32(f"{kind} {text}".encode()) % SIGNS
        strong[number] = strong.get(number, 0.0) + WEIGHTS[kind] * (1 + float(np.log(count)))
    return strong


def effects(steps: Iterable[Step], held: str) -> Effects:
    """What steps leave behind: where things are, what is on, what was cut and touched, each how often."""
    places: dict[str, list[str]] = {}
    switched: dict[str, str] = {}
    other: Effects = Counter()
    for action, kind, which in steps:
        if action == "Pickup":
            held = kind
            where = places.setdefault(kind, [])
            if where and which != NEW:
                where.pop()
            else:
                other["touched", unified(kind)] += 1
        elif action == "Place":
            if held:
                places.setdefault(held, []).append(basins((kind,))[0])
            held = ""
        elif action == "Slice":
            other["cut", kind] += 1
        elif kind in SWITCHED:
            switched[kind] = action
    if held:
        other["held", unified(held)] += 1
    other.update((unified(kind), place) for kind, found in places.items() for place in found)
    other.update(switched.items())
    return other


def subject(effect: tuple[str, ...]) -> str:
    """The type of what an effect is about."""
    return effect[1] if effect[0] in DEEDS else effect[0]


def unified(kind: str) -> str:
    """A type; all knives are one."""
    return KNIVES[0] if kind in KNIVES else kind
