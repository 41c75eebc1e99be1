"""Shortest walks over poses (a hex and a heading), compiled; a pose is the number `hex * 6 + heading`.

Cards that are not the goal are obstacles: a walk may end on one and turn there, but not go on.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.world.hexmap import HexMap

FAR = 10_000
REACH = 40
"""Walks of more steps are not looked for when distances between all cards are measured."""
ACTIONS = ("MF", "MB", "RL", "RR")
Ints = NDArray[np.int32]
Flags = NDArray[np.bool_]


@njit(cache=True)
def flood(exits: Ints, closed: Flags, start: int, back: bool, reach: int, cost: Ints, came: Ints) -> None:
    """Fill `cost` with the steps from pose `start` to every pose and `came` with the last action there.

    Args:
        exits: For every hex the hex that each heading leads to, or -1.
        closed: Hexes that can be entered but not left.
        start: The first pose; its hex can be left even if closed.
        back: Whether steps backward are allowed.
        reach: Steps after which to stop.
        cost: Filled; FAR where there is no way.
        came: Filled; index of ACTIONS, -1 at the start.
    """
    cost[:] = FAR
    came[:] = -1
    queue = np.empty(cost.shape[0], dtype=np.int32)
    queue[0] = start
    cost[start] = 0
    first, last = 0, 1
    home = start // 6
    while first < last:
        pose = queue[first]
        first += 1
        if cost[pose] >= reach:
            break
        at, heading = pose // 6, pose % 6
        for action in range(4):
            if action == 0:
                to = exits[at, heading]
                new = to * 6 + heading
            elif action == 1:
                to = exits[at, (heading + 3) % 6]
                new = to * 6 + heading
            elif action == 2:
                to = at
                new = at * 6 + (heading + 5) % 6
            else:
                to = at
                new = at * 6 + (heading + 1) % 6
            if to < 0 or cost[new] != FAR or (action == 1 and not back):
                continue
            if action < 2 and closed[at] and at != home:
                continue
            cost[new] = cost[pose] + 1
            came[new] = action
            queue[last] = new
            last += 1


@njit(cache=True)
def flood_all(exits: Ints, closed: Flags, starts: Ints, goals: Ints, back: bool) -> Ints:
    """Steps from each start pose to each goal hex with each heading there: `[start, goal, heading]`."""
    cost = np.empty(exits.shape[0] * 6, dtype=np.int32)
    came = np.empty(exits.shape[0] * 6, dtype=np.int32)
    table = np.empty((starts.shape[0], goals.shape[0], 6), dtype=np.int32)
    for i in range(starts.shape[0]):
        flood(exits, closed, starts[i], back, REACH, cost, came)
        for j in range(goals.shape[0]):
            for heading in range(6):
                table[i, j, heading] = cost[goals[j] * 6 + heading]
    return table


def walk(hexmap: HexMap, pose: int, goals: set[int], closed: set[int], back: bool = True) -> list[str] | None:
    """The shortest actions from a pose onto one of the goal hexes; None if there is no way.

    A goal under the player's feet costs nothing. Of equally near goals the lowest-numbered pose is taken.
    """
    field = Field(hexmap, pose, closed, back)
    ends = [goal * 6 + heading for goal in sorted(goals) for heading in range(6)]
    best = min(ends, key=lambda end: int(field.cost[end]), default=-1)
    return field.actions(best) if best >= 0 else None


def around_and_back(hexmap: HexMap, pose: int, closed: set[int]) -> list[str] | None:
    """The shortest actions that leave the hex and step onto it again."""
    at, heading = divmod(pose, 6)
    for turn, turning in ((0, []), (1, ["RR"]), (5, ["RL"]), (2, ["RR"] * 2)):
        for action, back, way in (("MF", "MB", 0), ("MB", "MF", 3)):
            to = hexmap.exits[at][(heading + turn + way) % 6]
            if to >= 0 and to not in closed:
                return [*turning, action, back]
    return None


class Field:
    """All shortest walks from one pose."""

    def __init__(self, hexmap: HexMap, pose: int, closed: set[int], back: bool = True) -> None:
        self.hexmap = hexmap
        poses = len(hexmap.terrain) * 6
        self.cost: Ints = np.empty(poses, dtype=np.int32)
        self.came: Ints = np.empty(poses, dtype=np.int32)
        flood(hexmap.exit_table, mask(hexmap, closed), pose, back, FAR, self.cost, self.came)

    def to(self, goal: int) -> int:
        """Steps to a hex, whatever the heading there."""
        return int(self.cost[goal * 6 : goal * 6 + 6].min())

    def actions(self, end: int) -> list[str] | None:
        """The actions that lead to a pose; None if it is out of reach."""
        if self.cost[end] >= FAR:
            return None
        actions = []
        while self.came[end] >= 0:
            name = ACTIONS[self.came[end]]
            actions.append(name)
            end = _before(self.hexmap, end, name)
        return actions[::-1]


def _before(hexmap: HexMap, pose: int, action: str) -> int:
    at, heading = divmod(pose, 6)
    if action == "MF":
        return hexmap.exits[at][(heading + 3) % 6] * 6 + heading
    if action == "MB":
        return hexmap.exits[at][heading] * 6 + heading
    return at * 6 + (heading + (1 if action == "RL" else -1)) % 6


def after(hexmap: HexMap, pose: int, actions: list[str]) -> int:
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


def mask(hexmap: HexMap, hexes: set[int]) -> Flags:
    """A flag for every hex of the map."""
    flags = np.zeros(len(hexmap.terrain), dtype=np.bool_)
    flags[list(hexes)] = True
    return flags
