"""Delexicalisation: people's utterances as lines with slots for what depends on the room.

Utterances that claim what cannot be checked in another room are left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from typing import NamedTuple

from housemates.agents.teach.talk.vocabulary import table
from housemates.benchmarks.teach.world.names import types_called
from housemates.files import shipped
from housemates.home.types import object_types
from housemates.models.vocabulary import words

THING, WHERE, GOAL, PLACE = "<thing>", "<where>", "<goal>", "<place>"
"""Slots: the thing, where it is, where the task wants it; and a place that no other slot has absorbed yet."""
LONGEST_NOUN, LONGEST_LINE = 3, 20
"""Limits in words."""


def words_of(name: str) -> tuple[str, ...]:
    """A word list of `lines.toml` by its name."""
    return tuple(shipped(__package__, "lines.toml")[name])


@cache
def _where() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns of a phrase that says where something is, and of any spatial relation."""
    relation = f"(?:{'|'.join(words_of('relations'))})"
    rest = r"(?: (?:the|a|an|your|our|of))?(?: [a-z]+)??"
    whole = rf"\b{relation}{rest} {PLACE}(?:(?: {relation}{rest})? {PLACE})*"
    return re.compile(whole), re.compile(rf"\b{relation}\b")


class Line(NamedTuple):
    """A delexicalised utterance, hashable, so that equal ones are counted together."""

    text: str
    types: tuple[str, ...] = ()
    """Types of things that it names literally."""

    @property
    def claims(self) -> bool:
        """Whether it says more than small talk, so that it can be true or false."""
        return not set(self.text.split()) <= set(words_of("chat"))

    @property
    def praises(self) -> bool:
        """Whether it praises, which presumes that something was done."""
        return not set(self.text.split()).isdisjoint(words_of("praise"))


def nouns(text: str) -> list[str]:
    """The likeliest object type of each noun in a text."""
    tokens, at = words(text), 0
    found: list[str] = []
    while at < len(tokens):
        types, length = _noun(tokens, at)
        found += types[:1]
        at += length or 1
    return found


def line_of(text: str, thing: str, goals: Collection[str]) -> Line | None:
    """Delexicalise an utterance; None if it asks, doubts, counts or claims what cannot be checked elsewhere.

    Args:
        text: The utterance.
        thing: The object type that it is about.
        goals: Types of places where the task wants things.
    """
    tokens = words(text)
    asks = "?" in tokens and set(tokens).isdisjoint(words_of("asks"))
    if asks or not set(tokens).isdisjoint(words_of("unsure")) or any(each.isdigit() for each in tokens):
        return None
    moves = not set(tokens).isdisjoint(words_of("moves"))
    tells = not set(tokens).isdisjoint(words_of("tells"))
    found, types = _slotted(tokens, thing, goals, tells)
    whole = _where()[0].sub(WHERE, " ".join(found))
    if tells and ((moves and WHERE in whole) or _where()[1].search(whole)):
        return None
    subject = THING in whole or whole.startswith((WHERE, "it "))
    if PLACE in whole or (WHERE in whole and (not subject or types)):
        return None
    short = 0 < len(whole.split()) <= LONGEST_LINE
    return Line(whole, tuple(sorted(set(types)))) if short else None


def _slotted(
    tokens: Sequence[str], thing: str, goals: Collection[str], tells: bool
) -> tuple[list[str], list[str]]:
    """The words with slots for nouns, and the types of the nouns that stay."""
    found: list[str] = []
    types: list[str] = []
    at = 0
    while at < len(tokens):
        meant, length = _noun(tokens, at)
        slot = _slot(meant, thing, goals, tells) if meant else ""
        if meant and not slot:
            types.append(meant[0])
        found += [slot] if slot else tokens[at : at + (length or 1)]
        at += length or 1
    return found, types


def _slot(meant: tuple[str, ...], thing: str, goals: Collection[str], tells: bool) -> str:
    """The slot of a noun that may mean some types; empty if it stays."""
    if thing in meant:
        return THING
    if not tells and not set(meant).isdisjoint(goals):
        return GOAL
    kind = object_types()[meant[0]]
    holds = kind.can("receptacle") and not kind.can("pickup")
    return PLACE if holds and (tells or meant[0] not in words_of("tools")) else ""


def _noun(tokens: Sequence[str], at: int) -> tuple[tuple[str, ...], int]:
    """The types that the noun at a position may mean, and its length in words; 0 if there is none."""
    for length in range(min(LONGEST_NOUN, len(tokens) - at), 0, -1):
        part = tokens[at : at + length]
        name = " ".join(part)
        if name in table("never")["nouns"] or not all(each.isalpha() for each in part):
            continue
        types = () if name in words_of("dishes") else types_called(name)
        if types:
            return types, length
    return (), 0


def fill_slots(line: str, thing: str, where: str, goal: str) -> str:
    """A line with its slots filled in, detokenised and capitalised."""
    text = line.replace(THING, thing).replace(WHERE, where).replace(GOAL, goal)
    text = re.sub(r" (?=[.,!?;:')])", "", text).strip()
    return text[:1].upper() + text[1:]
