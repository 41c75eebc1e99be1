"""Features of a dialogue history: words, roles that objects play, past steps, and the effects of steps."""

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

FEATURES = 1 << 16
"""Number of hashed features."""
FRESH = 2
"""Number of last utterances that say what is to be done now."""
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
"""Weight of each kind of feature; `as` marks kinds with objects replaced by their roles."""
SWITCHED = ("Faucet", "CoffeeMachine", "Toaster")
"""Types that are switched for a task."""
PARTS = {
    **dict.fromkeys(("Plate", "Bowl"), "dish"),
    **dict.fromkeys(("Mug", "Cup"), "cup"),
    **dict.fromkeys(("Cabinet", "Drawer", "Safe", "Box"), "cupboard"),
    **dict.fromkeys(("Pot", "Pan", "Kettle", *KNIVES, "WateringCan", "DishSponge"), ""),
    **dict.fromkeys(surfaces("worktop", "top"), "table"),
    **dict.fromkeys(surfaces("couch", "chair"), "seat"),
}
"""Role of a type, if not `food` or `thing`; types of one role may replace each other."""
ACTION_EFFECTS = ("touched", "cut", "held")
"""Effects of the form (word, type); all others are (type, place or switch)."""
ANY, NEW = "", "new"
AT_HAND, COUNTER = "AtHand", "CounterTop"
Effects = Counter[tuple[str, ...]]
"""Effects of steps, with counts."""


class TypedStep(NamedTuple):
    """An action of people and the type of its object."""

    action: str
    type: str
    which: str = ANY
    """`new`: an instance not touched before, though others were; else the last one, or any."""


class TouchedObjects:
    """Instances touched so far, which tell a new one of a type from an old one."""

    def __init__(self) -> None:
        self._known: dict[str, set[str]] = {}

    def step(self, action: str, object_id: str) -> TypedStep:
        """The step of an action on an object, which counts as touched from now on."""
        kind = type_in(object_id)
        known = self._known.setdefault(kind, set())
        new = bool(known) and object_id not in known
        known.add(object_id)
        return TypedStep(action, kind, NEW if new else ANY)


def steps_of(given: Given) -> tuple[list[TypedStep], list[TypedStep]]:
    """People's steps before an EDH session, and those in it."""
    known = TouchedObjects()
    before, after = (
        [known.step(each.action, each.object) for each in interactions if each.success and each.object]
        for interactions in (given.history, given.future)
    )
    return before, after


def table_of(steps: Iterable[TypedStep]) -> str:
    """Type of the table on which something was put last; empty if there is none."""
    tables = [each.type for each in steps if each.action == "Place" and part_of(each.type) == "table"]
    return tables[-1] if tables else ""


def with_tables_at_hand(steps: Iterable[TypedStep], table: str) -> list[TypedStep]:
    """Steps with the table that was used last replaced by `AtHand`."""
    found = []
    for step in steps:
        same = step.action == "Place" and step.type == table
        table = table_of([step]) or table
        found.append(step._replace(type=AT_HAND) if same else step)
    return found


def with_tables_here(steps: Iterable[TypedStep], table: str) -> list[TypedStep]:
    """Steps with `AtHand` replaced by the table that was used last here, or else a counter."""
    found = []
    for step in steps:
        if step.type == AT_HAND:
            step = step._replace(type=table or COUNTER)
        table = table_of([step]) or table
        found.append(step)
    return found


class History(NamedTuple):
    """The dialogue so far, and the Follower's steps."""

    said: Sequence[Utterance]
    steps: Sequence[TypedStep]


def holding(steps: Sequence[TypedStep]) -> str:
    """Type of what is in the hand after some steps."""
    held = ""
    for step in steps:
        held = {"Pickup": step.type, "Place": ""}.get(step.action, held)
    return held


@cache
def part_of(kind: str) -> str:
    """Role of a type; empty for types that nothing can replace."""
    known = object_types().get(kind)
    if known is None or kind in PARTS:
        return PARTS.get(kind, "")
    if known.slice_type:
        return "food"
    return "thing" if known.can("pickup") else ""


@cache
def _named() -> Mapping[tuple[str, ...], str]:
    """Name, as its words -> type, for types that have a role."""
    found: dict[tuple[str, ...], str] = {}
    for kind in object_types():
        if part_of(kind):
            for name in names_of(kind):
                found.setdefault(name, kind)
    return found


def named_in(text: str) -> Iterator[tuple[str, str]]:
    """Words of a text, each with the type that it names, if any; a name of several words is one."""
    words = singular_words(text)
    at = 0
    while at < len(words):
        for size in (3, 2, 1):
            kind = _named().get(tuple(words[at : at + size]), "")
            if kind or size == 1:
                yield " ".join(words[at : at + size]), kind
                at += size
                break


class RoleBinding:
    """A binding of roles to types: those mentioned last come first, then those touched last."""

    def __init__(self, history: History) -> None:
        spoken = [kind for each in reversed(history.said) for _, kind in named_in(each.text)]
        touched = [whole_of(step.type) for step in reversed(history.steps)]
        self.types: dict[str, str] = {}
        """Role -> type."""
        self.parts: dict[str, str] = {}
        """Type -> role."""
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
        """The role of a type, or the type itself."""
        whole = whole_of(kind)
        part = self.parts.get(whole, whole)
        return part if whole == kind else f"{part} cut"

    def instead_of(self, parts: Mapping[str, str]) -> dict[str, str]:
        """Substitution of another history's types, with their roles, by those bound here."""
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


def features(history: History, cast: RoleBinding) -> dict[int, float]:
    """Hashed features of a history, with their weights before IDF."""
    found: Counter[tuple[str, str]] = Counter()
    for left, utterance in enumerate(reversed(history.said)):
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
    found.update(("did", f"{step.action} {step.type}") for step in history.steps)
    found.update(("last", f"{step.action} {step.type}") for step in history.steps[-3:])
    found.update(("last as", f"{step.action} {cast.called(step.type)}") for step in history.steps[-3:])
    found["held", holding(history.steps)] += 1
    strong: dict[int, float] = {}
    for (kind, text), count in found.items():
        number = zlib.crc32(f"{kind} {text}".encode()) % FEATURES
        strong[number] = strong.get(number, 0.0) + WEIGHTS[kind] * (1 + float(np.log(count)))
    return strong


def effects(steps: Iterable[TypedStep], held: str) -> Effects:
    """Effects of steps: places, switches, cuts, touches and what is held."""
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
    """The type that an effect is about."""
    return effect[1] if effect[0] in ACTION_EFFECTS else effect[0]


def unified(kind: str) -> str:
    """The type, with all knives as one."""
    return KNIVES[0] if kind in KNIVES else kind
