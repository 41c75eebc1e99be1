"""Slots of TEACh's and ALFRED's tasks, and the conversion between tasks and slot values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from housemates.benchmarks.alfred.tasks.goals import Task

SlotValues = Mapping[str, str]
"""Slot -> value; slots that do not matter for a task are absent."""
ALFRED = ("type", "object", "parent", "movable", "lamp", "sliced")
ALFRED_FIELDS = ("type", "object_target", "parent_target", "mrecep_target", "toggle_target", "object_sliced")
BREAKFAST = (
    *("coffee", "toast", "potatoes", "potato dish", "apples", "apple dish", "sandwiches"),
    *("lettuce", "tomato", "salads", "salad lettuce", "salad tomato", "potato", "place"),
)
"""Parameters of a breakfast, in order."""
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
"""Slot of each parameter; an empty one follows from the others."""
ONLY_WITH = {
    "potato dish": "potatoes",
    "apple dish": "apples",
    "lettuce": "sandwiches",
    "tomato": "sandwiches",
    "salad lettuce": "salads",
    "salad tomato": "salads",
    "potato": "salads",
}
"""Slots of a breakfast that matter only if another one is not 0."""
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
"""Places that take `in` rather than `on`."""


class TeachTask(NamedTuple):
    """Name and parameters of a TEACh task."""

    name: str
    params: tuple[str, ...]


def slots_of_alfred(task: Task) -> SlotValues:
    """The slot values of an ALFRED task."""
    return {slot: str(getattr(task, field)) for slot, field in zip(ALFRED, ALFRED_FIELDS, strict=True)}


def alfred_task(filled: SlotValues) -> Task:
    """The ALFRED task with these slot values."""
    values = {field: filled.get(slot, "") for slot, field in zip(ALFRED, ALFRED_FIELDS, strict=True)}
    return Task(**{**values, "object_sliced": values["object_sliced"] == "True"})  # type: ignore[arg-type]


def slots_of_teach(name: str, params: Sequence[str]) -> dict[str, str]:
    """The slot values that matter for a TEACh task."""
    filled = {slot: str(value) for slot, value in zip(OF_TASK[name], params, strict=True) if slot}
    if name == "Breakfast":
        filled = {
            slot: value for slot, value in filled.items() if filled.get(ONLY_WITH.get(slot, ""), "1") != "0"
        }
    return {"task": name, **filled}


def teach_task(filled: SlotValues) -> TeachTask:
    """The TEACh task with these slot values."""
    name = filled["task"]
    params = [filled.get(slot, _unsaid(slot)) for slot in OF_TASK[name]]
    if "" in params:
        params[params.index("")] = "in" if params[-1] in INSIDE else "on"
    return TeachTask(name, tuple(params))


def _unsaid(slot: str) -> str:
    if not slot:
        return ""
    return "Plate" if slot.endswith("dish") else "0"
