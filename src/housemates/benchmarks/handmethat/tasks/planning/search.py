"""Search in grounded problems: exact, with a count of actions that no plan can do without, and with FF."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count

from housemates.benchmarks.handmethat.tasks.planning.grounding import Problem
from housemates.benchmarks.handmethat.world.operators import Action

State = tuple[int, ...]
Estimate = Callable[[State], float]
MAX_NODES = 60_000


def search(
    problem: Problem,
    estimate: Estimate,
    depth_weight: float = 1.0,
    reopen: bool = True,
    max_nodes: int = MAX_NODES,
) -> list[Action] | None:
    """Best-first search by `estimate + depth_weight * depth`; exact if the estimate never says too much.

    Args:
        problem: What to solve.
        estimate: Actions still to do from a state; infinity for a dead end.
        depth_weight: 1 for A*, 0 for greedy search.
        reopen: Whether a state may be reached again in fewer steps.
        max_nodes: States after which the search gives up.
    """
    by_place = _by_place(problem)
    tie = count()
    queue: list[tuple[float, float, int, State]] = []
    came: dict[State, tuple[State, int] | None] = {problem.start: None}
    depth = {problem.start: 0}
    first = estimate(problem.start)
    heapq.heappush(queue, (first, first, next(tie), problem.start))
    closed: set[State] = set()
    while queue and len(closed) < max_nodes:
        _, left, _, state = heapq.heappop(queue)
        if state in closed:
            continue
        closed.add(state)
        if left == 0 and solved(problem, state):
            return _path(problem, came, state)
        for position in by_place.get(state[problem.at], ()):
            operator = problem.operators[position]
            if any(state[slot] != value for slot, value in operator.conditions):
                continue
            after = list(state)
            for slot, value in operator.effects:
                after[slot] = value
            new = tuple(after)
            length = depth[state] + 1
            known = depth.get(new)
            if known is not None and (not reopen or known <= length):
                continue
            left = estimate(new)
            if left == float("inf"):
                continue
            depth[new] = length
            came[new] = (state, position)
            closed.discard(new)
            heapq.heappush(queue, (left + depth_weight * length, left, next(tie), new))
    return None


def _by_place(problem: Problem) -> dict[int, list[int]]:
    """The operators that can be applied at each place; every action needs its agent somewhere."""
    found: dict[int, list[int]] = {}
    for position, operator in enumerate(problem.operators):
        place = next(value for slot, value in operator.conditions if slot == problem.at)
        found.setdefault(place, []).append(position)
    return found


def solved(problem: Problem, state: State) -> bool:
    """Whether one of the goals holds."""
    return any(all(state[slot] == value for slot, value in goal) for goal in problem.goals)


def _path(problem: Problem, came: dict[State, tuple[State, int] | None], state: State) -> list[Action]:
    actions = []
    step = came[state]
    while step is not None:
        state, position = step
        actions.append(problem.operators[position].action)
        step = came[state]
    return actions[::-1]
