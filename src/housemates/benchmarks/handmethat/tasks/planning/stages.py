"""Goals that change states: conjuncts solved one after another, each by exact search, places all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from housemates.benchmarks.handmethat.tasks.goals import Goal, Want, satisfied
from housemates.benchmarks.handmethat.tasks.planning.delivery import best_errands
from housemates.benchmarks.handmethat.tasks.planning.estimates import fast_forward, unavoidable
from housemates.benchmarks.handmethat.tasks.planning.grounding import Facts, needs, problem, want_goals
from housemates.benchmarks.handmethat.tasks.planning.routes import plan_errand
from housemates.benchmarks.handmethat.tasks.planning.search import search
from housemates.benchmarks.handmethat.world.catalog import LOCATIONS, categories, table
from housemates.benchmarks.handmethat.world.dynamics import HUMAN, STRIDE, World
from housemates.benchmarks.handmethat.world.operators import Action, simulate

EXACT_NODES = 800
FF_NODES = 300
FF_DEPTH_WEIGHT = 0.7
ROUNDS = 3
"""How often conjuncts that later work has undone are taken up again."""

Stage = tuple[int, ...]
"""The conjuncts that are worked on together."""
Solved = dict[tuple[tuple[Want, ...], tuple[int, ...]], list[tuple[Action, int]] | None]
"""What is wanted, and the state that it depends on -> actions, each with the position of its want."""


def is_delivery(want: Want) -> bool:
    """Whether a conjunct is about places only."""
    shut = all(state == ("open", 0) for state in want.place_states)
    return want.place is not None and not want.states and shut


class StagePlanner:
    """Plans for one goal in a fixed order of stages; remembers what it has solved."""

    def __init__(
        self, goal: Goal, order: Sequence[int], method: str = "exact", solved: Solved | None = None
    ) -> None:
        """Work on conjuncts in this order.

        Args:
            goal: What to reach.
            order: All conjuncts of the goal.
            method: `exact`, or `ff` for best-first search with the FF heuristic on every conjunct.
            solved: Plans that are known already, such as those for other goals in the same home.
        """
        self.goal, self.method = goal, method
        places = (
            tuple(number for number in order if is_delivery(goal.wants[number])) if method == "exact" else ()
        )
        stages: list[Stage] = []
        for number in order:
            if number not in places:
                stages.append((number,))
            elif places not in stages:
                stages.append(places)
        self.stages = stages
        self._hard: set[Want] = set()
        """Conjuncts that are solved object by object, as searching for the whole took too long."""
        self._solved: Solved = {} if solved is None else solved

    def plan(self, world: World) -> list[tuple[Action, int]] | None:
        """Actions and the conjunct that each is for; they are done in `world`. None if no plan is found."""
        steps: list[tuple[Action, int]] = []
        for _ in range(ROUNDS):
            for stage in self._ordered(world):
                part = self.work(stage, world)
                if part is None or simulate(world, [action for action, _ in part]) is not None:
                    return None
                steps += part
            if satisfied(self.goal, world):
                return steps
        return None

    def cost(self, world: World) -> int | None:
        """The length of the plan from this state, which is left as it is."""
        steps = self.plan(world.copy())
        return None if steps is None else len(steps)

    def _ordered(self, world: World) -> list[Stage]:
        """The stages, first the one that what the human holds is for."""
        held = world.values[world.scene.held(HUMAN)]
        if held < 0:
            return self.stages
        kind = world.scene.kinds[held].name

        def uses(stage: Stage) -> bool:
            wants = [self.goal.wants[number] for number in stage]
            return any(kind in (want.kind, want.place) or kind in tools_of(want) for want in wants)

        return sorted(self.stages, key=lambda stage: not uses(stage))

    def work(self, stage: Stage, world: World) -> list[tuple[Action, int]] | None:
        """Actions of one stage, and the conjunct that each is for; None if no plan is found."""
        part = self.part(stage)
        if satisfied(part, world):
            return []
        key = (part.wants, _relevant(part.wants, world))
        if key not in self._solved:
            self._solved[key] = self._solve(stage, part, world)
        steps = self._solved[key]
        return None if steps is None else [(action, stage[position]) for action, position in steps]

    def part(self, stage: Stage) -> Goal:
        """What a stage is to reach."""
        conjuncts = tuple(self.goal.conjuncts[number] for number in stage)
        return Goal(self.goal.number, conjuncts, tuple(self.goal.wants[number] for number in stage))

    def _solve(self, stage: Stage, part: Goal, world: World) -> list[tuple[Action, int]] | None:
        if len(stage) > 1 or (self.method == "exact" and is_delivery(part.wants[0])):
            return _deliver(part, world)
        want = part.wants[0]
        actions = None
        if want not in self._hard:
            actions = solve_whole(want, world, self.method, self._taken(stage[0], world))
        if actions is None:
            self._hard.add(want)
            actions = solve_in_parts(want, world, self.method)
        return None if actions is None else [(action, 0) for action in actions]

    def _taken(self, conjunct: int, world: World) -> frozenset[int]:
        """Objects that other existential conjuncts already have where they want them."""
        taken = set()
        for number, want in enumerate(self.goal.wants):
            if number != conjunct and not want.every:
                taken |= set(satisfying(want, world))
        return frozenset(taken)


def satisfying(want: Want, world: World) -> list[int]:
    """The objects that are where and how a conjunct wants them."""
    scene = world.scene
    return [
        member
        for member in scene.instances.get(want.kind, ())
        if (want.place is None or _is_at(want, world, member))
        and all(world.flag(member, flag) == bool(value) for flag, value in want.states)
    ]


def _is_at(want: Want, world: World, member: int) -> bool:
    holder = world.parent(member)
    if holder >= world.scene.size:
        return False
    name = world.scene.kinds[holder].name if want.any_place else world.scene.names[holder]
    return name == want.place


def _deliver(part: Goal, world: World) -> list[tuple[Action, int]] | None:
    least, ways = best_errands(part, world)
    if least is None:
        return None
    groups = [frozenset(world.scene.instances[want.kind]) for want in part.wants]
    steps = plan_errand(ways[0], world.copy(), groups, np.random.default_rng(0))
    return [
        (step.action, next((position for position, group in enumerate(groups) if step.leg in group), 0))
        for step in steps
    ]


def solve_whole(
    want: Want, world: World, method: str = "exact", taken: frozenset[int] = frozenset()
) -> list[Action] | None:
    """A plan for one conjunct, a shortest one with `exact`; None if the search does not end in time.

    An existential conjunct leaves `taken` objects alone if it can.
    """
    goals = want_goals(want, world)
    if not want.every:
        free = [goal for goal in goals if not {variable // STRIDE for variable, _ in goal} & taken]
        goals = free or goals
    return _solve_goals(goals, world, method)


def solve_in_parts(want: Want, world: World, method: str = "exact") -> list[Action] | None:
    """A plan for one conjunct, object by object."""
    plans = [_one_by_one(goal, world.copy(), method) for goal in want_goals(want, world)]
    return min((plan for plan in plans if plan is not None), key=len, default=None)


def _solve_goals(goals: Sequence[Facts], world: World, method: str) -> list[Action] | None:
    need = needs(goals, world)
    if method == "exact":
        grounded = problem(need, world)
        return search(grounded, unavoidable(grounded, world.scene), max_nodes=EXACT_NODES)
    receptacles = {holder for holder in need.holders if holder >= len(LOCATIONS)}
    grounded = problem(replace(need, movable=need.movable | receptacles), world)
    return search(grounded, fast_forward(grounded), FF_DEPTH_WEIGHT, reopen=False, max_nodes=FF_NODES)


def _one_by_one(goal: Facts, world: World, method: str) -> list[Action] | None:
    """Satisfy the facts about each object in turn."""
    about: dict[int, list[tuple[int, int]]] = {}
    for variable, value in goal:
        about.setdefault(variable // STRIDE, []).append((variable, value))
    actions: list[Action] = []
    for facts in about.values():
        part = _solve_goals([tuple(facts)], world, method)
        if part is None or simulate(world, part) is not None:
            return None
        actions += part
    return actions


@cache
def tools_of(want: Want) -> frozenset[str]:
    """The categories of tools that a conjunct can need."""
    flags = {flag for flag, _ in (*want.states, *want.place_states)}
    tools = {"knife"} if "sliced" in flags else set()
    if flags & {"dusty", "stained"}:
        tools |= set(table()["cleans"])
    return frozenset(tools)


def _relevant(wants: Sequence[Want], world: World) -> tuple[int, ...]:
    """The part of the state that these conjuncts depend on."""
    scene, values = world.scene, world.values
    kinds = {want.kind for want in wants} | {tool for want in wants for tool in tools_of(want)}
    kinds |= {str(want.place) for want in wants if want.place in categories()}
    numbers = {number for kind in kinds for number in scene.instances.get(kind, ())}
    numbers |= {scene.index[str(want.place)] for want in wants if want.place in scene.index}
    numbers |= {values[number * STRIDE] for number in numbers if values[number * STRIDE] < scene.size}
    numbers |= set(range(len(LOCATIONS)))
    state = [
        values[variable]
        for number in sorted(numbers)
        for variable in range(number * STRIDE, (number + 1) * STRIDE)
    ]
    return (*state, values[scene.at(HUMAN)], values[scene.held(HUMAN)])
