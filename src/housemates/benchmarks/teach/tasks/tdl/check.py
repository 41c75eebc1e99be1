"""Checking a bound task against a state: success, goal conditions, subgoals, problems.

Counts, orders and ties are those of the reference checker, with which the data were collected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from housemates.benchmarks.teach.tasks.tdl.bound import BoundAtomic, BoundSubtask, BoundTask
from housemates.benchmarks.teach.tasks.tdl.conditions import Object
from housemates.benchmarks.teach.tasks.tdl.progress import (
    Problem,
    Progress,
    ProgressStep,
    Subgoal,
    merged,
    settled,
    undone,
)
from housemates.benchmarks.teach.tasks.tdl.relations import check_relation
from housemates.benchmarks.teach.tasks.tdl.state import State

Distance = Callable[[Object], float]


def check(task: BoundTask, objects: Sequence[Object], distance: Distance | None = None) -> Progress:
    """How far `task` has come in this state.

    Args:
        task: What is asked.
        objects: The state: mappings with AI2-THOR's property names and the derived ones.
        distance: How far the nearest agent is from an object; among equally good candidates the nearest
            is reported. Without it the first one is.
    """
    return _Check(State(objects), distance).task(task, 1)


class _Match(NamedTuple):
    """An object of a component's kind and which of the conditions hold for it."""

    item: Object
    holds: list[bool]


class _Found(NamedTuple):
    """What a component has come to: its subgoal and the objects it is about."""

    subgoal: Subgoal
    satisfied: Sequence[Object]
    candidates: Sequence[Object]


class _Check:
    """One check of one state; what occurs twice in a task is worked out once."""

    def __init__(self, state: State, distance: Distance | None) -> None:
        self.state = state
        self.distance = distance
        self.known: dict[tuple[BoundTask, int], Progress] = {}

    def task(self, task: BoundTask, instances: int) -> Progress:
        known = self.known.get((task, instances))
        if known is None:
            known = self.known[task, instances] = self._task(task, instances)
        return known

    def _task(self, task: BoundTask, instances: int) -> Progress:
        subgoals: list[Subgoal] = []
        related: dict[str, list[Object]] = {}
        satisfied: Sequence[Object] | None = None
        candidates: Sequence[Object] | None = None
        for component in task.components:
            if isinstance(component, BoundSubtask):
                inner = self.task(component.task, instances * component.count)
                subgoals.append(_subtask_goal(component, inner))
                found_satisfied, found_candidates = inner.satisfied_objects, inner.candidate_objects
                related[component.key] = list(found_satisfied or ())
            else:
                found = self._atomic(component, instances)
                if component.determiner != "all" or found.subgoal.steps or not found.subgoal.success:
                    subgoals.append(found.subgoal)
                found_satisfied, found_candidates = found.satisfied, found.candidates
                related[component.key] = [*found.satisfied, *found.candidates]
            if component.key == task.anchor:
                satisfied, candidates = found_satisfied, found_candidates
        for relation in task.relations:
            subgoals.append(check_relation(relation, related, self.state, instances))
        return Progress(
            description=task.description,
            success=all(each.success for each in subgoals),
            total=sum(each.total for each in subgoals),
            satisfied=sum(each.satisfied for each in subgoals),
            subgoals=subgoals,
            satisfied_objects=satisfied,
            candidate_objects=candidates,
        )

    def _atomic(self, component: BoundAtomic, instances: int) -> _Found:
        if component.determiner == "all":
            return self._all(component)
        return self._some(component, 1 if component.shareable else instances * component.count)

    def _matches(self, component: BoundAtomic, whole: str | None = None) -> list[_Match]:
        state, conditions = self.state, component.conditions
        found = [state.objects[index] for index in state.candidates(component.primary, whole)]
        return [_Match(item, [each.test(item, state) for each in conditions]) for item in found]

    def _all(self, component: BoundAtomic) -> _Found:
        """Every object of the kind has to be as wanted; none at all is fine."""
        matches = self._matches(component)
        satisfied = [each.item for each in matches if all(each.holds)]
        problems = [each for each in matches if not all(each.holds)]
        subgoal = Subgoal(
            success=not problems,
            steps=_steps(component, problems, satisfied[:1]),
            problems=_problems(component, problems),
            total=len(component.conditions) * len(matches),
            satisfied=sum(sum(each.holds) for each in matches),
        )
        return _Found(subgoal, satisfied, [each.item for each in problems])

    def _some(self, component: BoundAtomic, wanted: int) -> _Found:
        """A number of objects have to be as wanted; the best of the others count for what they have."""
        satisfied: list[Object] = []
        candidates: list[_Match] = []
        missing = wanted
        for match in self._matches(component, component.whole):
            if all(match.holds):
                satisfied.append(match.item)
            elif len(satisfied) < wanted:
                candidates.append(match)
                if component.sliced and _only_uncut(component, match):
                    missing = 1
        if len(candidates) > 1:
            candidates.sort(key=self._rank)
        problems = candidates[: max(0, missing - len(satisfied))]
        size = len(component.conditions)
        representatives = satisfied[:1] or [each.item for each in candidates[:1]]
        subgoal = Subgoal(
            success=len(satisfied) >= wanted,
            steps=_steps(component, problems, representatives),
            problems=_problems(component, problems),
            total=size * wanted,
            satisfied=size * min(wanted, len(satisfied)) + sum(sum(each.holds) for each in problems),
        )
        return _Found(subgoal, satisfied, [each.item for each in candidates])

    def _rank(self, match: _Match) -> tuple[int, float]:
        return -sum(match.holds), 0.0 if self.distance is None else self.distance(match.item)


def _only_uncut(component: BoundAtomic, match: _Match) -> bool:
    """Whether all that keeps the object from being as wanted is that it has to be cut."""
    pairs = zip(component.conditions, match.holds, strict=True)
    return all(held for each, held in pairs if each is not component.primary)


def _steps(
    component: BoundAtomic, problems: list[_Match], representatives: Sequence[Object]
) -> list[ProgressStep]:
    """For each condition with words: the objects that fail it, or one that stands for its success."""
    steps = []
    for position, text in component.failures:
        failing = [each.item for each in problems if not each.holds[position]]
        steps += [undone(item, text) for item in failing]
        if not failing:
            held = component.conditions[position]
            steps += [settled(item, text, held.name, held.value) for item in representatives]
    return steps


def _problems(component: BoundAtomic, matches: list[_Match]) -> dict[str, list[Problem]]:
    return {
        item["objectId"]: [
            Problem(item["objectType"], component.determiner, each.name, each.value)
            for each, held in zip(component.conditions, holds, strict=True)
            if not held
        ]
        for item, holds in matches
    }


def _subtask_goal(component: BoundSubtask, inner: Progress) -> Subgoal:
    return Subgoal(
        success=inner.success,
        steps=[each for subgoal in inner.subgoals for each in subgoal.steps if not each.success],
        problems=merged(subgoal.problems for subgoal in inner.subgoals),
        total=inner.total,
        satisfied=inner.satisfied,
        description=component.description,
        representative=inner.representative(),
        step_successes=[subgoal.success for subgoal in inner.subgoals],
    )
