"""Compiled beam search over sets and divisions of their cards between the players."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from housemates.agents.cerealbar.tours import MOST, Ints, Start, Steps, lengths, pairs, tours, triples
from housemates.benchmarks.cerealbar.world.cards import SET_SIZE
from housemates.benchmarks.cerealbar.world.paths import FAR
from housemates.benchmarks.cerealbar.world.state import FOLLOWER, LEADER, STEPS
from housemates.jit import compiled

TURNS, LEADER_STEPS, FOLLOWER_STEPS, LAST, ORDER = 0, 1, 2, 3, 5
"""Columns of a plan: turns, steps of leader and follower, last poses, orders of cards, the set."""
TARGET = ORDER + 2 * MOST
COLUMNS = TARGET + 1
HOPELESS = 1e9
NOTHING_AFTER = 100.0
"""Value of a plan that no set follows."""
WEIGHT = 0.6
"""Weight of the first set, where that of the second is 1."""
Floats = NDArray[np.float64]


LONGEST = 1024
"""Bound on the steps of a plan."""
_walked = np.arange(LONGEST)
LEADER_TURNS = 2 * (-(-_walked // STEPS[LEADER]))
"""Turns until the leader has taken so many steps beyond those of this turn."""
FOLLOWER_TURNS = np.where(_walked == 0, 0, 2 * (-(-_walked // STEPS[FOLLOWER])) - 1)
"""Turns until the follower, whose turn is next, has taken so many steps."""
LEADER_EFFORT, FOLLOWER_EFFORT = (0.5 * _walked / STEPS[role] for role in (LEADER, FOLLOWER))


@compiled
def turns_needed(leader: int, follower: int, now: int) -> int:
    """Turns until both have taken so many steps; the leader has `now` left in this one."""
    needed: int = max(LEADER_TURNS[max(leader - now, 0)], FOLLOWER_TURNS[follower])
    return needed


@compiled
def candidates(sets: Ints, chosen: Ints, must: Ints) -> Ints:
    """The cards to flip for each set, padded with -1, and its number, where they include all of `must`."""
    found = np.full((sets.shape[0], MOST + 1), -1, dtype=np.int32)
    count = 0
    for row in range(sets.shape[0]):
        number, fits = 0, True
        for card in range(chosen.shape[0]):
            within = card == sets[row, 0] or card == sets[row, 1] or card == sets[row, 2]
            if within == (chosen[card] == 1):
                fits = fits and not must[card]
                continue
            if number < MOST:
                found[count, number] = card
            number += 1
        if fits and number <= MOST:
            found[count, MOST] = row
            count += 1
        else:
            found[count] = -1
    return found[:count]


@compiled
def score_all(
    choices: Ints,
    leader: Start,
    follower: Start,
    between: Steps,
    two: Steps,
    now: int,
    must: Ints,
    value: Floats,
    place: Ints,
) -> None:
    """Keep the best ways to share the flips of each candidate between the players, in order.

    Args:
        choices: As `candidates` gives them.
        leader: The leader's tours from where it is.
        follower: The follower's.
        between: Steps between cards.
        two: Tours over two cards from every pose on a card.
        now: Steps the leader has left in this turn.
        must: 1 for cards that the follower has to flip.
        value: Filled with the least values; low is good.
        place: Filled: the candidate times the number of subsets, plus the leader's subset.
    """
    costs = np.empty((2, 1 << MOST), dtype=np.int32)
    value[:] = HOPELESS
    for candidate in range(choices.shape[0]):
        items = choices[candidate, :MOST]
        number, fixed = 0, 0
        while number < MOST and items[number] >= 0:
            fixed |= must[items[number]] << number
            number += 1
        lengths(leader, between, two, items, number, costs[0])
        lengths(follower, between, two, items, number, costs[1])
        full = (1 << number) - 1
        for subset in range(full + 1):
            mine, yours = costs[0, subset], costs[1, full ^ subset]
            if subset & fixed or mine >= FAR or yours >= FAR:
                continue
            worth = turns_needed(mine, yours, now) + LEADER_EFFORT[mine] + FOLLOWER_EFFORT[yours]
            _insert(worth, candidate << MOST | subset, value, place)


@compiled
def _insert(worth: float, where: int, value: Floats, place: Ints) -> None:
    """Insert a value into the sorted best; of equal ones the first stays first."""
    at = value.shape[0] - 1
    if worth >= value[at]:
        return
    while at > 0 and value[at - 1] > worth:
        value[at], place[at] = value[at - 1], place[at - 1]
        at -= 1
    value[at], place[at] = worth, where


@compiled
def write_plan(
    items: Ints,
    subset: int,
    firsts: Steps,
    between: Steps,
    floor: int,
    spent: Ints,
    now: int,
    row: Ints,
) -> None:
    """Fill in all columns of a plan but its set: who goes where, in which order."""
    cost = np.empty(1 << MOST, dtype=np.int32)
    order = np.empty((1 << MOST, MOST), dtype=np.int32)
    last = np.empty(1 << MOST, dtype=np.int32)
    number = 0
    while number < items.shape[0] and items[number] >= 0:
        number += 1
    for role in range(2):
        own = subset if role == 0 else ((1 << number) - 1) ^ subset
        tours(firsts[role], between, items, cost, order, last)
        row[LEADER_STEPS + role], row[LAST + role] = cost[own], last[own]
        row[ORDER + role * MOST : ORDER + (role + 1) * MOST] = order[own]
    row[TURNS] = max(floor, turns_needed(spent[0] + row[LEADER_STEPS], spent[1] + row[FOLLOWER_STEPS], now))


@compiled
def after_plan(plan: Ints, sets: Ints, leader: Start, follower: Start, now: int) -> tuple[float, int, int]:
    """The least value of a set after a plan, that set, and the leader's subset of it."""
    gone = np.zeros(leader.one.shape[0], np.bool_)
    for card in sets[plan[TARGET]]:
        gone[card] = True
    for card in plan[ORDER:TARGET]:
        if card >= 0:
            gone[card] = True
    mine = np.zeros(1 << SET_SIZE, dtype=np.int32)
    yours = np.zeros(1 << SET_SIZE, dtype=np.int32)
    best, chosen, share = HOPELESS, -1, -1
    for row in range(sets.shape[0]):
        a, b, c = sets[row]
        if gone[a] or gone[b] or gone[c]:
            continue
        _subsets(leader, a, b, c, row, mine)
        _subsets(follower, a, b, c, row, yours)
        for subset in range(1 << SET_SIZE):
            own, other = mine[subset], yours[7 ^ subset]
            if own >= FAR or other >= FAR:
                continue
            needed = turns_needed(plan[LEADER_STEPS] + own, plan[FOLLOWER_STEPS] + other, now)
            worth = max(plan[TURNS], needed) + LEADER_EFFORT[own] + FOLLOWER_EFFORT[other]
            if worth < best:
                best, chosen, share = worth, row, subset
    return best, chosen, share


