"""Set selection: which set is next, who takes which card, and which set follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from housemates.agents.cerealbar.set_search import (
    FOLLOWER_STEPS,
    LEADER_STEPS,
    ORDER,
    TARGET,
    TURNS,
    candidates,
    choose,
)
from housemates.agents.cerealbar.tours import MOST, Ints, Steps, find_sets, measure
from housemates.benchmarks.cerealbar.world.cards import Card
from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.benchmarks.cerealbar.world.paths import FAR, steps_between, steps_from
from housemates.benchmarks.cerealbar.world.tables import COLOURS, SHAPES

BEAM = 16
"""Beam width: plans for the next set that are continued with one more."""


@dataclass(frozen=True)
class SetPlan:
    """Who flips which cards, in order, to complete one set."""

    target: tuple[int, ...]
    """The hexes of the set."""
    leader: tuple[int, ...]
    follower: tuple[int, ...]
    leader_steps: int
    follower_steps: int
    turns: int
    """Turns of both players until it is complete, this one not counted."""


class Layout:
    """Cards on a map: the sets among them, and steps and tours between them, other cards being obstacles."""

    def __init__(self, hexmap: HexMap, cards: Mapping[int, Card], back: bool) -> None:
        self.hexes = sorted(cards)
        self.places = np.array(self.hexes, dtype=np.int32)
        self.number = {at: number for number, at in enumerate(self.hexes)}
        faces = [cards[at] for at in self.hexes]
        traits = [[face.number, COLOURS.index(face.colour), SHAPES.index(face.shape)] for face in faces]
        self.sets: Ints = find_sets(np.array(traits, dtype=np.int32).reshape(-1, 3))
        self.between = steps_between(hexmap, self.hexes, back)
        self.one, self.two = measure(self.between)
        self.three: Steps = np.full((len(self.between), len(self.sets)), -1, dtype=np.int16)
        """Tours over three cards, filled on demand."""

    def flags(self, hexes: Iterable[int]) -> Ints:
        """A 0/1 vector over the cards."""
        found = np.zeros(len(self.hexes), dtype=np.int32)
        for at in hexes:
            found[self.number[at]] = 1
        return found


@lru_cache(maxsize=128)
def _layout(hexmap: HexMap, cards: tuple[tuple[int, Card], ...], back: bool) -> Layout:
    return Layout(hexmap, dict(cards), back)


class Distances:
    """Steps from both players to every card, and the layout of the cards."""

    def __init__(
        self, hexmap: HexMap, cards: Mapping[int, Card], poses: tuple[int, int], back: bool = True
    ) -> None:
        self.layout = _layout(hexmap, tuple(sorted(cards.items())), back)
        self.firsts: Steps = np.empty((2, len(cards), 6), dtype=np.int16)
        for role, pose in enumerate(poses):
            self.firsts[role] = steps_from(hexmap, pose, self.layout.places, back)
            if pose // 6 in cards:
                under = self.layout.number[pose // 6]
                self.firsts[role, under] = FAR
                self.firsts[role, under, pose % 6] = 2


def best_plans(
    distances: Distances,
    selected: Iterable[int],
    now: int,
    assigned: Iterable[int] = (),
    lookahead: bool = True,
    rank: int = 0,
) -> list[SetPlan]:
    """The best plan for the next set and, if there is one, for the set after it.

    Args:
        distances: Of the present state.
        selected: Hexes of the selected cards.
        now: Steps the leader has left in this turn.
        assigned: Cards the follower was already told to flip.
        lookahead: Choose the first plan with regard to the second.
        rank: Without lookahead, pass over so many better plans.
    """
    layout = distances.layout
    must = layout.flags(assigned)
    choices = candidates(layout.sets, layout.flags(selected), must)
    found = choose(
        choices,
        layout.sets,
        distances.firsts,
        layout.between,
        layout.one,
        layout.two,
        layout.three,
        now,
        must,
        BEAM if lookahead else 0,
        rank,
    )
    return [_plan(layout, row) for row in found.tolist()]


def _plan(layout: Layout, row: list[int]) -> SetPlan:
    hexes = layout.hexes
    return SetPlan(
        tuple(hexes[i] for i in layout.sets[row[TARGET]].tolist()),
        tuple(hexes[i] for i in row[ORDER : ORDER + MOST] if i >= 0),
        tuple(hexes[i] for i in row[ORDER + MOST : TARGET] if i >= 0),
        row[LEADER_STEPS],
        row[FOLLOWER_STEPS],
        row[TURNS],
    )
