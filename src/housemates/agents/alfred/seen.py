"""The expert under partial observability: plans with the objects seen so far, and else explores."""

from __future__ import annotations

import math
from collections.abc import Iterator

from housemates.agents.alfred.expert import Expert
from housemates.agents.alfred.guide import Guide, walk
from housemates.benchmarks.alfred.session import AlfredSession
from housemates.benchmarks.alfred.tasks.goals import Task
from housemates.benchmarks.alfred.tasks.planning import Plan, PlannedAction, PlanStep, problem_of, solve
from housemates.benchmarks.alfred.world.agent_camera import Sight
from housemates.benchmarks.alfred.world.dynamics import LOOK_DEG, START_HORIZON_DEG, STOP, AlfredWorld
from housemates.home import Thing
from housemates.home.containment import is_shut
from housemates.home.navigation import Cell, Pose, agent_at, standing_poses
from housemates.home.routes import Routes
from housemates.home.things import GRID_M

SEEN_PX = 12
"""Pixels from which an object counts as seen."""
VIEW_M = 3.0
"""Distance up to which the floor ahead counts as seen."""


class SeenExpert(Expert):
    """Knows the task and the floor plan, but only objects that it has seen."""

    def guide(self, session: AlfredSession, task: Task) -> Guide:
        """The guide with what was seen."""
        return SeenGuide(task, session.sight, self.looks(session))


class SeenGuide(Guide):
    """Plans with seen objects; where there is no plan, explores floor, doors and receptacles."""

    def __init__(self, task: Task, eyes: Sight, touch_by_sight: bool = False) -> None:
        """Serve a task.

        Args:
            task: What is to be done.
            eyes: What it sees with.
            touch_by_sight: Touch things only where the picture shows them.
        """
        super().__init__(task, eyes if touch_by_sight else None)
        self.eyes = eyes
        self.known: set[str] = set()
        self._floor: set[Cell] = set()
        self._searched: set[str] = set()
        self._faced: set[str] = set()
        self._tour: list[PlannedAction] = []

    def advise(self, world: AlfredWorld) -> PlannedAction:
        """The next action of the plan, or of the exploration."""
        self._notice(world)
        planned = self.plan(world) is not None
        if planned:
            deed = super().advise(world)
            if deed.action != STOP or self._done(world):
                self._tour = []
                return deed
        if not self._tour:
            self._tour = list(self._explore(world))
        return self._tour.pop(0) if self._tour else PlannedAction(STOP, None, PlanStep("NoOp", "", ""))

    def plan(self, world: AlfredWorld) -> Plan | None:
        """The plan with seen objects alone; None if there is none."""
        problem = problem_of(world, self.task, self._refused, self._opened)
        places = {name: place for name, place in problem.places.items() if name in self.known}
        items = {
            name: item
            for name, item in problem.items.items()
            if name in self.known and (item.place in places or item.place == "hand")
        }
        return solve(problem._replace(places=places, items=items))

    def _notice(self, world: AlfredWorld) -> None:
        seen = self.eyes.look().visible()
        self.known |= {name for name, pixels in seen.items() if pixels >= SEEN_PX}
        if world.home.agent.held:
            self.known.add(world.home.agent.held)
        agent = world.home.agent
        radius = int(VIEW_M / GRID_M)
        here = (agent.x / GRID_M, agent.z / GRID_M)
        for dx in range(-radius, radius + 1):
            for dz in range(-radius, radius + 1):
                if _in_wedge(agent.rotation, dx, dz):
                    self._floor.add(Cell(round(here[0]) + dx, round(here[1]) + dz))

    def _explore(self, world: AlfredWorld) -> Iterator[PlannedAction]:
        """Moves that show something new: unseen floor, behind a door, or a receptacle from close by."""
        ways = Routes(world.home, LOOK_DEG)
        yield from self._new_floor(ways) or self._new_door(world, ways) or self._close_look(world, ways)

    def _new_floor(self, ways: Routes) -> list[PlannedAction]:
        unseen = [cell for cell in ways.cells if cell not in self._floor]
        if not unseen:
            return []
        shown = (pose for pose in ways.poses() if any(_shows(pose, cell) for cell in unseen))
        best = next(shown, None)
        if best is None or not ways.length(best):
            return []
        return walk(ways, best._replace(horizon=START_HORIZON_DEG))

    def _new_door(self, world: AlfredWorld, ways: Routes) -> list[PlannedAction]:
        home = world.home
        shut = [
            thing
            for name in sorted(self.known - self._searched)
            if is_shut(thing := home.things[name]) and not thing.can("pickup")
        ]
        for thing in sorted(shut, key=lambda each: math.dist(each.position, home.agent.position)):
            self._searched.add(thing.id)
            found = self._open_and_look(world, ways, thing)
            if found:
                return found
        return []

    def _close_look(self, world: AlfredWorld, ways: Routes) -> list[PlannedAction]:
        """Moves to a receptacle that was not yet seen from close by."""
        home = world.home
        left = [home.things[name] for name in sorted(self.known - self._faced)]
        places = [thing for thing in left if thing.can("receptacle") and not thing.can("pickup")]
        for thing in sorted(places, key=lambda each: math.dist(each.position, home.agent.position)):
            self._faced.add(thing.id)
            poses = standing_poses(home, thing, ways.cells, LOOK_DEG)
            moves = walk(ways, poses[0]) if poses else []
            if moves:
                return moves
        return []

    def _open_and_look(self, world: AlfredWorld, ways: Routes, thing: Thing) -> list[PlannedAction]:
        poses = standing_poses(world.home, thing, ways.cells, LOOK_DEG)
        goal = PlanStep("OpenObject", "", thing.id)
        for pose in sorted(poses[: (len(poses) + 1) // 2], key=lambda each: (ways.length(each), each))[:8]:
            before = world.snapshot()
            world.home.agent = agent_at(world.home.agent, pose)
            works = world.act("OpenObject", thing.id).success and world.act("CloseObject", thing.id).success
            world.restore(before)
            if works:
                deeds = [
                    PlannedAction("OpenObject", thing.id, goal),
                    PlannedAction("CloseObject", thing.id, goal),
                ]
                return [*walk(ways, pose), *deeds]
        return []


def _in_wedge(rotation: int, dx: int, dz: int) -> bool:
    """Whether an offset is within 30 degrees of a heading."""
    ahead, aside = {0: (dz, dx), 90: (dx, dz), 180: (-dz, dx), 270: (-dx, dz)}[rotation]
    return ahead >= 0 and abs(aside) <= ahead * math.tan(math.radians(30)) + 0.01


def _shows(pose: Pose, cell: Cell) -> bool:
    """Whether a floor cell is in view of a pose, and near."""
    dx, dz = cell.x - pose.x, cell.z - pose.z
    return _in_wedge(pose.rotation, dx, dz) and math.hypot(dx, dz) * GRID_M <= VIEW_M
