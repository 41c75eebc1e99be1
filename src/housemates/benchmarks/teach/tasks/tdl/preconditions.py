"""Preconditions: whether a scene has what a task is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from housemates.benchmarks.teach.tasks.tdl.bound import BoundAtomic, BoundTask
from housemates.benchmarks.teach.tasks.tdl.conditions import Object
from housemates.benchmarks.teach.tasks.tdl.state import State


class Lack(NamedTuple):
    """What a scene does not have enough of."""

    kinds: tuple[str, ...]
    """Types or classes, any of which would do."""
    wanted: int = 0
    """How many there have to be; 0 if one is enough."""


def missing(task: BoundTask, objects: Sequence[Object]) -> list[str]:
    """What the scene lacks for the task, in words; empty if it can host it."""
    found = lacking(task, objects)
    return [
        " or ".join(each.kinds) if not each.wanted else f"{each.wanted} {each.kinds[0]}" for each in found
    ]


def lacking(task: BoundTask, objects: Sequence[Object]) -> list[Lack]:
    """What the scene lacks for the task; empty if it can host it.

    Objects of the right kind count in whatever state they are. One whole thing gives any number of
    slices, but only one cracked egg.
    """
    return list(dict.fromkeys(_lacking(task, State(objects), 1)))


def _lacking(task: BoundTask, state: State, instances: int) -> list[Lack]:
    found = [Lack(group) for group in task.needs if not any(_present(kind, state) for kind in group)]
    for component in task.components:
        if isinstance(component, BoundAtomic):
            found += _lacking_atomic(component, state, instances)
        else:
            found += _lacking(component.task, state, instances * component.count)
    return found


def _lacking_atomic(component: BoundAtomic, state: State, instances: int) -> list[Lack]:
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
    return [Lack((component.whole or str(component.primary.value),), wanted)]


def _present(kind: str, state: State) -> bool:
    return bool(state.of_type(kind) or state.of_class(kind))
