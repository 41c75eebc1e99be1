"""The human's whole plan for a goal, by the planner of choice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from housemates.benchmarks.handmethat.operators import Action
from housemates.benchmarks.handmethat.planning.delivery import best_errands
from housemates.benchmarks.handmethat.planning.routes import plan_errand
from housemates.benchmarks.handmethat.tasks import Goal, satisfied
from housemates.benchmarks.handmethat.world import World


@dataclass(frozen=True)
class Plan:
    """Actions, the conjunct that each works for (None if for several), and where work on each begins."""

    actions: tuple[Action, ...]
    conjuncts: tuple[int | None, ...]

    @property
    def beginnings(self) -> frozenset[int]:
        """The first action for each conjunct."""
        found: dict[int, int] = {}
        for position, conjunct in enumerate(self.conjuncts):
            if conjunct is not None:
                found.setdefault(conjunct, position)
        return frozenset(found.values())


def human_plan(goal: Goal, world: World, planner: str, rng: np.random.Generator) -> Plan | None:
    """A plan from this state, or None if the goal cannot be reached."""
    groups = [frozenset(world.scene.instances[want.kind]) for want in goal.wants]
    least, ways = best_errands(goal, world)
    if least is None:
        return None
    after = world.copy()
    steps = plan_errand(ways[int(rng.integers(len(ways)))], after, groups, rng)
    assert satisfied(goal, after)
    return Plan(
        tuple(step.action for step in steps),
        tuple(
            next((position for position, group in enumerate(groups) if step.leg in group), None)
            for step in steps
        ),
    )
