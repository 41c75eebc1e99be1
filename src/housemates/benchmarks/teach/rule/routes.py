"""Shortest ways from where an agent stands to every pose of a grid."""

from __future__ import annotations

from housemates.home.navigation import HEADINGS, Cell, Grid, Pose

LOOK_DEG = 30
Place = tuple[int, int, int]
"""A cell (x, z) and a rotation."""


class Routes:
    """The shortest ways from one pose; looking up or down comes last and costs as much as a step."""

    def __init__(self, ground: Grid, start: Pose) -> None:
        self.start = start
        self.distances: dict[Place, int] = {}
        self._came: dict[Place, tuple[Place, str]] = {}
        self._explore(ground)

    def _explore(self, ground: Grid) -> None:
        first: Place = (self.start.x, self.start.z, self.start.rotation)
        free, x0, z0 = ground.free.tolist(), ground.x0, ground.z0
        width, depth = len(free), len(free[0])
        distances, came, edge = self.distances, self._came, [first]
        distances[first] = 0
        length = 0
        while edge:
            length += 1
            reached: list[Place] = []
            for place in edge:
                x, z, rotation = place
                dx, dz = HEADINGS[rotation]
                to_x, to_z = 2 * (x + dx) - x0, 2 * (z + dz) - z0
                ways: list[tuple[Place, str]] = [
                    ((x, z, (rotation + 90) % 360), "Turn Right"),
                    ((x, z, (rotation - 90) % 360), "Turn Left"),
                ]
                if (
                    0 <= to_x < width
                    and 0 <= to_z < depth
                    and free[to_x][to_z]
                    and free[to_x - dx][to_z - dz]
                ):
                    ways.insert(0, ((x + dx, z + dz, rotation), "Forward"))
                for after, move in ways:
                    if after not in distances:
                        distances[after] = length
                        came[after] = (place, move)
                        reached.append(after)
            edge = reached

    def cells(self) -> set[Cell]:
        """Every cell that can be reached."""
        return {Cell(x, z) for x, z, _ in self.distances}

    def cost(self, pose: Pose) -> int:
        """How many moves lead to a pose that can be reached."""
        looks = abs(pose.horizon - self.start.horizon) // LOOK_DEG
        return self.distances[pose.x, pose.z, pose.rotation] + looks

    def moves(self, pose: Pose) -> list[str]:
        """The moves that lead to a pose."""
        place: Place = (pose.x, pose.z, pose.rotation)
        moves = []
        while place in self._came:
            place, move = self._came[place]
            moves.append(move)
        look = "Look Down" if pose.horizon > self.start.horizon else "Look Up"
        return moves[::-1] + [look] * (abs(pose.horizon - self.start.horizon) // LOOK_DEG)
