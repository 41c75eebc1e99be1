"""What is read from words, slot by slot, and the tasks that slots add up to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from housemates.benchmarks.alfred.tasks.goals import Task

SlotValues = Mapping[str, str]
"""Slot -> value; a slot that says nothing about a task is left out."""
ALFRED = ("type", "object", "parent", "movable", "lamp", "sliced")
ALFRED_FIELDS = ("type", "object_target", "parent_target", "mrecep_target", "toggle_target", "object_sliced")
BREAKFAST = (
    *("coffee", "toast", "potatoes", "potato dish", "apples", "apple dish", "sandwiches"),
    *("lettuce", "tomato", "salads", "salad lettuce", "salad tomato", "potato", "place"),
)
"""The parameters of a breakfast, in their order."""
OF_TASK: Mapping[str, tuple[str, ...]] = {
    "Coffee": (),
    "Water Plant": (),
    "Plate Of Toast": (),
    "Boil X": ("thing",),
    "Clean All X": ("thing",),
    "Put All X On Y": ("thing", "", "place"),
    "Put All X In One Y": ("thing", "", "place"),
    "N Slices Of X In Y": ("count", "thing", "", "dish"),
    "N Cooked Slices Of X In Y": ("count", "thing", "", "dish"),
    "Sandwich": ("lettuce", "tomato"),
    "Salad": ("lettuce", "tomato", "potato"),
    "Breakfast": BREAKFAST,
}
"""The slot of each parameter; an empty one follows from the others."""
ONLY_WITH = {
    "potato dish": "potatoes",
    "apple dish": "apples",
    "lettuce": "sandwiches",
    "tomato": "sandwiches",
    "salad lettuce": "salads",
    "salad tomato": "salads",
    "potato": "salads",
}
"""Slots of a breakfast that mean something only if another one is not 0."""
TEACH = tuple(dict.fromkeys(("task", "thing", "place", "count", "dish", *BREAKFAST)))
INSIDE = frozenset(
    (
        "Bowl",
        "Box",
        "Cabinet",
        "Drawer",
        "Fridge",
        "Microwave",
        "Pot",
        "Safe",
        "Sink",
        "Bathtub",
        "Cup",
        "Mug",
    )
)
"""Places that one speaks of with `in`."""


class TeachTask(NamedTuple):
    """A task of TEACh with its parameters."""

    name: str
    params: tuple[str, ...]


def slots_of_alfred(task: Task) -> SlotValues:
    """The slots of a task of ALFRED."""
    return {slot: str(getattr(task, field)) for slot, field in zip(ALFRED, ALFRED_FIELDS, strict=True)}


def alfred_task(filled: SlotValues) -> Task:
    """The task of ALFRED that slots add up to."""
    values = {field: filled.get(slot, "") for slot, field in zip(ALFRED, ALFRED_FIELDS, strict=True)}
    return Task(**{**values, "object_sliced": values["object_sliced"] == "True"})  # type: ignore[arg-type]


def slots_of_teach(name: str, params: Sequence[str]) -> dict[str, str]:
    """The slots of a task of TEACh that say something about it."""
    filled = {slot: str(value) for slot, value in zip(OF_TASK[name], params, strict=True) if slot}
    if name == "Breakfast":
        filled = {
            slot: value for slot, value in filled.items() if filled.get(ONLY_WITH.get(slot, ""), "1") != "0"
        }
    return {"task": name, **filled}


def teach_task(filled: SlotValues) -> TeachTask:
    """The task of TEACh that slots add up to."""
    name = filled["task"]
    params = [filled.get(slot, _unsaid(slot)) for slot in OF_TASK[name]]
    if "" in params:
        params[params.index("")] = "in" if params[-1] in INSIDE else "on"
    return TeachTask(name, tuple(params))


def _unsaid(slot: str) -> str:
    if not slot:
        return ""
    return "Plate" if slot.endswith("dish") else "0"
