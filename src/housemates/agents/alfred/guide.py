"""Execution of plans: each sub-goal is rehearsed on a copy of the world, with replanning on surprises."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from housemates.benchmarks.alfred.tasks.goals import Task, progress
from housemates.benchmarks.alfred.tasks.planning import Plan, PlannedAction, PlanStep, problem_of, solve
from housemates.benchmarks.alfred.tasks.planning.problem import Refused
from housemates.benchmarks.alfred.world.agent_camera import SHOWN_PX, Sight
from housemates.benchmarks.alfred.world.dynamics import LOOK_DEG, MOVE_NAMES, STOP, AlfredWorld, Moment
from housemates.home import Thing
from housemates.home.navigation import Pose, standing_poses
from housemates.home.routes import Routes

MOST_REHEARSALS = 40
MOST_PUTS = 3
"""Poses tried for a placement, whose success hardly depends on the pose."""
MOST_PLANS = 100
PUTS = ("PutObject", "StackObject")
ON_THE_WAY = ("GotoLocation", "OpenObject", "CloseObject")
"""High-level actions that only prepare others."""


class Expected(NamedTuple):
    """An action and the state that it presumes."""

    deed: PlannedAction
    before: Moment


class Guide:
    """A policy for one task, from any state of its world.

    While the world is as it was foreseen, it goes on with what it had in mind; after a failed action, or
    if somebody else has acted, it plans anew.
    """

    def __init__(self, task: Task, sight: Sight | None = None) -> None:
        """Serve a task.

        Args:
            task: What is to be done.
            sight: If given, things are touched only where the picture shows them.
        """
        self.task = task
        self.sight = sight
        self._ahead: deque[Expected] = deque()
        self._refused: Refused = frozenset()
        self._opened: frozenset[str] = frozenset()

    def advise(self, world: AlfredWorld) -> PlannedAction:
        """The next action; `Stop` when the task is done or cannot be."""
        if not (self._ahead and _same(world, self._ahead[0].before)):
            self._ahead.clear()
            self._prepare(world)
        if not self._ahead:
            return PlannedAction(STOP, None, PlanStep("NoOp", "", ""))
        deed = self._ahead.popleft().deed
        if deed.action == "OpenObject" and deed.target:
            self._opened |= {deed.target}
        return deed

    def plan(self, world: AlfredWorld) -> Plan | None:
        """The high-level plan from this state; None if there is none."""
        return solve(problem_of(world, self.task, self._refused, self._opened))

    def _prepare(self, world: AlfredWorld) -> None:
        """Plan and rehearse the next sub-goal; steps that prove impossible are planned around."""
        if self._done(world):
            return
        ways = Routes(world.home, LOOK_DEG)
        for _ in range(MOST_PLANS):
            plan = self.plan(world)
            if plan is None or not plan.steps:
                return
            group = next_group(plan)
            last = len(group) == len(plan.steps)
            found = self._rehearsed(world, ways, group, last)
            if found:
                self._ahead.extend(found)
                return
            self._refused |= {main_step(group)}

    def _done(self, world: AlfredWorld) -> bool:
        """Whether the task is done and all that was opened for it is closed."""
        open_still = any(world.home.things[name].open for name in self._opened)
        return progress(self.task, world).success and not open_still

    def _rehearsed(
        self, world: AlfredWorld, ways: Routes, group: tuple[PlanStep, ...], last: bool
    ) -> list[Expected]:
        """Moves to the nearest pose where the sub-goal works, and its actions; empty if there is none."""
        main = main_step(group)
        deeds = [deed for step in group for deed in _deeds(world, step, main)]
        tries = MOST_REHEARSALS if main.action not in PUTS else MOST_PUTS
        for pose in _poses(world, ways, main, tries):
            played = self._play(world, ways, pose, deeds, main, last)
            if played:
                return played
        return []

    def _play(
        self,
        world: AlfredWorld,
        ways: Routes,
        pose: Pose,
        deeds: list[PlannedAction],
        main: PlanStep,
        last: bool,
    ) -> list[Expected]:
        """The actions done at a pose, on a copy; empty if one fails or the last misses the goal."""
        start = world.snapshot()
        found: list[Expected] = []
        for deed in walk(ways, pose, main.place):
            found.append(Expected(deed, world.snapshot()))
            world.act(deed.action)
        for deed in deeds:
            found.append(Expected(deed, world.snapshot()))
            if not (self._shown(deed) and world.act(deed.action, deed.target).success):
                found = []
                break
        if last and found and not progress(self.task, world).success:
            found = []
        world.restore(start)
        return found

    def _shown(self, deed: PlannedAction) -> bool:
        if self.sight is None or deed.target is None:
            return True
        return self.sight.look().visible().get(deed.target, 0) >= SHOWN_PX


def _same(world: AlfredWorld, moment: Moment) -> bool:
    """Whether the world is in a recorded state."""
    return (
        world.home.agent == moment.home.agent
        and world.marks == moment.marks
        and world.home.things == moment.home.things
    )


def walk(ways: Routes, pose: Pose, place: str = "") -> list[PlannedAction]:
    """The moves to a pose, as a GotoLocation sub-goal."""
    goal = PlanStep("GotoLocation", "", place)
    return [PlannedAction(MOVE_NAMES[move], None, goal) for move in ways.moves(pose)]


def next_group(plan: Plan) -> tuple[PlanStep, ...]:
    """The first sub-goal of a plan: going, opening, one main step, closing."""
    steps = plan.steps
    main = next(
        (number for number, step in enumerate(steps) if step.action not in ON_THE_WAY), len(steps) - 1
    )
    end = main + 1
    while end < len(steps) and steps[end].action == "CloseObject":
        end += 1
    return steps[:end]


def main_step(group: tuple[PlanStep, ...]) -> PlanStep:
    """The main step of a sub-goal."""
    return next((step for step in group if step.action not in ON_THE_WAY), group[-1])


def _poses(world: AlfredWorld, ways: Routes, step: PlanStep, most: int) -> Iterator[Pose]:
    """Poses to try a step at: those with the clearest view first, of these the nearest first.

    What lies deep in something, as in a garbage can, is also tried where only that is seen.
    """
    for name in dict.fromkeys((_looked_at(step), step.place)):
        poses = standing_poses(world.home, world.home.things[name], ways.cells, LOOK_DEG)
        best, good = (len(poses) + 3) // 4, (len(poses) + 1) // 2
        for candidates in (poses[:best], poses[best:good], poses[good:]):
            yield from sorted(candidates, key=lambda pose: (ways.length(pose), pose))[:most]


def _looked_at(step: PlanStep) -> str:
    """Id of the object to stand before for a step."""
    return step.thing if step.action in ("PickupObject", "SliceObject") else step.place


def _deeds(world: AlfredWorld, step: PlanStep, main: PlanStep) -> Iterator[PlannedAction]:
    """The low-level actions of a step, without the way there."""
    make = LOW_LEVEL.get(step.action)
    if make is not None:
        for action, target in make(world, step):
            yield PlannedAction(action, target, main)


Actions = Iterator[tuple[str, str]]


def _open(world: AlfredWorld, step: PlanStep) -> Actions:
    place = world.home.things[step.place]
    if place.on and place.type == "Microwave":
        yield "ToggleObjectOff", place.id
    yield "OpenObject", place.id


def _heat(world: AlfredWorld, step: PlanStep) -> Actions:
    oven = world.home.things[step.place]
    if oven.on:
        yield "ToggleObjectOff", oven.id
    if not oven.open:
        yield "OpenObject", oven.id
    yield "PutObject", oven.id
    yield "CloseObject", oven.id
    yield "ToggleObjectOn", oven.id
    yield "ToggleObjectOff", oven.id
    yield "OpenObject", oven.id
    yield "PickupObject", step.thing
    yield "CloseObject", oven.id


def _cool(world: AlfredWorld, step: PlanStep) -> Actions:
    fridge = world.home.things[step.place]
    if not fridge.open:
        yield "OpenObject", fridge.id
    yield "PutObject", fridge.id
    yield "CloseObject", fridge.id
    yield "OpenObject", fridge.id
    yield "PickupObject", step.thing
    yield "CloseObject", fridge.id


def _clean(world: AlfredWorld, step: PlanStep) -> Actions:
    basin = world.home.things[step.place]
    faucet = faucet_of(world, basin)
    if faucet is None:
        return
    if faucet.on:
        yield "ToggleObjectOff", faucet.id
    yield "PutObject", basin.id
    yield "ToggleObjectOn", faucet.id
    yield "ToggleObjectOff", faucet.id
    yield "PickupObject", step.thing


def faucet_of(world: AlfredWorld, basin: Thing) -> Thing | None:
    """The faucet that controls a basin, or else the nearest."""
    faucets = world.home.of_type("Faucet")
    return min(
        faucets,
        key=lambda each: (basin.id not in each.controls, math.dist(each.position, basin.position)),
        default=None,
    )


LOW_LEVEL: dict[str, Callable[[AlfredWorld, PlanStep], Actions]] = {
    "OpenObject": _open,
    "CloseObject": lambda world, step: iter([("CloseObject", step.place)]),
    "PickupObject": lambda world, step: iter([("PickupObject", step.thing)]),
    "PutObject": lambda world, step: iter([("PutObject", step.place)]),
    "StackObject": lambda world, step: iter([("PutObject", step.place)]),
    "SliceObject": lambda world, step: iter([("SliceObject", step.thing)]),
    "ToggleObject": lambda world, step: iter([("ToggleObjectOn", step.place)]),
    "HeatObject": _heat,
    "CoolObject": _cool,
    "CleanObject": _clean,
}
"""High-level action -> its low-level actions."""
