"""Which set to take next, who takes which card, and what to take after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.agents.tours import (
    COLUMNS,
    HOPELESS,
    LAST,
    MINE,
    MOST,
    NEEDED,
    ORDER,
    YOURS,
    Ints,
    score_plans,
)
from housemates.benchmarks.cerealbar.world.cards import Card, sets
from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.benchmarks.cerealbar.world.paths import FAR, flood_all, mask
from housemates.benchmarks.cerealbar.world.state import STEPS

BEAM = 16
"""How many plans for the next set are continued with a plan for the one after."""


@dataclass(frozen=True)
class Plan:
    """Who flips which cards, in order, to complete one set."""

    target: tuple[int, ...]
    """The hexes of the set."""
    leader: tuple[int, ...]
    follower: tuple[int, ...]
    leader_steps: int
    follower_steps: int
    turns: int
    """Turns of both players until it is complete, this one not counted."""


class Distances:
    """Steps from both players and from every card to every card, other cards being obstacles."""

    def __init__(
        self, hexmap: HexMap, cards: dict[int, Card], poses: tuple[int, int], back: bool = True
    ) -> None:
        self.hexes = sorted(cards)
        self.cards = [cards[at] for at in self.hexes]
        goals = np.array(self.hexes, dtype=np.int32)
        starts = np.concatenate([(goals[:, None] * 6 + np.arange(6)).ravel(), poses]).astype(np.int32)
        table = flood_all(hexmap.exit_table, mask(hexmap, set(self.hexes)), starts, goals, back)
        self.between: Ints = table[:-2]
        self.firsts: Ints = table[-2:].copy()
        for role, pose in enumerate(poses):
            if pose // 6 in cards:
                under = self.hexes.index(pose // 6)
                self.firsts[role, under] = FAR
                self.firsts[role, under, pose % 6] = 2

    def candidates(self, selected: Iterable[int], without: Iterable[int] = ()) -> Ints:
        """The cards to flip for each set on the map, and the set's own cards: `[set, 2 * MOST]`."""
        chosen = {self.hexes.index(at) for at in selected}
        gone = {self.hexes.index(at) for at in without}
        rows = []
        for found in sets(self.cards):
            flips = sorted(chosen.symmetric_difference(found))
            if len(flips) <= MOST and not gone.intersection(found):
                rows.append([*flips, *[-1] * (MOST - len(flips)), *found, -1])
        return np.array(rows, dtype=np.int32).reshape(-1, 2 * MOST)


def best_plans(
    distances: Distances,
    selected: Iterable[int],
    now: int,
    assigned: Iterable[int] = (),
    lookahead: bool = True,
    rank: int = 0,
) -> list[Plan]:
    """The best plan for the next set and, if there is one, for the set after it.

    Args:
        distances: Of the present state.
        selected: Hexes of the selected cards.
        now: Steps the leader has left in this turn.
        assigned: Cards the follower was already told to flip.
        lookahead: Choose the first plan with regard to the second.
        rank: Without lookahead, pass over so many better plans.
    """
    must = np.zeros(len(distances.hexes), dtype=np.int32)
    must[[distances.hexes.index(at) for at in assigned]] = 1
    choices = distances.candidates(selected)
    choices = choices[[_takes(row, must) for row in choices]] if must.any() else choices
    if not len(choices):
        return []
    value, out = _score(distances, choices, distances.firsts, (0, 0), 0, now, must)
    order = np.argsort(value, axis=None, kind="stable")
    order = order[:BEAM] if lookahead else order[min(rank, int((value < HOPELESS).sum()) - 1) :][:1]
    best, chosen = HOPELESS, []
    for flat in order:
        candidate, subset = divmod(int(flat), value.shape[1])
        if value[candidate, subset] >= HOPELESS:
            break
        plan = _plan(distances, choices[candidate], out[candidate, subset])
        total, second = _continue(distances, plan, out[candidate, subset], now) if lookahead else (0.0, None)
        total += 0.6 * value[candidate, subset]
        if total < best:
            best, chosen = total, [plan, *([second] if second else [])]
    return chosen


def _takes(row: Ints, must: Ints) -> bool:
    flips = {int(i) for i in row[:MOST] if i >= 0}
    return all(int(i) in flips for i in np.flatnonzero(must))


def _score(
    distances: Distances,
    choices: Ints,
    firsts: Ints,
    spent: tuple[int, int],
    floor: int,
    now: int,
    must: Ints,
) -> tuple[NDArray[np.float64], Ints]:
    value = np.empty((len(choices), 1 << MOST))
    out = np.full((len(choices), 1 << MOST, COLUMNS), -1, dtype=np.int32)
    steps = np.array(STEPS, dtype=np.int32)
    flips = np.ascontiguousarray(choices[:, :MOST])
    score_plans(
        flips, firsts, distances.between, np.array(spent, dtype=np.int32), floor, now, steps, must, value, out
    )
    return value, out


def _continue(distances: Distances, plan: Plan, row: Ints, now: int) -> tuple[float, Plan | None]:
    """Score the best plan after this one, from where the players then stand."""
    choices = distances.candidates((), without=(*plan.target, *plan.leader, *plan.follower))
    if not len(choices):
        return 100.0, None
    firsts = np.stack(
        [
            distances.between[row[LAST + role]] if row[LAST + role] >= 0 else distances.firsts[role]
            for role in range(2)
        ]
    )
    nobody = np.zeros(len(distances.hexes), dtype=np.int32)
    value, out = _score(
        distances, choices, firsts, (plan.leader_steps, plan.follower_steps), plan.turns, now, nobody
    )
    flat = int(np.argmin(value))
    candidate, subset = divmod(flat, value.shape[1])
    if value[candidate, subset] >= HOPELESS:
        return 100.0, None
    return float(value[candidate, subset]), _plan(distances, choices[candidate], out[candidate, subset])


def _plan(distances: Distances, choice: Ints, row: Ints) -> Plan:
    hexes = distances.hexes
    return Plan(
        tuple(hexes[i] for i in choice[MOST:] if i >= 0),
        tuple(hexes[i] for i in row[ORDER : ORDER + MOST] if i >= 0),
        tuple(hexes[i] for i in row[ORDER + MOST :] if i >= 0),
        int(row[MINE]),
        int(row[YOURS]),
        int(row[NEEDED]),
    )