@compiled
def _subsets(start: Start, a: int, b: int, c: int, row: int, cost: Ints) -> None:
    cost[1], cost[2], cost[4] = start.one[a], start.one[b], start.one[c]
    cost[3], cost[5], cost[6] = start.two[a, b], start.two[a, c], start.two[b, c]
    cost[7] = start.three[row]


@compiled
def choose(
    choices: Ints,
    sets: Ints,
    firsts: Steps,
    between: Steps,
    one: Steps,
    two: Steps,
    three: Steps,
    now: int,
    must: Ints,
    beam: int,
    rank: int,
) -> Ints:
    """The best plan and the best one after it, a row each; no row where there is none.

    Args:
        choices: As `candidates` gives them.
        sets: All sets on the map.
        firsts: For both players, steps to each card.
        between: Steps between cards.
        one: Steps to each card from every pose on a card.
        two: Tours over two cards from every pose on a card.
        three: Tours over each set from every pose on a card; rows that begin with -1 are filled when needed.
        now: Steps the leader has left in this turn.
        must: 1 for cards that the follower has to flip.
        beam: How many of the best plans to look beyond; 0 looks beyond none.
        rank: Without looking beyond, pass over so many better plans.
    """
    starts = (_own(firsts[0], one, two, sets), _own(firsts[1], one, two, sets))
    value = np.empty(beam if beam else rank + 1)
    place = np.empty(value.shape[0], dtype=np.int32)
    score_all(choices, starts[0], starts[1], between, two, now, must, value, place)
    count = int((value < HOPELESS).sum())
    plans = np.full((2, COLUMNS), -1, dtype=np.int32)
    spent = np.zeros(2, dtype=np.int32)
    if not count or not beam:
        if count:
            _write_first(choices, place[count - 1], firsts, between, spent, now, plans[0])
        return plans[: min(count, 1)]
    row = np.full(COLUMNS, -1, dtype=np.int32)
    best, after, share = HOPELESS, -1, -1
    for i in range(count):
        if WEIGHT * value[i] >= best:
            continue
        _write_first(choices, place[i], firsts, between, spent, now, row)
        if row[TURNS] + WEIGHT * value[i] >= best:
            continue
        leader = _at(row[LAST], starts[0], between, one, two, three, sets)
        follower = _at(row[LAST + 1], starts[1], between, one, two, three, sets)
        worth, found, subset = after_plan(row, sets, leader, follower, now)
        total = (worth if found >= 0 else NOTHING_AFTER) + WEIGHT * value[i]
        if total < best:
            best, after, share = total, found, subset
            plans[0] = row
    if after < 0:
        return plans[:1]
    _write_second(plans, sets, after, share, firsts, between, now)
    return plans


