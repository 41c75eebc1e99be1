"""Shortest tours over a few cards, compiled: their lengths for all at once, and one of them with its order.

A start is a pose on a card, `card * 6 + heading`, or a player with its steps to each card, `[card, heading]`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.world.cards import SET_SIZE
from housemates.benchmarks.cerealbar.world.paths import FAR
from housemates.compiling import compiled

MOST = 4
"""Cards to flip at most for one set: its own, and wrongly selected ones."""
Ints = NDArray[np.int32]


class Start(NamedTuple):
    """The lengths of all tours from one place: over one card, over two, and over each set."""

    one: Ints
    two: Ints
    three: Ints


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
def measure(between: Ints) -> tuple[Ints, Ints]:
    """From every start, the steps to each card, and the shortest tour over each two cards."""
    starts, number = between.shape[0], between.shape[1]
    one = np.empty((starts, number), dtype=np.int32)
    for start in range(starts):
        for i in range(number):
            one[start, i] = between[start, i].min()
    two = np.empty((starts, number, number), dtype=np.int32)
    for start in range(starts):
        pairs(between[start], one, two[start])
    return one, two


@compiled
def pairs(first: Ints, one: Ints, two: Ints) -> None:
    """Fill `two` with the shortest tour over each two cards for somebody with these first steps."""
    number = first.shape[0]
    two[:] = FAR
    for i in range(number):
        least = two[i]
        for heading in range(6):
            here, there = first[i, heading], one[i * 6 + heading]
            for j in range(number):
                least[j] = min(least[j], here + there[j])
    for i in range(number):
        for j in range(i):
            two[i, j] = two[j, i] = min(two[i, j], two[j, i])


@compiled
def triples(first: Ints, two: Ints, sets: Ints, three: Ints) -> None:
    """Fill `three` with the shortest tour over each set for somebody with these first steps."""
    for row in range(sets.shape[0]):
        a, b, c = sets[row]
        least = FAR
        for heading in range(6):
            least = min(least, first[a, heading] + two[a * 6 + heading, b, c])
            least = min(least, first[b, heading] + two[b * 6 + heading, a, c])
            least = min(least, first[c, heading] + two[c * 6 + heading, a, b])
        three[row] = least


@compiled
def lengths(first: Ints, between: Ints, two: Ints, own: Ints, items: Ints, number: int, cost: Ints) -> None:
    """Fill `cost` with the shortest tour over each subset (a bit mask) of up to MOST cards.

    Args:
        first: Steps from the player to each card with each heading.
        between: Steps between cards.
        two: Tours over two cards from every pose on a card.
        own: Tours over two cards for the player.
        items: The cards.
        number: How many they are.
        cost: Filled.
    """
    cost[0] = 0
    for i in range(number):
        cost[1 << i] = first[items[i]].min()
        for j in range(i):
            cost[1 << i | 1 << j] = own[items[i], items[j]]
    for out in range(number if number > SET_SIZE else 1):
        bits, least = (1 << number) - 1, FAR
        if number > SET_SIZE:
            bits ^= 1 << out
        if number < SET_SIZE:
            return
        for i in range(number):
            if not bits >> i & 1:
                continue
            rest = bits ^ 1 << i
            j = _lowest(rest)
            k = _lowest(rest ^ 1 << j)
            for heading in range(6):
                pose = items[i] * 6 + heading
                least = min(least, first[items[i], heading] + two[pose, items[j], items[k]])
        cost[bits] = min(least, FAR)
    if number > SET_SIZE:
        cost[(1 << number) - 1] = _four(first, between, two, items)


@compiled
def _lowest(bits: int) -> int:
    place = 0
    while not bits >> place & 1:
        place += 1
    return place


@compiled
def _four(first: Ints, between: Ints, two: Ints, items: Ints) -> int:
    """The shortest tour over four cards: two of them in order, then the shortest over the others."""
    least = FAR
    for i in range(MOST):
        for j in range(MOST):
            if i == j:
                continue
            k = _lowest(15 ^ 1 << i ^ 1 << j)
            others = (items[k], items[_lowest(15 ^ 1 << i ^ 1 << j ^ 1 << k)])
            for heading in range(6):
                come = FAR
                for before in range(6):
                    step = first[items[i], before] + between[items[i] * 6 + before, items[j], heading]
                    come = min(come, step)
                least = min(least, come + two[items[j] * 6 + heading, others[0], others[1]])
    return least


@compiled
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


@compiled
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
