"""Cards and sets: three cards that differ in colour, in shape and in count."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from housemates.benchmarks.cerealbar.world.tables import COLOURS, COUNTS, SHAPES
from housemates.errors import HousematesError

SET_SIZE = 3


class Card(NamedTuple):
    """What is printed on a card."""

    number: int
    colour: str
    shape: str

    def __str__(self) -> str:
        return f"{self.number} {self.colour} {self.shape}"


def differ(cards: Iterable[Card]) -> bool:
    """Whether no two of the cards share a colour, a shape or a number."""
    return all(
        a.colour != b.colour and a.shape != b.shape and a.number != b.number
        for a, b in combinations(cards, 2)
    )


def is_set(cards: Collection[Card]) -> bool:
    """Whether these cards earn a point."""
    return len(cards) == SET_SIZE and differ(cards)


def is_extendable(cards: Collection[Card]) -> bool:
    """Whether cards could still become a set; a selection that cannot is shown in red to the leader."""
    return len(cards) <= SET_SIZE and differ(cards)


def has_set(cards: Sequence[Card]) -> bool:
    """Whether three of the cards make a set."""
    return any(True for _ in sets(cards))


def sets(cards: Sequence[Card]) -> Iterable[tuple[int, int, int]]:
    """The positions of every three cards that make a set."""
    for i, a in enumerate(cards):
        for j in range(i + 1, len(cards)):
            b = cards[j]
            if a.colour == b.colour or a.shape == b.shape or a.number == b.number:
                continue
            for k in range(j + 1, len(cards)):
                c = cards[k]
                if (
                    c.colour not in (a.colour, b.colour)
                    and c.shape not in (a.shape, b.shape)
                    and c.number not in (a.number, b.number)
                ):
                    yield i, j, k


def draw(rng: np.random.Generator) -> Card:
    """Any card: colour, shape and count independent of each other."""
    count, colour, shape = (
        int(rng.random() * len(COUNTS)),
        int(rng.random() * len(COLOURS)),
        int(rng.random() * len(SHAPES)),
    )
    return Card(COUNTS[count], COLOURS[colour], SHAPES[shape])


def draw_set(rng: np.random.Generator) -> list[Card]:
    """Three cards that make a set."""
    colours = rng.permutation(len(COLOURS))
    shapes = rng.permutation(len(SHAPES))
    counts = rng.permutation(len(COUNTS))
    return [Card(COUNTS[counts[i]], COLOURS[colours[i]], SHAPES[shapes[i]]) for i in range(SET_SIZE)]


def deal(rng: np.random.Generator, number: int, table: Sequence[Card]) -> list[Card]:
    """Draw until the new cards and those on the table contain a set."""
    if len(table) + number < SET_SIZE:
        raise HousematesError(f"cards: expected {SET_SIZE} or more, found {len(table) + number}.")
    while True:
        new = [draw(rng) for _ in range(number)]
        if has_set([*table, *new]):
            return new
