"""How people say where something is: the words before the place, and the relations that describe it."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple

from housemates.agents.teach.people.delexicalisation import LONGEST_END, THING, nouns_of, tokens_of
from housemates.agents.teach.talk.vocabulary import match

SIDES = ("my left", "my right", "ahead", "behind me")
"""Relations to the listener, which have no anchor."""
PLACED = ("in", "on", "left", "right", "near", "above", "below")
BARE = "bare"
"""The shape of a place that is only named."""


class Place(NamedTuple):
    """A segment that says where something is."""

    subject: str
    """What comes before the place, with a slot for the thing."""
    shape: str
    """The relations one after the other, such as `in near`."""
    words: tuple[tuple[str, str], ...]
    """Each relation with the words for it."""


def place_of(text: str) -> Place | None:
    """What a segment says of a place; None if it says nothing or something more."""
    tokens = tokens_of(text)
    nouns = {noun.start: noun for noun in nouns_of(tokens)}
    subject: list[str] = []
    shape: list[tuple[str, str]] = []
    at = 0
    while at < len(tokens):
        relation, length = _relation(tokens, at, nouns)
        if relation:
            shape.append((relation, " ".join(tokens[at : at + length])))
            at += length
            continue
        if at in nouns:
            subject += [] if shape else [THING]
            at = nouns[at].end
            continue
        subject += [] if shape else [tokens[at]]
        at += 1
    if not shape or len(subject) > LONGEST_END + 1 or subject.count(THING) > 1:
        return None
    return Place(" ".join(subject), " ".join(each for each, _ in shape), tuple(shape))


def _relation(tokens: Sequence[str], at: int, nouns: Container[int]) -> tuple[str, int]:
    """The relation that begins here, with its length; to the listener, or to a noun soon after it."""
    side, length = match(tokens, at, "yours")
    if length and (at + length >= len(tokens) or tokens[at + length] != "of"):
        return side, length
    relation, length = match(tokens, at, "relations")
    near = any(start in nouns for start in range(at + length, at + length + 4))
    return (relation, length) if relation in PLACED and near else ("", 0)
