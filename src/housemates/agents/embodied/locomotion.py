"""Walking by one's own map and pictures: what every body does, whatever it touches."""

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
"""What it does bit by bit: yields acts, is sent what it then perceives, returns what came of it."""
BUMPS = 5
"""How often it may bump into something on one way."""
AHEAD_DEG = 30
"""How far it looks down to see where it goes."""
DETOURS = 20
"""How often it looks for another way to a stand."""


class Locomotion:
    """What one perceives and remembers, and how one moves.

    Args:
        senses: The benchmark's part.
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
        """How much it tried in vain."""

    def perceive(self, percept: Percept, look: bool = True) -> None:
        """Take in what is to be seen now; without a look, only when something asks for it."""
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
        """What is perceived now."""
        assert self.percept is not None
        return self.percept

    @property
    def pose(self) -> Pose:
        """Where it stands and looks."""
        return self.embodiment.localise(self.now)

    def picture(self) -> Frame:
        """What it sees now."""
        if self._frame is None:
            self._frame = self.embodiment.observe(self.now)
            self._seen = self.memory.update(self._frame, self.map)
        return self._frame

    @property
    def seen(self) -> set[str]:
        """The keys of what it sees now."""
        self.picture()
        return self._seen

    @property
    def map(self) -> OccupancyMap:
        """What is known of the floor."""
        assert self.occupancy is not None
        return self.occupancy

    @property
    def grid_pose(self) -> GridPose:
        """Where it stands."""
        pose = self.pose
        return GridPose(round(pose.x / GRID_M), round(pose.z / GRID_M), round(pose.rotation) % 360)

    @property
    def position(self) -> tuple[float, float, float]:
        """Where reach is measured from."""
        return self.pose[:3]

    def do(self, act: Act, look: bool = True) -> Routine[Outcome]:
        """Do one thing and take in what comes of it."""
        percept = yield act
        self.perceive(percept, look)
        return self._came_of(percept)

    def _came_of(self, percept: Percept) -> Outcome:
        """What came of the last act; failures are counted."""
        outcome = percept.last
        assert outcome is not None
        self.failures += not outcome.success
        return outcome

    def move(self, name: str, look: bool = True) -> Routine[Outcome]:
        """Make one of the home's moves."""
        return (yield from self.do(self.embodiment.move(name), look))

    def tilt(self, horizon: int) -> Routine[None]:
        """Look up or down."""
        horizon = min(max(horizon, HORIZON_RANGE_DEG[0]), HORIZON_RANGE_DEG[1])
        while abs(self.pose.horizon - horizon) >= self.embodiment.look_deg / 2:
            down = self.pose.horizon < horizon
            outcome = yield from self.move("LookDown" if down else "LookUp")
            if not outcome.success:
                return

    def walk(self, goal: GridPose) -> Routine[bool]:
        """Go to a stand; finds another way where one is blocked."""
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
        """Look at the floor ahead before ground where one never stood, if perception wants that."""
        ahead = abs(self.pose.horizon - AHEAD_DEG) <= AHEAD_DEG / 2
        if self.memory.perception.looks_ahead and not ahead and not all(map(self.map.was_visited, way)):
            yield from self.tilt(AHEAD_DEG)

    def _knows(self, way: Sequence[GridPose]) -> bool:
        """Whether it need not look before the next step of a way: looks may cost more than steps."""
        return self.memory.perception.looks_ahead and bool(way) and self.map.was_visited(way[0])

    def turn_to(self, rotation: int) -> Routine[None]:
        """Turn on the spot."""
        while self.grid_pose.rotation != rotation % 360:
            left = (self.grid_pose.rotation - rotation) % 360 == 90
            yield from self.move("TurnLeft" if left else "TurnRight")


def _move(here: GridPose, there: GridPose) -> str:
    if here[:2] != there[:2]:
        return "Forward"
    return "TurnRight" if (there.rotation - here.rotation) % 360 == 90 else "TurnLeft"
