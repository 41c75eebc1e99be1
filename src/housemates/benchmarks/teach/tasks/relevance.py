"""Which objects a task is about; the released EDH instances are scored on those alone."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from housemates.benchmarks.teach.tasks.tdl.bound import BoundAtomic, BoundTask
from housemates.benchmarks.teach.tasks.tdl.definitions import object_classes
from housemates.home.kinds import KNIVES
from housemates.home.things import type_in

TOOLS = {
    "Coffee": ("CoffeeMachine", "Faucet"),
    "Toast": ("Toaster",),
    "Clean X": ("Faucet",),
    "Clean All X": ("Faucet",),
}
"""What the steps of a task are done with, beside the objects its definition names. Stoves, microwaves, pots
and doors are not among them in the released instances, nor are vessels for watering plants."""


@lru_cache(maxsize=64)
def relevant_kinds(task: BoundTask) -> frozenset[str]:
    """The types and classes of objects that a task and its subtasks are about."""
    kinds = set(TOOLS.get(task.name, ()))
    for component in task.components:
        if isinstance(component, BoundAtomic):
            kinds.add(str(component.primary.value))
            if component.whole is not None:
                kinds.add(component.whole)
            if component.sliced:
                kinds.update(KNIVES)
        else:
            kinds |= relevant_kinds(component.task)
    return frozenset(kinds)


def relevant_changes(task: BoundTask, changes: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The changes of objects that the task is about."""
    kinds = relevant_kinds(task)
    return {
        object_id: values
        for object_id, values in changes.items()
        if not kinds.isdisjoint({type_in(object_id), *object_classes().get(type_in(object_id), ())})
    }
