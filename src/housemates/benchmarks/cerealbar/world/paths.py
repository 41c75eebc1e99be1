"""Shortest walks over poses (a hex and a heading), compiled; a pose is the number `hex * 6 + heading`.

Cards that are not the goal are obstacles: a walk may end on one and turn there, but not go on.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.compiling import compiled

FAR = 10_000
REACH = 40
"""Walks of more steps are not looked for when distances between cards are measured."""
ACTIONS = ("MF", "MB", "RL", "RR")
"""In the order of the columns of `HexMap.steps`."""
UNDO = np.array((1, 0, 3, 2))
Ints = NDArray[np.int32]
Words = NDArray[np.uint64]
Flags = NDArray[np.bool_]
Unsigned = NDArray[np.uint32]
WORDS = 2
NOBODY = np.uint64(0)
GROUP = WORDS * 64 // 6
"""How many cards have a bit for each heading in so many words."""
DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
PLACES = np.zeros(64, np.int64)
"""Which bit a word with a single one has set, by the upper bits of its product with `DE_BRUIJN`."""
PLACES[[int(DE_BRUIJN) * 2**bit % 2**64 >> 58 for bit in range(64)]] = np.arange(64)


@compiled
def _flood(
    steps: Ints, closed: Ints, start: int, back: bool, reach: int, goals: Ints, cost: Ints, came: Ints
) -> None:
    """Fill `cost` with the steps from a pose to others and `came` with the last action there.

    Args:
        steps: For every pose the pose that each action leads to, or -1.
        closed: Hexes that can be entered but not left; that of the start can be left.
        start: The first pose.
        back: Whether steps backward are allowed.
        reach: Steps after which to stop.
        goals: Hexes; once one is reached, nothing farther is looked for. None looks at all poses.
        cost: Filled; FAR where no way was found.
        came: Filled; index of ACTIONS, -1 at the start.
    """
    cost[:] = FAR
    came[:] = -1
    shut = np.zeros(steps.shape[0] // 6, np.bool_)
    for at in closed:
        shut[at] = True
    shut[start // 6] = False
    wanted = np.zeros(steps.shape[0] // 6, np.bool_)
    for at in goals:
        wanted[at] = True
    if wanted[start // 6]:
        reach = 0
    queue = np.empty(steps.shape[0], dtype=np.int32)
    queue[0] = start
    cost[start] = 0
    first, last = 0, 1
    while first < last:
        pose = queue[first]
        first += 1
        taken = cost[pose] + 1
        if taken > reach:
            break
        for action in range(4):
            if (action == 1 and not back) or (action < 2 and shut[pose // 6]):
                continue
            new = steps[pose, action]
            if new < 0 or cost[new] != FAR:
                continue
            cost[new] = taken
            came[new] = action
            queue[last] = new
            last += 1
            if wanted[new // 6]:
                reach = min(reach, taken)


@compiled
def _walk(steps: Ints, closed: Ints, start: int, back: bool, goals: Ints) -> Ints:
    """The actions of the shortest walk onto one of the goals; a single -1 if there is none."""
    cost = np.empty(steps.shape[0], dtype=np.int32)
    came = np.empty(steps.shape[0], dtype=np.int32)
    _flood(steps, closed, start, back, FAR, goals, cost, came)
    best, least = -1, FAR
    for at in goals:
        for end in range(at * 6, at * 6 + 6):
            if cost[end] < least:
                best, least = end, cost[end]
    if best < 0:
        return np.full(1, -1, dtype=np.int32)
    actions = np.empty(least, dtype=np.int32)
    for i in range(least - 1, -1, -1):
        actions[i] = came[best]
        best = steps[best, UNDO[came[best]]]
    return actions


@compiled
def _reached(steps: Ints, closed: Ints, start: int, back: bool, goals: Ints) -> Ints:
    """Steps from a pose to each goal hex with each heading there: `[goal, heading]`."""
    cost = np.empty(steps.shape[0], dtype=np.int32)
    came = np.empty(steps.shape[0], dtype=np.int32)
    _flood(steps, closed, start, back, REACH, np.empty(0, dtype=np.int32), cost, came)
    found = np.empty((goals.shape[0], 6), dtype=np.int32)
    for i in range(goals.shape[0]):
        for heading in range(6):
            found[i, heading] = cost[goals[i] * 6 + heading]
    return found


@compiled
def _spans(exits: Ints, hexes: Ints, first: int, back: bool, table: Ints) -> None:
    """Fill in the steps from GROUP of the cards, beginning with `first`, to all cards.

    All starts are followed at once, each as a bit of the words that say who has come to a pose.

    Args:
        exits: For every hex the hex that each heading leads to, or -1.
        hexes: Those of the cards.
        first: Number of a card.
        back: Whether steps backward are allowed.
        table: Filled, `[start * 6 + heading, goal, heading]`.
    """
    places = exits.shape[0]
    here = np.zeros((places + 1, 6, WORDS), np.uint64)
    been = np.zeros((places + 1, 6, WORDS), np.uint64)
    fresh = np.zeros((places + 1, 6, WORDS), np.uint64)
    leave = np.full((places + 1, WORDS), ~np.uint64(0), np.uint64)
    card = np.full(places + 1, -1, np.int32)
    active = np.zeros(places + 1, np.bool_)
    arriving = np.zeros(places + 1, np.bool_)
    leave[places] = 0
    for i in range(hexes.shape[0]):
        card[hexes[i]] = i
        leave[hexes[i]] = 0
    for i in range(first, min(first + GROUP, hexes.shape[0])):
        active[hexes[i]] = True
        for heading in range(6):
            start = (i - first) * 6 + heading
            bit = np.uint64(1) << np.uint64(start % 64)
            for words in (leave[hexes[i]], here[hexes[i], heading], been[hexes[i], heading]):
                words[start // 64] |= bit
            table[i * 6 + heading, i, heading] = 0
    ahead, behind, order = _ways(exits)
    for taken in range(1, REACH + 1):
        _arrive(order, ahead, behind, here, been, leave, back, active, fresh, arriving)
        for at in order:
            if not (arriving[at] or active[at]):
                continue
            for heading in range(6):
                for word in range(WORDS):
                    bits = fresh[at, heading, word] if arriving[at] else NOBODY
                    here[at, heading, word] = bits
                    been[at, heading, word] |= bits
                    if bits and card[at] >= 0:
                        _note(bits, first * 6 + word * 64, taken, table[:, card[at], heading])
        active, arriving = arriving, active


@compiled
def _ways(exits: Ints) -> tuple[Unsigned, Unsigned, Unsigned]:
    """The hexes ahead and behind by heading, where beyond the last is nowhere, and all that one can leave."""
    places = exits.shape[0]
    ahead = np.empty((places, 6), np.uint32)
    behind = np.empty((places, 6), np.uint32)
    order = np.empty(places, np.uint32)
    count = 0
    for at in range(places):
        for heading in range(6):
            to = exits[at, heading]
            ahead[at, heading] = behind[at, (heading + 3) % 6] = to if to >= 0 else places
        if exits[at].max() >= 0:
            order[count] = at
            count += 1
    return ahead, behind, order[:count]


@compiled
def _arrive(
    order: Unsigned,
    ahead: Unsigned,
    behind: Unsigned,
    here: Words,
    been: Words,
    leave: Words,
    back: bool,
    active: Flags,
    fresh: Words,
    arriving: Flags,
) -> None:
    """Fill in who comes to each pose for the first time in one step, and to which hexes anybody does."""
    for at in order:
        near = active[at]
        for heading in range(6):
            near |= active[ahead[at, heading]]
        some = NOBODY
        for heading in range(6 if near else 0):
            left = heading + 1 if heading < 5 else 0
            right = heading - 1 if heading > 0 else 5
            after, before = ahead[at, heading], behind[at, heading]
            for word in range(WORDS):
                bits = here[before, heading, word] & leave[before, word]
                bits |= here[at, left, word] | here[at, right, word]
                if back:
                    bits |= here[after, heading, word] & leave[after, word]
                bits &= ~been[at, heading, word]
                fresh[at, heading, word] = bits
                some |= bits
        arriving[at] = some != NOBODY


@compiled
def _note(bits: int, first: int, taken: int, column: Ints) -> None:
    """Write down the steps of everybody whose bit is set."""
    while bits:
        low = bits & (~bits + np.uint64(1))
        column[first + PLACES[(low * DE_BRUIJN) >> np.uint64(58)]] = taken
        bits ^= low


def steps_between(hexmap: HexMap, hexes: Sequence[int], back: bool) -> Ints:
    """Steps between hexes that hold cards: `[start * 6 + heading, goal, heading]`."""
    places = np.array(hexes, dtype=np.int32)
    table: Ints = np.full((len(hexes) * 6, len(hexes), 6), FAR, dtype=np.int32)
    for first in range(0, len(hexes), GROUP):
        _spans(hexmap.exit_table, places, first, back, table)
    return table


def steps_from(hexmap: HexMap, pose: int, hexes: Sequence[int], back: bool) -> Ints:
    """Steps from a pose to hexes that hold cards: `[goal, heading]`."""
    goals = np.array(hexes, dtype=np.int32)
    found: Ints = _reached(hexmap.steps, goals, pose, back, goals)
    return found


def steps_to_all(hexmap: HexMap, pose: int, closed: Collection[int], back: bool = True) -> Ints:
    """Steps from a pose to every pose; FAR where there is no way."""
    cost, came = (np.empty(len(hexmap.terrain) * 6, dtype=np.int32) for _ in range(2))
    nowhere = np.empty(0, dtype=np.int32)
    _flood(hexmap.steps, _array(closed), pose, back, FAR, nowhere, cost, came)
    return cost


def walk(
    hexmap: HexMap, pose: int, goals: Collection[int], closed: Collection[int], back: bool = True
) -> list[str] | None:
    """The shortest actions from a pose onto one of the goal hexes; None if there is no way.

    A goal under the player's feet costs nothing. Of equally near goals the lowest-numbered pose is taken.
    """
    found = _walk(hexmap.steps, _array(closed), pose, back, _array(sorted(goals))).tolist()
    return None if found == [-1] else [ACTIONS[action] for action in found]


def around_and_back(hexmap: HexMap, pose: int, closed: Collection[int]) -> list[str] | None:
    """The shortest actions that leave the hex and step onto it again."""
    at, heading = divmod(pose, 6)
    for turn, turning in ((0, []), (1, ["RR"]), (5, ["RL"]), (2, ["RR"] * 2)):
        for action, back, way in (("MF", "MB", 0), ("MB", "MF", 3)):
            to = hexmap.exits[at][(heading + turn + way) % 6]
            if to >= 0 and to not in closed:
                return [*turning, action, back]
    return None


def after(hexmap: HexMap, pose: int, actions: Sequence[str]) -> int:
    """The pose in which a player ends who starts in `pose` and acts so."""
    at, heading = divmod(pose, 6)
    for action in actions:
        if action == "MF":
            at = hexmap.exits[at][heading]
        elif action == "MB":
            at = hexmap.exits[at][(heading + 3) % 6]
        else:
            heading = (heading + (1 if action == "RR" else -1)) % 6
    return at * 6 + heading


def _array(hexes: Collection[int]) -> Ints:
    return np.fromiter(hexes, dtype=np.int32, count=len(hexes))
