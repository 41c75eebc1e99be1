"""Which set to take next, who takes which card, and what to take after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.cards import Card, sets
from housemates.benchmarks.cerealbar.hexmap import HexMap
from housemates.benchmarks.cerealbar.paths import FAR, flood_all, mask
from housemates.benchmarks.cerealbar.state import STEPS

MOST = 4
"""Cards to flip at most for one set: its own, and wrongly selected ones."""
BEAM = 16
"""How many plans for the next set are continued with a plan for the one after."""
Ints = NDArray[np.int32]


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


@njit(cache=True)
def tours(first: Ints, between: Ints, items: Ints, cost: Ints, order: Ints, last: Ints) -> None:
    """Find the shortest tour over each subset of `items` for one player.

    Args:
        first: Steps from the player to each card with each heading, `[card, heading]`.
        between: Steps from each card with a heading to each card, `[card * 6 + heading, card, heading]`.
        items: Up to MOST card numbers, padded with -1.
        cost: Filled for each subset (a bit mask).
        order: Filled: cards of the subset in order, padded with -1.
        last: Filled: the pose at the end as card * 6 + heading, -1 for the empty subset.
    """
    number = 0
    while number < items.shape[0] and items[number] >= 0:
        number += 1
    full = 1 << number
    best = np.full((full, number, 6), FAR, dtype=np.int32)
    back = np.full((full, number, 6), -1, dtype=np.int32)
    for i in range(number):
        for h in range(6):
            best[1 << i, i, h] = first[items[i], h]
    for subset in range(1, full):
        for i in range(number):
            for h in range(6):
                here = best[subset, i, h]
                if here >= FAR:
                    continue
                for j in range(number):
                    if subset & (1 << j):
                        continue
                    for g in range(6):
                        total = here + between[items[i] * 6 + h, items[j], g]
                        if total < best[subset | (1 << j), j, g]:
                            best[subset | (1 << j), j, g] = total
                            back[subset | (1 << j), j, g] = i * 6 + h
    cost[:] = FAR
    order[:] = -1
    last[:] = -1
    cost[0] = 0
    for subset in range(1, full):
        end = -1
        for i in range(number):
            for h in range(6):
                if best[subset, i, h] < cost[subset]:
                    cost[subset] = best[subset, i, h]
                    end = i * 6 + h
        if end < 0:
            continue
        last[subset] = items[end // 6] * 6 + end % 6
        rest, place = subset, 0
        for i in range(number):
            place += (subset >> i) & 1
        while end >= 0:
            place -= 1
            order[subset, place] = items[end // 6]
            before = back[rest, end // 6, end % 6]
            rest ^= 1 << (end // 6)
            end = before


@njit(cache=True)
def turns_needed(leader: int, follower: int, now: int, leader_steps: int, follower_steps: int) -> int:
    """Turns until both have taken so many steps; the leader has `now` left, the follower's turn is next."""
    mine = 0 if leader <= now else 2 * ((leader - now + leader_steps - 1) // leader_steps)
    yours = 0 if follower == 0 else 2 * ((follower + follower_steps - 1) // follower_steps) - 1
    return max(mine, yours)


@njit(cache=True)
def score_plans(
    flips: Ints,
    firsts: Ints,
    between: Ints,
    spent: Ints,
    floor: int,
    now: int,
    steps: Ints,
    out: Ints,
    value: NDArray[np.float64],
    must: Ints,
) -> None:
    """Score every way to share the flips of each candidate, `value[candidate, leader's subset]`; low is good.

    `out` gets turns, both tours' steps, orders and last poses.
    """
    size = 1 << MOST
    costs = np.empty((2, size), dtype=np.int32)
    orders = np.empty((2, size, MOST), dtype=np.int32)
    lasts = np.empty((2, size), dtype=np.int32)
    value[:] = 1e9
    for candidate in range(flips.shape[0]):
        number, fixed = 0, 0
        for i in range(MOST):
            if flips[candidate, i] >= 0:
                number += 1
                if must[flips[candidate, i]]:
                    fixed |= 1 << i
        for role in range(2):
            tours(firsts[role], between, flips[candidate], costs[role], orders[role], lasts[role])
        full = (1 << number) - 1
        for subset in range(full + 1):
            if subset & fixed:
                continue
            mine, yours = costs[0, subset], costs[1, full ^ subset]
            if mine >= FAR or yours >= FAR:
                continue
            needed = max(floor, turns_needed(spent[0] + mine, spent[1] + yours, now, steps[0], steps[1]))
            value[candidate, subset] = needed + 0.5 * mine / steps[0] + 0.5 * yours / steps[1]
            out[candidate, subset, 0] = needed
            out[candidate, subset, 1] = mine
            out[candidate, subset, 2] = yours
            out[candidate, subset, 3] = lasts[0, subset]
            out[candidate, subset, 4] = lasts[1, full ^ subset]
            for i in range(MOST):
                out[candidate, subset, 5 + i] = orders[0, subset, i]
                out[candidate, subset, 5 + MOST + i] = orders[1, full ^ subset, i]


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
    order = order[:BEAM] if lookahead else order[min(rank, int((value < 1e9).sum()) - 1) :][:1]
    best, chosen = 1e9, []
    for flat in order:
        candidate, subset = divmod(int(flat), value.shape[1])
        if value[candidate, subset] >= 1e9:
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
    out = np.full((len(choices), 1 << MOST, 5 + 2 * MOST), -1, dtype=np.int32)
    steps = np.array(STEPS, dtype=np.int32)
    flips = np.ascontiguousarray(choices[:, :MOST])
    score_plans(
        flips, firsts, distances.between, np.array(spent, dtype=np.int32), floor, now, steps, out, value, must
    )
    return value, out


def _continue(distances: Distances, plan: Plan, row: Ints, now: int) -> tuple[float, Plan | None]:
    """Score the best plan after this one, from where the players then stand."""
    choices = distances.candidates((), without=(*plan.target, *plan.leader, *plan.follower))
    if not len(choices):
        return 100.0, None
    firsts = np.stack(
        [
            distances.between[row[3 + role]] if row[3 + role] >= 0 else distances.firsts[role]
            for role in range(2)
        ]
    )
    nobody = np.zeros(len(distances.hexes), dtype=np.int32)
    value, out = _score(
        distances, choices, firsts, (plan.leader_steps, plan.follower_steps), plan.turns, now, nobody
    )
    flat = int(np.argmin(value))
    candidate, subset = divmod(flat, value.shape[1])
    if value[candidate, subset] >= 1e9:
        return 100.0, None
    return float(value[candidate, subset]), _plan(distances, choices[candidate], out[candidate, subset])


def _plan(distances: Distances, choice: Ints, row: Ints) -> Plan:
    hexes = distances.hexes
    return Plan(
        tuple(hexes[i] for i in choice[MOST:] if i >= 0),
        tuple(hexes[i] for i in row[5 : 5 + MOST] if i >= 0),
        tuple(hexes[i] for i in row[5 + MOST :] if i >= 0),
        int(row[1]),
        int(row[2]),
        int(row[0]),
    )
