"""A policy for one sub-goal of a demonstration."""

from __future__ import annotations

from collections.abc import Iterator

from housemates.agents.alfred.guide import Expected, Guide, walk
from housemates.benchmarks.alfred.tasks.goals import Task
from housemates.benchmarks.alfred.tasks.planning import PlanStep
from housemates.benchmarks.alfred.tasks.planning.problem import place_of
from housemates.benchmarks.alfred.tasks.subgoals import Target
from housemates.benchmarks.alfred.world.agent_camera import Sight
from housemates.benchmarks.alfred.world.dynamics import LOOK_DEG, AlfredWorld
from housemates.home import Thing, World
from housemates.home.containment import is_shut
from housemates.home.navigation import Pose
from housemates.home.routes import Routes


class SubgoalGuide(Guide):
    """Achieves one sub-goal, with the objects that the demonstration used."""

    def __init__(self, task: Task, target: Target, sight: Sight | None = None) -> None:
        super().__init__(task, sight)
        self.target = target

    def _prepare(self, world: AlfredWorld) -> None:
        ways = Routes(world.home, LOOK_DEG)
        if self.target.kind == "GotoLocation":
            self._ahead.extend(_walk(world, ways, self.target.pose))
        elif all(not name or name in world.home.things for name in self.target[1:3]):
            group = tuple(_group(world.home, self.target))
            self._ahead.extend(self._rehearsed(world, ways, group, last=False))


def _walk(world: AlfredWorld, ways: Routes, pose: Pose | None) -> Iterator[Expected]:
    if pose is None or not ways.reaches(pose):
        return
    before = world.snapshot()
    for deed in walk(ways, pose):
        yield Expected(deed, world.snapshot())
        world.act(deed.action)
    world.restore(before)


def _group(home: World, target: Target) -> Iterator[PlanStep]:
    """The sub-goal's step, with the opening and closing that it takes."""
    kind, name, place, _ = target
    step = PlanStep(kind, name, place)
    shut: Thing | None = None
    if kind in ("PickupObject", "SliceObject"):
        shut = home.enclosing(home.things[name])
        step = PlanStep(kind, name, place_of(home, home.things[name]))
    elif kind == "PutObject":
        there = home.things[place]
        shut = there if is_shut(there) else home.enclosing(there)
        step = PlanStep("StackObject" if there.can("pickup") else kind, name, place)
    elif kind == "ToggleObject":
        step = PlanStep(kind, "", place)
    if shut is not None:
        yield PlanStep("OpenObject", "", shut.id)
    yield step
    if shut is not None:
        yield PlanStep("CloseObject", "", shut.id)
