"""The shortest ways from where the agent stands to every pose that it can reach."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from housemates.home.navigation import HEADINGS, Cell, Pose, grid, pose_of
from housemates.home.world import World
from housemates.jit import compiled

MOVES = ("Forward", "TurnRight", "TurnLeft")
STEPS = np.array(list(HEADINGS.values()), np.int64)
"""Steps in x and z for each quarter turn."""


class Routes:
    """The shortest ways through a world as it is; looks come last and cost as much as a step each."""

    def __init__(self, world: World, look_deg: int = 30) -> None:
        """Find them all.

        Args:
            world: The agent starts where it stands in it.
            look_deg: How far the agent looks up or down at once.
        """
        self.start = start = pose_of(world.agent)
        self.look_deg = look_deg
        ground = grid(world)
        half_x, half_z = ground.free.shape
        self.x0, self.z0 = min(-(-ground.x0 // 2), start.x), min(-(-ground.z0 // 2), start.z)
        wide = max((ground.x0 + half_x - 1) // 2, start.x) - self.x0 + 1
        deep = max((ground.z0 + half_z - 1) // 2, start.z) - self.z0 + 1
        self.lengths: NDArray[np.int32] = np.full((wide, deep, 4), -1, np.int32)
        """Moves to each cell and quarter turn, counted from the first cell of the grid; -1 for never."""
        self._came: NDArray[np.int8] = np.full((wide, deep, 4), -1, np.int8)
        first = (2 * self.x0 - ground.x0, 2 * self.z0 - ground.z0)
        self._reached: NDArray[np.int64] = _explore(
            ground.free, first, self._place(start), STEPS, self.lengths, self._came
        )

    @property
    def reached(self) -> int:
        """How many places, that is cells and turns, can be reached."""
        return len(self._reached)

    @property
    def cells(self) -> set[Cell]:
        """The cells that can be reached."""
        return {Cell(x, z) for x, z in self.spots().tolist()}

    def spots(self) -> NDArray[np.int64]:
        """The x and z of every cell that can be reached, one row each."""
        found: NDArray[np.int64] = np.argwhere((self.lengths >= 0).any(axis=2))
        found += np.array([self.x0, self.z0])
        return found

    def poses(self) -> Iterator[Pose]:
        """Every pose that can be reached without looking up or down, the nearest first."""
        for x, z, turn in self._reached.tolist():
            yield Pose(x + self.x0, z + self.z0, turn * 90, self.start.horizon)

    def reaches(self, pose: Pose) -> bool:
        """Whether the agent can get to the cell of a pose and turn as asked."""
        x, z, turn = self._place(pose)
        wide, deep = self.lengths.shape[:2]
        return 0 <= x < wide and 0 <= z < deep and bool(self.lengths[x, z, turn] >= 0)

    def length(self, pose: Pose) -> int:
        """How many moves lead to a pose that can be reached."""
        return int(self.lengths[self._place(pose)]) + self._looks(pose)

    def cost(
        self, spots: NDArray[np.int64], rotation: NDArray[np.int64], horizon: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """The lengths of the ways to many poses that can be reached; part of a look counts in part."""
        lengths = self.lengths[spots[:, 0] - self.x0, spots[:, 1] - self.z0, rotation // 90]
        return lengths + np.abs(horizon - self.start.horizon) / self.look_deg

    def moves(self, pose: Pose) -> list[str]:
        """The home's actions that lead to a pose that can be reached."""
        x, z, turn = self._place(pose)
        moves = []
        while self._came[x, z, turn] >= 0:
            move = int(self._came[x, z, turn])
            moves.append(MOVES[move])
            if move == 0:
                x, z = x - int(STEPS[turn, 0]), z - int(STEPS[turn, 1])
            else:
                turn = (turn - (1, 3)[move - 1]) % 4
        look = "LookDown" if pose.horizon > self.start.horizon else "LookUp"
        return moves[::-1] + [look] * self._looks(pose)

    def _place(self, pose: Pose) -> tuple[int, int, int]:
        return pose.x - self.x0, pose.z - self.z0, pose.rotation // 90

    def _looks(self, pose: Pose) -> int:
        return abs(pose.horizon - self.start.horizon) // self.look_deg


@compiled
def _explore(free, first, start, steps, lengths, came):
    """Fill in the length of the way to each place, and the last move of it; the places, nearest first."""
    wide, deep = lengths.shape[:2]
    queue = np.empty((wide * deep * 4, 3), np.int64)
    queue[0, 0], queue[0, 1], queue[0, 2] = start
    lengths[start] = 0
    head, tail = 0, 1
    while head < tail:
        x, z, turn = queue[head, 0], queue[head, 1], queue[head, 2]
        head += 1
        for move in range(3):
            to_x, to_z, to_turn = x, z, turn
            if move == 0:
                dx, dz = steps[turn, 0], steps[turn, 1]
                to_x, to_z = x + dx, z + dz
                half_x, half_z = first[0] + 2 * to_x, first[1] + 2 * to_z
                if not (0 <= half_x < free.shape[0] and 0 <= half_z < free.shape[1]):
                    continue
                way_x, way_z = half_x - dx, half_z - dz
                if not (0 <= way_x < free.shape[0] and 0 <= way_z < free.shape[1]):
                    continue
                if not (free[half_x, half_z] and free[way_x, way_z]):
                    continue
            else:
                to_turn = (turn + (1 if move == 1 else 3)) % 4
            if lengths[to_x, to_z, to_turn] < 0:
                lengths[to_x, to_z, to_turn] = lengths[x, z, turn] + 1
                came[to_x, to_z, to_turn] = move
                queue[tail, 0], queue[tail, 1], queue[tail, 2] = to_x, to_z, to_turn
                tail += 1
    return queue[:tail]
