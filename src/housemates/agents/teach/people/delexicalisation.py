"""Delexicalisation: a segment of a turn split into opener, core and closer, with slots for what is spoken of.

The three are counted apart, so that what is kept are phrases that several sessions share, and no lines.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from housemates.agents.embodied.semantics import Fact, NounPhrase, Order
from housemates.agents.teach.talk.parsing import parse
from housemates.agents.teach.talk.vocabulary import match, table
from housemates.benchmarks.teach.world.names import types_called
from housemates.files import shipped
from housemates.home.types import object_types

THING, GOAL, COUNT = "<thing>", "<goal>", "<n>"
"""Slots: the thing, where it is to go, and how many."""
PRONOUNS = ("it", "them", "that", "those", "this")
LONGEST_NOUN, LONGEST_END, LONGEST_CORE = 3, 4, 12
"""Limits in words: of a noun, of openers and closers, of cores."""
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|,")


class Noun(NamedTuple):
    """A noun with the words that say it is cut, by the places of its words."""

    start: int
    end: int
    types: tuple[str, ...]
    words: str


class Pattern(NamedTuple):
    """What is left of a segment."""

    key: str
    """What it asks for: a verb, whether it names a thing or says `it`, and whether it names a goal."""
    opener: str
    core: str
    closer: str


def tokens_of(text: str) -> list[str]:
    """Lower-case words, numbers and commas."""
    return _TOKEN.findall(text.lower().replace("\u2019", "'"))


def nouns_of(tokens: Sequence[str]) -> Iterator[Noun]:
    """The nouns for things, from left to right."""
    at = 0
    while at < len(tokens):
        noun = _noun(tokens, at)
        at = noun.end if noun is not None else at + 1
        if noun is not None:
            yield noun


def _noun(tokens: Sequence[str], at: int) -> Noun | None:
    """The noun that begins here, perhaps with `slices of` before it or `slices` behind it."""
    cut = match(tokens, at, "cuts")
    start = at + (cut[1] if cut[0] == "slices" else 0)
    for length in range(min(LONGEST_NOUN, len(tokens) - start), 0, -1):
        words = " ".join(tokens[start : start + length])
        if words in table("never")["nouns"] or not words.replace(" ", "").isalpha():
            continue
        types = types_called(words)
        if types:
            end = start + length
            behind = end < len(tokens) and tokens[end] in table("cuts")["after"]
            if behind or start > at:
                types = tuple(dict.fromkeys(object_types()[each].slice_type or each for each in types))
            return Noun(at, end + behind, types, words)
    return None


def instruction(text: str) -> tuple[Pattern, NounPhrase] | None:
    """The pattern of a segment with exactly one order, and what the order is about."""
    orders = [each for each in parse(text) if isinstance(each, Order)]
    if len(orders) != 1 or orders[0].theme is None:
        return None
    order, tokens = orders[0], tokens_of(text)
    assert order.theme is not None
    first = next((at for at in range(len(tokens)) if match(tokens, at, "verbs")[1]), None)
    if first is None or first > LONGEST_END:
        return None
    anchor = order.goal.anchor if order.goal is not None else None
    goals = () if anchor is None else anchor.types
    slotted = _slotted(tokens, first + match(tokens, first, "verbs")[1], order.theme.types, goals)
    if slotted is None:
        return None
    found, last = slotted
    named, last = _named(order.theme, found, last)
    goal = "goal" if GOAL in found else "-"
    if (goals and goal == "-") or (order.theme.types and named != "thing"):
        return None
    verb = _verb(order, named)
    core, closer = found[first:last], found[last:]
    if len(core) > LONGEST_CORE or len(closer) > LONGEST_END:
        return None
    return Pattern(
        f"{verb} {named} {goal}", _joined(found[:first]), _joined(core), _joined(closer)
    ), order.theme


def _named(theme: NounPhrase, found: Sequence[str], last: int) -> tuple[str, int]:
    """How the theme is named: by a slot, a pronoun, a dish or not at all; and the end of what names it."""
    if THING in found:
        return "thing", last
    dish = theme.words.split()
    for at in range(len(found)):
        if dish and list(found[at : at + len(dish)]) == dish:
            return theme.words, max(last, at + len(dish))
    pronoun = next((at for at, each in enumerate(found) if each in PRONOUNS), None)
    return ("-", last) if pronoun is None else ("it", max(last, pronoun + 1))


def mention(text: str, ahead: Collection[str]) -> tuple[Pattern, tuple[str, ...]] | None:
    """The pattern of a segment that names just one thing, which is touched next, and gives no order."""
    tokens = tokens_of(text)
    nouns = list(nouns_of(tokens))
    if (
        len(nouns) != 1
        or set(nouns[0].types).isdisjoint(ahead)
        or any(isinstance(each, Order | Fact) for each in parse(text))
    ):
        return None
    slotted = _slotted(tokens, 0, nouns[0].types, ())
    if slotted is None or len(slotted[0]) > LONGEST_CORE:
        return None
    return Pattern("mention thing -", "", _joined(slotted[0]), ""), nouns[0].types


def whole_task(text: str, params: Sequence[str]) -> str | None:
    """A segment that hands over the whole task, with `<0>`, `<1>`, ... for the task's parameters."""
    tokens = tokens_of(text)
    found = list(tokens)
    for noun in reversed(list(nouns_of(tokens))):
        at = next((number for number, each in enumerate(params) if _means(noun, each)), None)
        if at is None and not _is_tool(noun):
            return None
        if at is not None:
            found[noun.start : noun.end] = [f"<{at}>"]
    count = params[0] if params and params[0].isdigit() else None
    found = [COUNT if each == count else each for each in found]
    if any(each.isdigit() for each in found) or len(found) > LONGEST_CORE:
        return None
    return _joined(found)


