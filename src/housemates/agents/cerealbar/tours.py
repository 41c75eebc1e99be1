"""Shortest tours over a few cards, compiled: their lengths for all at once, and one of them with its order.

A start is a pose on a card, `card * 6 + heading`, or a player with its steps to each card, `[card, heading]`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.world.cards import SET_SIZE
from housemates.benchmarks.cerealbar.world.paths import FAR
from housemates.jit import compiled

MOST = 4
"""Cards to flip at most for one set: its own, and wrongly selected ones."""
Ints = NDArray[np.int32]
Steps = NDArray[np.int16]


class Start(NamedTuple):
    """Steps to each card from one place, and the lengths of tours: over one card, over two, over each set."""

    first: Steps
    one: Steps
    two: Steps
    three: Steps


@compiled
def find_sets(traits: Ints) -> Ints:
    """Every three cards no two of which share a trait, in order; traits are `[card, trait]`."""
    number, count = traits.shape[0], 0
    found = np.empty((number * (number - 1) * (number - 2) // 6, SET_SIZE), dtype=np.int32)
    for i in range(number):
        for j in range(i + 1, number):
            if (traits[i] == traits[j]).any():
                continue
            for k in range(j + 1, number):
                if not ((traits[i] == traits[k]) | (traits[j] == traits[k])).any():
                    found[count] = i, j, k
                    count += 1
    return found[:count].copy()


@compiled
def measure(between: Steps) -> tuple[Steps, Steps]:
    """From every start, the steps to each card, and the shortest tour over each two cards."""
    starts, number = between.shape[0], between.shape[1]
    one = np.empty((starts, number), dtype=np.int16)
    for start in range(starts):
        for i in range(number):
            one[start, i] = between[start, i].min()
    two = np.empty((starts, number, number), dtype=np.int16)
    for start in range(starts):
        pairs(between[start], one, two[start])
    return one, two


@compiled
def pairs(first: Steps, one: Steps, two: Steps) -> None:
    """Fill `two` with the shortest tour over each two cards for somebody with these first steps."""
    number = first.shape[0]
    for i in range(number):
        a, b, c, d, e, f = first[i]
        for j in range(number):
            early = min(a + one[i * 6, j], b + one[i * 6 + 1, j], c + one[i * 6 + 2, j])
            late = min(d + one[i * 6 + 3, j], e + one[i * 6 + 4, j], f + one[i * 6 + 5, j])
            two[i, j] = min(early, late)
    for i in range(number):
        for j in range(i):
            two[i, j] = two[j, i] = min(two[i, j], two[j, i], FAR)


@compiled
def triples(first: Steps, two: Steps, sets: Ints, three: Steps) -> None:
    """Fill `three` with the shortest tour over each set for somebody with these first steps."""
    for row in range(sets.shape[0]):
        three[row] = _three(first, two, sets[row, 0], sets[row, 1], sets[row, 2])


@compiled
def _three(first: Steps, two: Steps, a: int, b: int, c: int) -> int:
    """The shortest tour over three cards: one of them, then the shortest over the others."""
    least = FAR
    for heading in range(6):
        least = min(least, first[a, heading] + two[a * 6 + heading, b, c])
        least = min(least, first[b, heading] + two[b * 6 + heading, a, c])
        least = min(least, first[c, heading] + two[c * 6 + heading, a, b])
    return least


@compiled
def _four(first: Steps, between: Steps, two: Steps, items: Ints) -> int:
    """The shortest tour over four cards: two of them in order, then the shortest over the others."""
    least = FAR
    for i in range(MOST):
        for j in range(MOST):
            if i == j:
                continue
            k = 0
            while k in (i, j):
                k += 1
            a, b, c, d = items[i], items[j], items[k], items[6 - i - j - k]
            for heading in range(6):
                come = FAR
                for before in range(6):
                    come = min(come, first[a, before] + between[a * 6 + before, b, heading])
                least = min(least, come + two[b * 6 + heading, c, d])
    return least


@compiled
def lengths(start: Start, between: Steps, two: Steps, items: Ints, number: int, cost: Ints) -> None:
    """Fill `cost` with the shortest tour over each subset (a bit mask) of up to MOST cards.

    Args:
        start: Of whom.
        between: Steps between cards.
        two: Tours over two cards from every pose on a card.
        items: The cards.
        number: How many they are.
        cost: Filled.
    """
    cost[0] = 0
    for i in range(number):
        cost[1 << i] = start.one[items[i]]
        for j in range(i):
            bits = 1 << i | 1 << j
            cost[bits] = start.two[items[i], items[j]]
            for k in range(j):
                cost[bits | 1 << k] = _three(start.first, two, items[i], items[j], items[k])
    if number == MOST:
        cost[(1 << MOST) - 1] = _four(start.first, between, two, items)


@compiled
def tours(first: Steps, between: Steps, items: Ints, cost: Ints, order: Ints, last: Ints) -> None:
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


@compiled
def _extend(subset: int, number: int, items: Ints, between: Steps, best: Ints, back: Ints) -> None:
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


@compiled
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
