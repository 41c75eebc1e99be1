"""The planner's inner loops, compiled: shortest tours over a few cards, and ways to share them."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.world.paths import FAR

MOST = 4
"""Cards to flip at most for one set: its own, and wrongly selected ones."""
NEEDED, MINE, YOURS, LAST, ORDER = 0, 1, 2, 3, 5
"""Columns of a scored plan: turns, steps of leader and follower, their last poses, their orders of cards."""
COLUMNS = ORDER + 2 * MOST
HOPELESS = 1e9
Ints = NDArray[np.int32]


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
        _extend(subset, number, items, between, best, back)
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
        if end >= 0:
            last[subset] = items[end // 6] * 6 + end % 6
            _trace(subset, number, end, items, back, order[subset])


@njit(cache=True)
def _extend(subset: int, number: int, items: Ints, between: Ints, best: Ints, back: Ints) -> None:
    """Lengthen every tour over a subset by one more card."""
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


@njit(cache=True)
def _trace(subset: int, number: int, end: int, items: Ints, back: Ints, order: Ints) -> None:
    """Write down a tour's cards, from its last back to its first."""
    place = 0
    for i in range(number):
        place += (subset >> i) & 1
    while end >= 0:
        place -= 1
        order[place] = items[end // 6]
        before = back[subset, end // 6, end % 6]
        subset ^= 1 << (end // 6)
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
    must: Ints,
    value: NDArray[np.float64],
    out: Ints,
) -> None:
    """Score every way to share the flips of each candidate between the players.

    Args:
        flips: Cards to flip, `[candidate, MOST]`, padded with -1.
        firsts: For both players, steps to each card.
        between: Steps between cards.
        spent: Steps both have taken before they begin.
        floor: Turns that pass in any case.
        now: Steps the leader has left in this turn.
        steps: Steps of a whole turn, for both.
        must: 1 for cards that the follower has to flip.
        value: Filled, `[candidate, leader's subset]`; low is good.
        out: Filled with the columns of each plan.
    """
    costs = np.empty((2, 1 << MOST), dtype=np.int32)
    orders = np.empty((2, 1 << MOST, MOST), dtype=np.int32)
    lasts = np.empty((2, 1 << MOST), dtype=np.int32)
    value[:] = HOPELESS
    for candidate in range(flips.shape[0]):
        number, fixed = 0, 0
        for i in range(MOST):
            if flips[candidate, i] >= 0:
                number += 1
                fixed |= must[flips[candidate, i]] << i
        for role in range(2):
            tours(firsts[role], between, flips[candidate], costs[role], orders[role], lasts[role])
        full = (1 << number) - 1
        for subset in range(full + 1):
            rest = full ^ subset
            mine, yours = costs[0, subset], costs[1, rest]
            if subset & fixed or mine >= FAR or yours >= FAR:
                continue
            needed = max(floor, turns_needed(spent[0] + mine, spent[1] + yours, now, steps[0], steps[1]))
            value[candidate, subset] = needed + 0.5 * mine / steps[0] + 0.5 * yours / steps[1]
            row = out[candidate, subset]
            row[NEEDED], row[MINE], row[YOURS] = needed, mine, yours
            row[LAST], row[LAST + 1] = lasts[0, subset], lasts[1, rest]
            row[ORDER : ORDER + MOST] = orders[0, subset]
            row[ORDER + MOST :] = orders[1, rest]
