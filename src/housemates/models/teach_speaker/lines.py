"""People's utterances as lines with slots for what a room decides; what cannot be vouched for is left out."""

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
"""What is spoken of, where it is, where the task wants it; a place that is not told in its own words yet."""
LONGEST_NOUN = 3
LONGEST_LINE = 20
"""Words of a line, at most."""


def listed(name: str) -> tuple[str, ...]:
    """A list of `lines.toml`."""
    return tuple(shipped(__package__, "lines.toml")[name])


@cache
def _where() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What says where something is, and any relation that is left."""
    relation = f"(?:{'|'.join(listed('relations'))})"
    rest = r"(?: (?:the|a|an|your|our|of))?(?: [a-z]+)??"
    whole = rf"\b{relation}{rest} {PLACE}(?:(?: {relation}{rest})? {PLACE})*"
    return re.compile(whole), re.compile(rf"\b{relation}\b")


class Line(NamedTuple):
    """An utterance without what the room decides."""

    text: str
    types: tuple[str, ...] = ()
    """Of things that it names in so many words."""

    @property
    def depends(self) -> bool:
        """Whether it speaks of anything at all that can be so or not."""
        return not set(self.text.split()) <= set(listed("chat"))

    @property
    def praises(self) -> bool:
        """Whether it is said of something that was done."""
        return not set(self.text.split()).isdisjoint(listed("praise"))


def nouns(text: str) -> list[str]:
    """The likeliest type of each noun of a text."""
    tokens, at = words(text), 0
    found: list[str] = []
    while at < len(tokens):
        types, length = _noun(tokens, at)
        found += types[:1]
        at += length or 1
    return found


def line_of(text: str, thing: str, goals: Collection[str]) -> Line | None:
    """The line of what was said of a type of thing; None where it says more than a room can vouch for.

    Args:
        text: What was said.
        thing: The type that is spoken of.
        goals: Types of places where the task wants things.
    """
    tokens = words(text)
    asks = "?" in tokens and set(tokens).isdisjoint(listed("asks"))
    if asks or not set(tokens).isdisjoint(listed("unsure")) or any(each.isdigit() for each in tokens):
        return None
    moves = not set(tokens).isdisjoint(listed("moves"))
    tells = not set(tokens).isdisjoint(listed("tells"))
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
    """The words with slots for nouns, and the types of nouns that are kept."""
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
    """What stands for a noun; nothing where it is kept."""
    if thing in meant:
        return THING
    if not tells and not set(meant).isdisjoint(goals):
        return GOAL
    kind = object_types()[meant[0]]
    holds = kind.can("receptacle") and not kind.can("pickup")
    return PLACE if holds and (tells or meant[0] not in listed("tools")) else ""


def _noun(tokens: Sequence[str], at: int) -> tuple[tuple[str, ...], int]:
    """The types that a noun at a place may mean, and how many words it has; 0 if there is none."""
    for length in range(min(LONGEST_NOUN, len(tokens) - at), 0, -1):
        part = tokens[at : at + length]
        name = " ".join(part)
        if name in table("never")["nouns"] or not all(each.isalpha() for each in part):
            continue
        types = () if name in listed("dishes") else types_called(name)
        if types:
            return types, length
    return (), 0


def said(line: str, thing: str, where: str, goal: str) -> str:
    """A line with its slots filled in, as a person would write it."""
    text = line.replace(THING, thing).replace(WHERE, where).replace(GOAL, goal)
    text = re.sub(r" (?=[.,!?;:')])", "", text).strip()
    return text[:1].upper() + text[1:]
