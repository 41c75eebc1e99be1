"""The human's whole plan for a goal, by the planner of choice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from housemates.benchmarks.handmethat.operators import Action
from housemates.benchmarks.handmethat.planning.delivery import best_errands
from housemates.benchmarks.handmethat.planning.routes import Step, plan_errand
from housemates.benchmarks.handmethat.tasks import Goal, satisfied
from housemates.benchmarks.handmethat.world import World


@dataclass(frozen=True)
class Plan:
    """Actions, and where in them the work on each conjunct begins."""

    actions: tuple[Action, ...]
    beginnings: frozenset[int]


def human_plan(goal: Goal, world: World, planner: str, rng: np.random.Generator) -> Plan | None:
    """A plan from this state, or None if the goal cannot be reached."""
    groups = [frozenset(world.scene.instances[want.kind]) for want in goal.wants]
    least, ways = best_errands(goal, world)
    if least is None:
        return None
    after = world.copy()
    steps = plan_errand(ways[int(rng.integers(len(ways)))], after, groups, rng)
    assert satisfied(goal, after)
    return Plan(tuple(step.action for step in steps), _beginnings(steps, groups))


def _beginnings(steps: list[Step], groups: list[frozenset[int]]) -> frozenset[int]:
    found: dict[frozenset[int], int] = {}
    for position, step in enumerate(steps):
        for group in groups:
            if step.leg in group:
                found.setdefault(group, position)
    return frozenset(found.values())
