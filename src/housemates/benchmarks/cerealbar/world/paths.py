"""Shortest walks over poses (a hex and a heading), compiled; a pose is the number `hex * 6 + heading`.

Cards that are not the goal are obstacles: a walk may end on one and turn there, but not go on.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.jit import compiled

FAR = 8_000
"""Steps where there is no way; four of them fit into 16 bits."""
REACH = 40
"""Walks of more steps are not looked for when distances between cards are measured."""
ACTIONS = ("MF", "MB", "RL", "RR")
FORWARD, BACKWARD, LEFT, RIGHT = range(4)
UNDO = np.array((BACKWARD, FORWARD, RIGHT, LEFT))
Ints = NDArray[np.int32]
Steps = NDArray[np.int16]
Bytes = NDArray[np.int8]
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
def _after(exits: Ints, pose: int, action: int) -> int:
    """The pose after an action, or -1 if the way is blocked."""
    at, heading = pose // 6, pose % 6
    if action == LEFT:
        return at * 6 + (heading - 1 if heading > 0 else 5)
    if action == RIGHT:
        return at * 6 + (heading + 1 if heading < 5 else 0)
    to = exits[at, heading if action == FORWARD else (heading + 3) % 6]
    return to * 6 + heading if to >= 0 else -1


@compiled
def _flood(exits: Ints, closed: Ints, start: int, back: bool, reach: int, goals: Ints, came: Bytes) -> Steps:
    """The steps from a pose to others; FAR where no way was found.

    Args:
        exits: For every hex the hex that each heading leads to, or -1.
        closed: Hexes that can be entered but not left; that of the start can be left.
        start: The first pose.
        back: Whether steps backward are allowed.
        reach: Steps after which to stop.
        goals: Hexes; once one is reached, nothing farther is looked for. None looks at all poses.
        came: Filled with the last action to each pose; nothing is if it is empty.
    """
    places = exits.shape[0]
    cost = np.full(places * 6, FAR, np.int16)
    shut = np.zeros(places, np.bool_)
    for at in closed:
        shut[at] = True
    shut[start // 6] = False
    wanted = np.zeros(places, np.bool_)
    for at in goals:
        wanted[at] = True
    if wanted[start // 6]:
        reach = 0
    queue = np.empty(places * 6, np.uint16)
    queue[0] = start
    cost[start] = 0
    first, last = 0, 1
    while first < last:
        pose = np.int64(queue[first])
        first += 1
        taken = cost[pose] + 1
        if taken > reach:
            break
        for action in range(4):
            if (action == BACKWARD and not back) or (action < LEFT and shut[pose // 6]):
                continue
            new = _after(exits, pose, action)
            if new < 0 or cost[new] != FAR:
                continue
            cost[new] = taken
            if came.shape[0]:
                came[new] = action
            queue[last] = new
            last += 1
            if wanted[new // 6]:
                reach = min(reach, taken)
    return cost


@compiled
def _walk(exits: Ints, closed: Ints, start: int, back: bool, goals: Ints) -> Bytes:
    """The actions of the shortest walk onto one of the goals; a single -1 if there is none."""
    came = np.empty(exits.shape[0] * 6, np.int8)
    cost = _flood(exits, closed, start, back, FAR - 1, goals, came)
    best, least = -1, FAR
    for at in goals:
        for end in range(at * 6, at * 6 + 6):
            if cost[end] < least:
                best, least = end, int(cost[end])
    if best < 0:
        return np.full(1, -1, np.int8)
    actions = np.empty(least, np.int8)
    for i in range(least - 1, -1, -1):
        actions[i] = came[best]
        best = _after(exits, best, UNDO[came[best]])
    return actions


@compiled
def _reached(exits: Ints, start: int, back: bool, goals: Ints) -> Steps:
    """Steps from a pose to each goal hex with each heading there: `[goal, heading]`; all goals are closed."""
    cost = _flood(exits, goals, start, back, REACH, goals[:0], np.empty(0, np.int8))
    found = np.empty((goals.shape[0], 6), np.int16)
    for i in range(goals.shape[0]):
        for heading in range(6):
            found[i, heading] = cost[goals[i] * 6 + heading]
    return found


@compiled
def _spans(
    exits: Ints, passable: Flags, hexes: Ints, first: int, last: int, back: bool, table: Steps
) -> None:
    """Fill in the steps from the cards between two numbers, GROUP at most, to all cards.

    All starts are followed at once, each as a bit of the words that say who has come to a pose.

    Args:
        exits: For every hex the hex that each heading leads to, or -1.
        passable: Where one can stand.
        hexes: Those of the cards.
        first: Number of the first card to start from.
        last: Number of the card after the last one.
        back: Whether steps backward are allowed.
        table: Filled, `[start * 6 + heading, goal, heading]`.
    """
    number, ahead = _ways(exits, passable)
    places = ahead.shape[0]
    here = np.zeros((places + 1, 6, WORDS), np.uint64)
    there = np.zeros((places + 1, 6, WORDS), np.uint64)
    been = np.zeros((places + 1, 6, WORDS), np.uint64)
    leave = np.full((places + 1, WORDS), ~NOBODY, np.uint64)
    active = np.zeros(places + 1, np.bool_)
    arriving = np.zeros(places + 1, np.bool_)
    leave[places] = NOBODY
    cards = number[hexes]
    for at in cards:
        leave[at] = NOBODY
    for i in range(first, last):
        active[cards[i]] = True
        for heading in range(6):
            start = (i - first) * 6 + heading
            bit = np.uint64(1) << np.uint64(start % 64)
            for words in (leave[cards[i]], here[cards[i], heading], been[cards[i], heading]):
                words[start // 64] |= bit
            table[i * 6 + heading, i, heading] = 0
    left = (last - first) * 6 * (hexes.shape[0] * 6 - 1)
    for taken in range(1, REACH + 1):
        _spread(ahead, here, been, leave, back, active, there, arriving)
        here, there, active, arriving = there, here, arriving, active
        for i in range(cards.shape[0]):
            for heading in range(6 if active[cards[i]] else 0):
                for word in range(WORDS):
                    bits = here[cards[i], heading, word]
                    left -= _note(bits, first * 6 + word * 64, taken, table[:, i, heading])
        if left == 0:
            break


@compiled
def _ways(exits: Ints, passable: Flags) -> tuple[Ints, Unsigned]:
    """A number for each hex where one can stand, and the numbers ahead of it; the last number is nowhere."""
    number = np.cumsum(passable).astype(np.int32) - 1
    count = number[-1] + 1
    ahead = np.empty((count, 6), np.uint32)
    for at in range(passable.shape[0]):
        if passable[at]:
            for heading in range(6):
                to = exits[at, heading]
                ahead[number[at], heading] = number[to] if to >= 0 else count
    return number, ahead


@compiled
def _spread(
    ahead: Unsigned,
    here: Words,
    been: Words,
    leave: Words,
    back: bool,
    active: Flags,
    there: Words,
    arriving: Flags,
) -> None:
    """Let everybody take one step to where they have not been.

    Args:
        ahead: For every place the place that each heading leads to.
        here: Who is at each pose.
        been: Who has been there; changed.
        leave: Who may leave each place.
        back: Whether steps backward are allowed.
        active: Where anybody is.
        there: Filled with who comes to each pose.
        arriving: Where anybody was a step before; filled with where anybody comes.
    """
    for at in range(ahead.shape[0]):
        near = active[at]
        for heading in range(6):
            near |= active[ahead[at, heading]]
        some = NOBODY
        for heading in range(6 if near or arriving[at] else 0):
            left = heading + 1 if heading < 5 else 0
            right = heading - 1 if heading > 0 else 5
            before = ahead[at, heading + 3 if heading < 3 else heading - 3]
            after = ahead[at, heading]
            for word in range(WORDS):
                bits = here[before, heading, word] & leave[before, word]
                bits |= here[at, left, word] | here[at, right, word]
                if back:
                    bits |= here[after, heading, word] & leave[after, word]
                bits &= ~been[at, heading, word]
                been[at, heading, word] |= bits
                there[at, heading, word] = bits
                some |= bits
        arriving[at] = some != NOBODY


@compiled
def _note(bits: np.uint64, first: int, taken: int, column: Steps) -> int:
    """Write down the steps of everybody whose bit is set; return how many they are."""
    count = 0
    while bits:
        count += 1
        low = bits & (~bits + np.uint64(1))
        column[first + PLACES[(low * DE_BRUIJN) >> np.uint64(58)]] = taken
        bits ^= low
    return count


def steps_between(hexmap: HexMap, hexes: Sequence[int], back: bool) -> Steps:
    """Steps between hexes that hold cards: `[start * 6 + heading, goal, heading]`."""
    places = np.array(hexes, dtype=np.int32)
    table: Steps = np.full((len(hexes) * 6, len(hexes), 6), FAR, np.int16)
    for first in range(0, len(hexes), GROUP):
        last = min(first + GROUP, len(hexes))
        _spans(hexmap.exit_table, hexmap.passable, places, first, last, back, table)
    return table


def steps_from(hexmap: HexMap, pose: int, hexes: Ints, back: bool) -> Steps:
    """Steps from a pose to hexes that hold cards: `[goal, heading]`."""
    found: Steps = _reached(hexmap.exit_table, pose, back, hexes)
    return found


def steps_to_all(hexmap: HexMap, pose: int, closed: Collection[int], back: bool = True) -> Steps:
    """Steps from a pose to every pose; FAR where there is no way."""
    nowhere = np.empty(0, dtype=np.int32)
    found: Steps = _flood(
        hexmap.exit_table, _array(closed), pose, back, FAR - 1, nowhere, np.empty(0, np.int8)
    )
    return found


def walk(
    hexmap: HexMap, pose: int, goals: Collection[int], closed: Collection[int], back: bool = True
) -> list[str] | None:
    """The shortest actions from a pose onto one of the goal hexes; None if there is no way.

    A goal under the player's feet costs nothing. Of equally near goals the lowest-numbered pose is taken.
    """
    found = _walk(hexmap.exit_table, _array(closed), pose, back, _array(sorted(goals))).tolist()
    return None if found == [-1] else [ACTIONS[action] for action in found]


def around_and_back(hexmap: HexMap, pose: int, closed: Collection[int]) -> list[str] | None:
    """The shortest actions that leave the hex and step onto it again."""
    at, heading = divmod(pose, 6)
    for turn, turning in ((0, []), (1, ["RR"]), (5, ["RL"]), (2, ["RR"] * 2)):
        for action, back, way in (("MF", "MB", 0), ("MB", "MF", 3)):
            to = hexmap.exits[at, (heading + turn + way) % 6]
            if to >= 0 and to not in closed:
                return [*turning, action, back]
    return None


def after(hexmap: HexMap, pose: int, actions: Sequence[str]) -> int:
    """The pose in which a player ends who starts in `pose` and acts so."""
    at, heading = divmod(pose, 6)
    for action in actions:
        if action == "MF":
            at = hexmap.exits[at, heading]
        elif action == "MB":
            at = hexmap.exits[at, (heading + 3) % 6]
        else:
            heading = (heading + (1 if action == "RR" else -1)) % 6
    return at * 6 + heading


def _array(hexes: Collection[int]) -> Ints:
    return np.fromiter(hexes, dtype=np.int32, count=len(hexes))
