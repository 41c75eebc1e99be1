"""Inverse planning for version 1: the likelihood of the actions under the generator's own planner."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate

import numpy as np

from housemates.agents.handmethat.goal_posterior import (
    Hypothesis,
    as_hypotheses,
    deliveries,
    done_for,
    rewind,
)
from housemates.agents.handmethat.goal_sampling import Evidence, relevance_test, sample_goals
from housemates.benchmarks.handmethat.generate.stopping_rule import idle_moments
from housemates.benchmarks.handmethat.tasks import goals
from housemates.benchmarks.handmethat.tasks.goals import Goal, satisfied
from housemates.benchmarks.handmethat.tasks.meanings import Lexicon, Meaning
from housemates.benchmarks.handmethat.tasks.planning import delivery
from housemates.benchmarks.handmethat.tasks.planning.plans import Value, delivery_value
from housemates.benchmarks.handmethat.tasks.planning.stages import Solved, StagePlanner, is_delivery, tools_of
from housemates.benchmarks.handmethat.world.dynamics import HUMAN, World
from housemates.benchmarks.handmethat.world.operators import Action, perform

MOST = 40
"""Most goals that are kept."""
ENOUGH = 0.98
"""Posterior mass that the kept goals cover."""
DETOUR = 1.0
"""Log-likelihood lost for each action that does not serve the goal, where no goal explains all of them."""


class ObservedHuman:
    """The human's actions, the states between them, and the likelihood of goals given both."""

    def __init__(self, world: World, actions: Sequence[Action]) -> None:
        """Replay the actions from the state before them."""
        self.world, self.actions = world, actions
        self.start = rewind(world, actions)
        self.states = [self.start]
        for action in actions:
            after = self.states[-1].copy()
            perform(after, HUMAN, action)
            self.states.append(after)
        self.done = deliveries(actions)
        self.solved: Solved = {}
        idle = [*idle_moments(self.start.copy(), actions)]
        self._waited = len(actions) - max((at for at, free in enumerate(idle) if free and at), default=0)

    def value(self, goal: Goal) -> Value:
        """The cost-to-go of a goal, as a function of the state."""
        if all(is_delivery(want) for want in goal.wants):
            return delivery_value(goal)
        return StagePlanner(goal, range(len(goal.wants)), solved=self.solved).cost

    def guess(
        self, utterance: Meaning, lexicon: Lexicon, numbers: Iterable[int], rng: np.random.Generator
    ) -> list[Hypothesis]:
        """Posterior over goals of these templates, the likeliest first."""
        evidence = Evidence.of(self.start, self.actions)
        fits = relevance_test(utterance, lexicon, self.world.scene)
        exact, rough = [], []
        for number in numbers:
            for goal, share in sample_goals(goals.templates()[number], evidence, fits, rng):
                chance = self.chance(goal)
                if chance > 0:
                    exact.append((goal, None, share * chance))
                elif not exact:
                    rough.append((goal, share))
        if exact:
            return _kept(as_hypotheses(exact))
        return _kept(as_hypotheses([(goal, None, share * self._roughly(goal)) for goal, share in rough]))

    def chance(self, goal: Goal) -> float:
        """Likelihood of the actions, and of stopping here, given a goal."""
        if satisfied(goal, self.world):
            return 0.0
        if all(is_delivery(want) for want in goal.wants):
            return self._delivering(goal)
        stages = StagePlanner(goal, range(len(goal.wants)), solved=self.solved)
        found = self._working(stages, 0, frozenset(range(len(goal.wants))))
        if found == 0.0:
            return 0.0
        left = stages.cost(self.world)
        return 0.0 if left is None else found * self._order(goal) * self._stopping(left)

    def _delivering(self, goal: Goal) -> float:
        before, after = delivery.cost(goal, self.start), delivery.cost(goal, self.world)
        if before is None or after is None or len(self.actions) + after != before:
            return 0.0
        return sum(done_for(goal, self.start, self.actions, self.done)[1].values()) * self._stopping(after)

    def _working(self, stages: StagePlanner, position: int, left: frozenset[int]) -> float:
        """Likelihood of the actions from a moment on, with these conjuncts left in random order."""
        now, end = self.states[position], len(self.actions)
        if position == end or not left:
            return float(position == end)
        places = tuple(sorted(each for each in left if is_delivery(stages.goal.wants[each])))
        options = [(each,) for each in sorted(left) if each not in places] + ([places] if places else [])
        touched = self._next_touched(position)
        found = 0.0
        for stage in options:
            part = stages.part(stage)
            if not satisfied(part, now) and touched is not None and touched not in _concerned(part):
                continue
            plan = stages.work(stage, now)
            if plan is None:
                continue
            after = position + len(plan)
            if after > end:
                rest = stages.work(stage, self.states[end])
                going_on = float(rest is not None and len(rest) == after - end)
            else:
                finished = not plan or satisfied(part, self.states[after])
                going_on = self._working(stages, after, left - set(stage)) if finished else 0.0
            found += going_on * len(stage) / len(left)
        return found

    def _next_touched(self, position: int) -> str | None:
        """The category of what she next picks up, changes or cleans."""
        for name, args in self.actions[position:]:
            if not name.startswith(("move", "open", "close", "toggle")):
                return self.world.scene.kinds[args[0]].name
        return None

    def _order(self, goal: Goal) -> float:
        """Probability of choosing these objects of their categories, in this order."""
        scene, wanted = self.world.scene, {want.kind for want in goal.wants}
        taken = Counter(scene.kinds[number].name for number in {each.number for each in self.done})
        return math.prod(
            1 / math.perm(len(scene.instances[kind]), many) for kind, many in taken.items() if kind in wanted
        )

    def _stopping(self, left: int) -> float:
        """Probability of stopping just here, with so many actions left."""
        last = max(len(self.actions) + left - 2, 1)
        if left < 2:
            return 0.0
        return min(self._waited, last) / last

    def _roughly(self, goal: Goal) -> float:
        value = self.value(goal)
        before, after = value(self.start), value(self.world)
        if before is None or after is None or after == 0:
            return 0.0
        return math.exp(-DETOUR * abs(len(self.actions) + after - before))


@cache
def _concerned(part: Goal) -> frozenset[str]:
    """Categories that the human may touch for some conjuncts."""
    found = {want.kind for want in part.wants} | {tool for want in part.wants for tool in tools_of(want)}
    return frozenset(found | {(want.place or "").partition("#")[0] for want in part.wants})


def _kept(found: Sequence[Hypothesis]) -> list[Hypothesis]:
    """The likeliest hypotheses that together cover `ENOUGH`."""
    so_far = accumulate((each.probability for each in found[:MOST]), initial=0.0)
    return [each for each, before in zip(found[:MOST], so_far, strict=False) if before < ENOUGH]
