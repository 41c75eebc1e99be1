"""Locomotion: path following on the occupancy map, with replanning after bumps."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TypeVar

from housemates.agents.embodied.embodiment import Embodiment, Pose
from housemates.agents.embodied.object_memory import ObjectMemory
from housemates.agents.embodied.occupancy import GridPose, OccupancyMap
from housemates.core.actions import Act
from housemates.core.outcome import Outcome
from housemates.core.percepts import Percept
from housemates.home.navigation import Cell
from housemates.home.things import AGENT_HEIGHT_M, GRID_M, HORIZON_RANGE_DEG
from housemates.render.frames import Frame

T = TypeVar("T")
Routine = Generator[Act, Percept, T]
"""A coroutine of acts: it yields acts, is sent the percepts that follow, and returns a result."""
BUMPS = 5
"""Bumps on one path after which it is given up."""
AHEAD_DEG = 30
"""Horizon at which the floor ahead is in view."""
DETOURS = 20
"""Replans of one path after which it is given up."""


class Locomotion:
    """An agent's current percept, object memory and occupancy map, and its moves.

    Args:
        embodiment: The benchmark's part.
    """

    def __init__(self, embodiment: Embodiment) -> None:
        self.embodiment = embodiment
        self.memory = ObjectMemory()
        self.percept: Percept | None = None
        self._frame: Frame | None = None
        self.occupancy: OccupancyMap | None = None
        self._seen: set[str] = set()
        self.bumps = 0
        self.failures = 0
        """Number of failed acts in this episode."""

    def perceive(self, percept: Percept, look: bool = True) -> None:
        """Take in a percept; without `look`, segmentation runs only when something asks for it."""
        self.percept = percept
        self._frame = None
        pose = self.embodiment.localise(percept)
        if self.occupancy is None:
            embodiment = self.embodiment
            floor = pose.y - AGENT_HEIGHT_M
            perception = self.memory.perception
            wall = max(embodiment.wall_m, perception.wall_m)
            self.occupancy = OccupancyMap(pose.x, pose.z, floor, embodiment.blind_m, wall, perception)
        self.occupancy.visit(Cell(self.grid_pose.x, self.grid_pose.z))
        if look:
            self.picture()

    @property
    def now(self) -> Percept:
        """The current percept; `perceive` has to come first."""
        assert self.percept is not None
        return self.percept

    @property
    def pose(self) -> Pose:
        """The pose as the embodiment localises it."""
        return self.embodiment.localise(self.now)

    def picture(self) -> Frame:
        """The current picture with segmentation and depth; the first call updates memory and map."""
        if self._frame is None:
            self._frame = self.embodiment.observe(self.now)
            self._seen = self.memory.update(self._frame, self.map)
        return self._frame

    @property
    def seen(self) -> set[str]:
        """Keys of the objects in the current picture."""
        self.picture()
        return self._seen

    @property
    def map(self) -> OccupancyMap:
        """The occupancy map; `perceive` has to come first."""
        assert self.occupancy is not None
        return self.occupancy

    @property
    def grid_pose(self) -> GridPose:
        """The believed pose on the grid."""
        pose = self.pose
        return GridPose(round(pose.x / GRID_M), round(pose.z / GRID_M), round(pose.rotation) % 360)

    @property
    def position(self) -> tuple[float, float, float]:
        """The point in metres that reach is measured from."""
        return self.pose[:3]

    def do(self, act: Act, look: bool = True) -> Routine[Outcome]:
        """Yield one act and take in the percept that follows; returns its outcome."""
        percept = yield act
        self.perceive(percept, look)
        return self._came_of(act, percept)

    def _came_of(self, act: Act, percept: Percept) -> Outcome:
        """The outcome of an act; counts failures."""
        outcome = self.embodiment.outcome(act, percept)
        self.failures += not outcome.success
        return outcome

    def move(self, name: str, look: bool = True) -> Routine[Outcome]:
        """Make one move of the home."""
        return (yield from self.do(self.embodiment.move(name), look))

    def tilt(self, horizon: int) -> Routine[None]:
        """Look up or down until the horizon is as near as it gets, in degrees."""
        horizon = min(max(horizon, HORIZON_RANGE_DEG[0]), HORIZON_RANGE_DEG[1])
        while abs(self.pose.horizon - horizon) >= self.embodiment.look_deg / 2:
            down = self.pose.horizon < horizon
            outcome = yield from self.move("LookDown" if down else "LookUp")
            if not outcome.success:
                return

    def walk(self, goal: GridPose) -> Routine[bool]:
        """Follow the cheapest path to a pose, replanning where it is blocked; False if there is none."""
        bumps = detours = 0
        while self.grid_pose != goal:
            start = self.grid_pose
            if bumps > BUMPS or detours > DETOURS or goal not in self.map.path_costs(start):
                return False
            way = self.map.path(start, goal)
            yield from self._look_ahead(way)
            while way:
                here, step = self.grid_pose, way.pop(0)
                if here[:2] != step[:2] and not self.map.is_free([step]):
                    detours += 1
                    break
                outcome = yield from self.move(_move(here, step), not self._knows(way))
                if not outcome.success:
                    self.map.bump(Cell(here.x, here.z), here.rotation)
                    bumps += 1
                    self.bumps += 1
                    break
        return True

    def _look_ahead(self, way: Sequence[GridPose]) -> Routine[None]:
        """Tilt down before a path over unvisited ground, if perception demands it."""
        ahead = abs(self.pose.horizon - AHEAD_DEG) <= AHEAD_DEG / 2
        if self.memory.perception.looks_ahead and not ahead and not all(map(self.map.was_visited, way)):
            yield from self.tilt(AHEAD_DEG)

    def _knows(self, way: Sequence[GridPose]) -> bool:
        """Whether the next step needs no look, as it leads over visited ground."""
        return self.memory.perception.looks_ahead and bool(way) and self.map.was_visited(way[0])

    def turn_to(self, rotation: int) -> Routine[None]:
        """Turn on the spot to a rotation in degrees."""
        while self.grid_pose.rotation != rotation % 360:
            left = (self.grid_pose.rotation - rotation) % 360 == 90
            yield from self.move("TurnLeft" if left else "TurnRight")


def _move(here: GridPose, there: GridPose) -> str:
    if here[:2] != there[:2]:
        return "Forward"
    return "TurnRight" if (there.rotation - here.rotation) % 360 == 90 else "TurnLeft"
