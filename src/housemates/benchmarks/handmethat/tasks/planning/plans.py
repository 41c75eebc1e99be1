"""The human's whole plan for a goal, and what a goal still costs, by the planner of choice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from housemates.benchmarks.handmethat.tasks.goals import Goal, satisfied
from housemates.benchmarks.handmethat.tasks.planning import delivery
from housemates.benchmarks.handmethat.tasks.planning.routes import plan_errand
from housemates.benchmarks.handmethat.tasks.planning.stages import StagePlanner, is_delivery
from housemates.benchmarks.handmethat.world.dynamics import World
from housemates.benchmarks.handmethat.world.operators import Action

Value = Callable[[World], int | None]
"""The cost to go from a state; None if the goal cannot be reached."""


@dataclass(frozen=True)
class HumanPlan:
    """Actions, the conjunct that each works for (None if for several), and the planner's cost to go."""

    actions: tuple[Action, ...]
    conjuncts: tuple[int | None, ...]
    value: Value


def human_plan(goal: Goal, world: World, planner: str, rng: np.random.Generator) -> HumanPlan | None:
    """A plan from this state, or None if the goal cannot be reached.

    `exact` plans all deliveries at once and each conjunct that changes states by exact search; `ff` plans one
    conjunct after another in random order, by best-first search with the FF heuristic.
    """
    if planner == "exact" and all(is_delivery(want) for want in goal.wants):
        return _delivery_plan(goal, world, rng)
    stages = StagePlanner(goal, rng.permutation(len(goal.wants)).tolist(), planner)
    steps = stages.plan(world.copy())
    if steps is None:
        return None
    pure = all(is_delivery(want) for want in goal.wants)
    return HumanPlan(
        tuple(action for action, _ in steps),
        tuple(conjunct for _, conjunct in steps),
        delivery_value(goal) if pure else stages.cost,
    )


def delivery_value(goal: Goal) -> Value:
    """The closed form for a goal about places."""
    return lambda world: delivery.cost(goal, world)


def conjunct_value(part: Goal) -> Value:
    """The cost to go of a goal with one conjunct."""
    if is_delivery(part.wants[0]):
        return delivery_value(part)
    return StagePlanner(part, [0]).cost


def _delivery_plan(goal: Goal, world: World, rng: np.random.Generator) -> HumanPlan | None:
    groups = [frozenset(world.scene.instances[want.kind]) for want in goal.wants]
    least, ways = delivery.best_errands(goal, world)
    if least is None:
        return None
    after = world.copy()
    steps = plan_errand(ways[int(rng.integers(len(ways)))], after, groups, rng)
    assert satisfied(goal, after)
    return HumanPlan(
        tuple(step.action for step in steps),
        tuple(
            next((position for position, group in enumerate(groups) if step.leg in group), None)
            for step in steps
        ),
        delivery_value(goal),
    )
