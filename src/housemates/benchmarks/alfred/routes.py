"""The shortest ways from where the agent stands: moves, turns and looks each count one."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from housemates.benchmarks.alfred.world import LOOK_DEG
from housemates.home.navigation import HEADINGS, Cell, Pose, grid, pose_of
from housemates.home.world import World

Stand = tuple[int, int, int]
"""A cell and a rotation."""


class Routes(NamedTuple):
    """Every stand that can be reached, with its distance and the move that leads there."""

    start: Pose
    steps: dict[Stand, int]
    came: dict[Stand, tuple[Stand, str]]

    @property
    def cells(self) -> set[Cell]:
        """The cells that can be reached."""
        return {Cell(x, z) for x, z, _ in self.steps}

    def length(self, pose: Pose) -> int:
        """How many moves it takes to a pose that can be reached."""
        return self.steps[pose[:3]] + abs(pose.horizon - self.start.horizon) // LOOK_DEG

    def moves(self, pose: Pose) -> list[str]:
        """The moves to a pose that can be reached, looks last."""
        found = []
        stand = pose[:3]
        while stand in self.came:
            stand, move = self.came[stand]
            found.append(move)
        turn = pose.horizon - self.start.horizon
        return found[::-1] + ["LookDown" if turn > 0 else "LookUp"] * (abs(turn) // LOOK_DEG)


def routes(home: World) -> Routes:
    """The ways from where the agent stands now."""
    ground = grid(home)
    start = pose_of(home.agent)
    first = start[:3]
    steps: dict[Stand, int] = {first: 0}
    came: dict[Stand, tuple[Stand, str]] = {}
    queue = deque([first])
    while queue:
        stand = queue.popleft()
        x, z, rotation = stand
        dx, dz = HEADINGS[rotation]
        nexts = [
            ((x, z, (rotation + 90) % 360), "RotateRight"),
            ((x, z, (rotation - 90) % 360), "RotateLeft"),
        ]
        if ground.passable(Cell(x, z), dx, dz):
            nexts.insert(0, ((x + dx, z + dz, rotation), "MoveAhead"))
        for after, move in nexts:
            if after not in steps:
                steps[after] = steps[stand] + 1
                came[after] = (stand, move)
                queue.append(after)
    return Routes(start, steps, came)