def _means(noun: Noun, param: str) -> bool:
    kinds = {param, f"{param}Sliced"}
    return not kinds.isdisjoint(noun.types) or param in table_names(noun.words)


def table_names(words: str) -> tuple[str, ...]:
    """Classes of things that are called so, such as `Tables`."""
    plural = "".join(each.title() for each in words.split())
    return plural, f"{plural}s"


def _slotted(
    tokens: Sequence[str], first: int, theme: Collection[str], goals: Collection[str]
) -> tuple[list[str], int] | None:
    """The tokens with slots, and the end of the last slot; None if a noun fits no slot and is no tool."""
    found: list[str] = []
    at, last = 0, first
    behind = [
        noun._replace(start=noun.start + first, end=noun.end + first) for noun in nouns_of(tokens[first:])
    ]
    if any(nouns_of(tokens[: max(first - 1, 0)])):
        return None
    for noun in [*behind, None]:
        end = len(tokens) if noun is None else noun.start
        found += [COUNT if each.isdigit() else each for each in tokens[at:end]]
        if noun is None:
            return found, last
        at = noun.end
        whole = {object_types()[each].slice_type or each for each in noun.types}
        if THING not in found and not {*noun.types, *whole}.isdisjoint(theme):
            found.append(THING)
            last = len(found)
        elif GOAL not in found and not set(noun.types).isdisjoint(goals):
            found.append(GOAL)
            last = len(found)
        elif _is_tool(noun):
            found += tokens[noun.start : noun.end]
        else:
            return None
    return None


def _is_tool(noun: Noun) -> bool:
    return not set(noun.types).isdisjoint(shipped(__package__, "wording.toml")["tools"]["types"])


def _verb(order: Order, named: str) -> str:
    """The verb, with what people call `make a slice` and `cook bread` under their usual names."""
    assert order.theme is not None
    kinds = order.theme.types
    if order.verb == "make" and kinds and kinds[0].endswith("Sliced"):
        return "slice" if kinds[0] != "BreadSliced" or named == "thing" else "make"
    if order.verb == "cook" and "BreadSliced" in kinds:
        return "toast"
    return order.verb


def _joined(tokens: Sequence[str]) -> str:
    return " ".join(tokens).replace(" ,", ",").strip(" ,")
