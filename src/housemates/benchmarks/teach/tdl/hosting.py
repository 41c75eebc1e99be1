"""Preconditions: whether a scene has what a task is about."""

from __future__ import annotations

from collections.abc import Sequence

from housemates.benchmarks.teach.tdl.bound import BoundAtomic, BoundTask
from housemates.benchmarks.teach.tdl.conditions import Object
from housemates.benchmarks.teach.tdl.state import State


def missing(task: BoundTask, objects: Sequence[Object]) -> list[str]:
    """What the scene lacks for the task, in words; empty if it can host it.

    Objects of the right kind count in whatever state they are. One whole thing gives any number of
    slices, but only one cracked egg.
    """
    return list(dict.fromkeys(_missing(task, State(objects), 1)))


def _missing(task: BoundTask, state: State, instances: int) -> list[str]:
    lacking = [" or ".join(group) for group in task.needs if not any(_present(kind, state) for kind in group)]
    for component in task.components:
        if isinstance(component, BoundAtomic):
            lacking += _missing_atomic(component, state, instances)
        else:
            lacking += _missing(component.task, state, instances * component.count)
    return lacking


def _missing_atomic(component: BoundAtomic, state: State, instances: int) -> list[str]:
    single = component.determiner == "all" or component.shareable
    wanted = 1 if single else instances * component.count
    made = state.candidates(component.primary)
    uncut = (
        [
            index
            for index in state.candidates(component.primary, component.whole)
            if index not in made and not state.objects[index].get("isSliced")
        ]
        if component.whole
        else []
    )
    if len(made) + len(uncut) >= wanted or (component.sliced and uncut):
        return []
    return [f"{wanted} {component.whole or component.primary.value}"]


def _present(kind: str, state: State) -> bool:
    return bool(state.of_type(kind) or state.of_class(kind))
