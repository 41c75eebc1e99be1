"""Demonstrations: what the expert does from a start to the end, cut into sub-goals and checked by replay."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

import numpy as np

from housemates.benchmarks.alfred.generate.arrangement import draw_start
from housemates.benchmarks.alfred.generate.sampling import Sample, tasks_in
from housemates.benchmarks.alfred.session import AGENT, AlfredSession
from housemates.benchmarks.alfred.tasks.episode import Episode, Part
from housemates.benchmarks.alfred.tasks.goals import Task, progress
from housemates.benchmarks.alfred.tasks.planning import PlannedAction, PlanStep
from housemates.benchmarks.alfred.world.agent_camera import SHOWN_PX, Sight
from housemates.benchmarks.alfred.world.dynamics import STOP, AlfredWorld
from housemates.core.benchmark import Instance
from housemates.core.episode import play
from housemates.core.loading import maker
from housemates.core.percepts import Limits
from housemates.errors import HousematesError
from housemates.home.scenes import load, scene_ids, split_of
from housemates.home.things import Scene

UNFAILING = Limits(steps=300, failures=1)
STARTS = 4
OTHERS = 8


class SubGoal(NamedTuple):
    """A high-level action and the low-level ones that carry it out."""

    step: PlanStep
    deeds: tuple[PlannedAction, ...]


class Demonstration(NamedTuple):
    """A task, where it begins, and what the expert did."""

    sample: Sample
    start: Scene
    deeds: tuple[PlannedAction, ...]
    digest: str
    """Of the world in the end."""

    @property
    def task(self) -> Task:
        """What is to be done."""
        return self.sample.task

    def subgoals(self) -> list[SubGoal]:
        """The demonstration cut where one high-level action ends and the next begins."""
        return [SubGoal(step, tuple(deeds)) for step, deeds in groupby(self.deeds, lambda deed: deed.goal)]

    def parts(self) -> list[Part]:
        """The same, as `episode.cut` takes them."""
        return [
            Part(
                "PutObject" if step.action == "StackObject" else step.action,
                step.thing,
                step.place,
                tuple((deed.action, deed.target) for deed in deeds),
            )
            for step, deeds in self.subgoals()
        ]


def demonstrate(sample: Sample, start: Scene, by_mask: bool = False) -> Demonstration | None:
    """Let the expert do the task; None if it fails an action or does not get to the end.

    Args:
        sample: The task and its room.
        start: The room at the start.
        by_mask: Touch things only where the picture shows them.
    """
    instance = Instance(sample.name, sample.task.type, Episode(sample.name, start, 0, sample.task))
    session = AlfredSession(instance, UNFAILING)
    expert = maker("alfred", AGENT, "expert")(only_seen=by_mask)
    trace = play(session, {AGENT: expert}, instance)
    if trace.error:
        raise HousematesError(f"{sample.name}: {trace.error}")
    deeds = tuple(deed for deed in expert.deeds if deed.action != STOP)
    if not deeds or trace.failures or not session.progress.success:
        return None
    return Demonstration(sample, start, deeds, session.digest())


def verified(demonstration: Demonstration) -> bool:
    """Whether the demonstration, played again from its start, succeeds action by action and ends the same.

    Every small thing that it touches must show in the picture, so that one who points by mask can follow.
    """
    world = AlfredWorld(demonstration.start)
    sight = Sight(world.home)
    for action, target, _ in demonstration.deeds:
        small = target is not None and world.home.things[target].can("pickup")
        if small and np.count_nonzero(sight.mask(str(target))) < SHOWN_PX:
            return False
        if not world.act(action, target).success:
            return False
    return progress(demonstration.task, world).success and world.digest() == demonstration.digest


def draw_demonstration(
    sample: Sample, rng: np.random.Generator, by_mask: bool = False
) -> Demonstration | None:
    """A verified demonstration of a sample from a random start; None if several starts gave none."""
    for _ in range(STARTS):
        start = draw_start(sample, rng)
        found = demonstrate(sample, start, by_mask) if start is not None else None
        if found is not None and verified(found):
            return found
    return None


def draw_similar(sample: Sample, rng: np.random.Generator, by_mask: bool = False) -> Demonstration | None:
    """A verified demonstration of a sample, or of another task of its type in a room of the same kind."""
    found = draw_demonstration(sample, rng, by_mask)
    rooms = scene_ids(load(sample.scene).room, split_of(sample.scene) or None)
    for _ in range(OTHERS):
        if found is not None:
            break
        scene = rooms[int(rng.integers(len(rooms)))]
        tasks = [task for task in tasks_in(scene) if task.type == sample.task.type]
        if tasks:
            other = Sample(tasks[int(rng.integers(len(tasks)))], scene)
            found = draw_demonstration(other, rng, by_mask)
    return found