@compiled
def _write_first(
    choices: Ints, where: int, firsts: Steps, between: Steps, spent: Ints, now: int, row: Ints
) -> None:
    candidate, subset = where >> MOST, where & ((1 << MOST) - 1)
    write_plan(choices[candidate, :MOST], subset, firsts, between, 0, spent, now, row)
    row[TARGET] = choices[candidate, MOST]


@compiled
def _write_second(
    plans: Ints, sets: Ints, row: int, subset: int, firsts: Steps, between: Steps, now: int
) -> None:
    """Fill in the second plan, from where the players are after the first."""
    begins = firsts.copy()
    for role in range(2):
        if plans[0, LAST + role] >= 0:
            begins[role] = between[plans[0, LAST + role]]
    spent = plans[0, LEADER_STEPS : FOLLOWER_STEPS + 1].copy()
    write_plan(sets[row], subset, begins, between, plans[0, TURNS], spent, now, plans[1])
    plans[1, TARGET] = row


@compiled
def _own(first: Steps, one: Steps, two: Steps, sets: Ints) -> Start:
    """A player's tours from where it is."""
    number = first.shape[0]
    own = np.full(number, FAR, dtype=np.int16)
    for card in range(number):
        for heading in range(6):
            own[card] = min(own[card], first[card, heading])
    both = np.empty((number, number), dtype=np.int16)
    pairs(first, one, both)
    three = np.empty(sets.shape[0], dtype=np.int16)
    triples(first, two, sets, three)
    return Start(first, own, both, three)


@compiled
def _at(pose: int, own: Start, between: Steps, one: Steps, two: Steps, three: Steps, sets: Ints) -> Start:
    """A player's tours from a pose on a card, or from where it is if it takes none."""
    if pose < 0:
        return own
    if three[pose, 0] < 0:
        triples(between[pose], two, sets, three[pose])
    return Start(between[pose], one[pose], two[pose], three[pose])
