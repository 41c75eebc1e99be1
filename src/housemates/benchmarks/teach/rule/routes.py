"""Shortest ways from where an agent stands to every pose of a grid."""

from __future__ import annotations

from housemates.home.navigation import HEADINGS, Cell, Grid, Pose

LOOK_DEG = 30
Place = tuple[int, int, int]
"""A cell (x, z) and a rotation."""
TURNS = (("Turn Right", 90), ("Turn Left", 270))


class Routes:
    """The shortest ways from one pose; looking up or down comes last and costs as much as a step."""

    def __init__(self, ground: Grid, start: Pose) -> None:
        self.start = start
        self.distances: dict[Place, int] = {(start.x, start.z, start.rotation): 0}
        self._came: dict[Place, tuple[Place, str]] = {}
        self._explore(ground)

    def _explore(self, ground: Grid) -> None:
        distances, came, edge = self.distances, self._came, list(self.distances)
        ways = _Ways(ground)
        length = 0
        while edge:
            length += 1
            reached: list[Place] = []
            for place in edge:
                for after, move in ways.out_of(place):
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


class _Ways:
    """Where one move leads from each place of a grid."""

    def __init__(self, ground: Grid) -> None:
        self.x0, self.z0 = ground.x0, ground.z0
        self.free: list[list[bool]] = ground.free.tolist()
        self.width, self.depth = ground.free.shape

    def out_of(self, place: Place) -> list[tuple[Place, str]]:
        """Places after one move, and the moves."""
        x, z, rotation = place
        found: list[tuple[Place, str]] = []
        dx, dz = HEADINGS[rotation]
        to_x, to_z = 2 * (x + dx) - self.x0, 2 * (z + dz) - self.z0
        inside = 0 <= to_x < self.width and 0 <= to_z < self.depth
        if inside and self.free[to_x][to_z] and self.free[to_x - dx][to_z - dz]:
            found.append(((x + dx, z + dz, rotation), "Forward"))
        for move, turn in TURNS:
            found.append(((x, z, (rotation + turn) % 360), move))
        return found
