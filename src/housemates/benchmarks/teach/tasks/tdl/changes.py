"""State changes of an EDH instance: finding them, and the task of bringing them about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import isclose
from typing import Any

from housemates.benchmarks.teach.tasks.tdl.bound import BoundAtomic, BoundTask, bind_atomic
from housemates.benchmarks.teach.tasks.tdl.conditions import Object
from housemates.benchmarks.teach.tasks.tdl.definitions import Atomic
from housemates.benchmarks.teach.tasks.tdl.forms import Value
from housemates.errors import HousematesError
from housemates.home.things import type_in, whole_in

TRACKED = (
    "isToggled",
    "isBroken",
    "isFilledWithLiquid",
    "isDirty",
    "isUsedUp",
    "isCooked",
    "isOpen",
    "isPickedUp",
    "objectType",
    "simbotLastParentReceptacle",
    "simbotIsCooked",
    "simbotIsFilledWithWater",
    "simbotIsBoiled",
    "simbotIsFilledWithCoffee",
    "simbotPickedUp",
)
"""The properties whose changes an EDH instance is scored on."""

_TRACKED = frozenset(TRACKED)
_ABSENT = object()

HIDES = {
    "simbotPickedUp": ("isPickedUp",),
    "simbotIsCooked": ("isCooked",),
    "simbotIsFilledWithWater": ("isFilledWithLiquid",),
    "simbotIsFilledWithCoffee": ("isFilledWithLiquid",),
    "simbotIsBoiled": ("isCooked", "simbotIsCooked"),
}
"""A change of the first is not counted a second time as a change of the others."""

Changes = Mapping[str, Mapping[str, Any]]
"""By object id: the properties that changed and their new values."""


def task_of_changes(changes: Changes) -> BoundTask:
    """The task of bringing about these changes: one component for each type, property and value.

    Objects of the same type pass for one another, and a value that several objects take is wanted that
    many times.
    """
    wanted = Counter(
        (type_in(object_id), name, type(value), value)
        for object_id, values in changes.items()
        for name, value in _scored(object_id, values)
    )
    components = tuple(_component(kind, name, value, n) for (kind, name, _, value), n in wanted.items())
    return BoundTask("EDH", (), "Bring about the changes.", None, components, ())


@lru_cache(maxsize=512, typed=True)
def _component(object_type: str, name: str, value: Value, count: int) -> BoundAtomic:
    place = isinstance(value, str) and name == "simbotLastParentReceptacle"
    atomic = Atomic(
        determiner=count,
        primary="objectType",
        shareable=False,
        conditions={"objectType": object_type} | {name: str(value).split("|")[0] if place else value},
        failures={name: f"{name} needs to be {value} for {object_type}"},
    )
    return bind_atomic(f"{object_type} {name} {value}", atomic, count, ())


def state_changes(
    start: Sequence[Object], before: Sequence[Object], after: Sequence[Object]
) -> dict[str, dict[str, Any]]:
    """The scored properties that differ between two moments of a session, with their later values.

    As in the reference, both moments are first compared with the session's start: a property that is
    back at what it was then does not count as changed. A slice is compared with what it was cut from.
    """
    return changes_between(changes_since(start, before), changes_since(start, after))


def changes_between(earlier: Changes, later: Changes) -> dict[str, dict[str, Any]]:
    """What of `later` is not in `earlier`, both being changes since the same start."""
    found = {}
    for object_id, values in later.items():
        known = earlier.get(object_id) or earlier.get(whole_in(object_id), {})
        changed = {
            name: value for name, value in values.items() if name not in known or not same(known[name], value)
        }
        if changed:
            found[object_id] = changed
    return found


def changes_since(start: Sequence[Object], state: Sequence[Object]) -> dict[str, dict[str, Any]]:
    """The scored properties of each object that differ from the start."""
    origin = {item["objectId"]: item for item in start}
    found = {}
    for item in state:
        first = origin.get(item["objectId"]) or origin.get(whole_in(item["objectId"]), {})
        differing = {
            name: value
            for name, value in item.items()
            if name in _TRACKED and (old := first.get(name, _ABSENT)) is not value and not same(old, value)
        }
        if differing:
            found[item["objectId"]] = differing
    return found


def same(one: Any, other: Any) -> bool:
    """Whether two property values are equal and of one type; numbers within rounding."""
    if type(one) is not type(other):
        return False
    return isclose(one, other, rel_tol=1e-5, abs_tol=1e-8) if isinstance(one, float) else bool(one == other)


def _scored(object_id: str, values: Mapping[str, Any]) -> Iterator[tuple[str, Value]]:
    hidden = {name for shown, names in HIDES.items() if shown in values for name in names}
    for name in TRACKED:
        if name in values and name not in hidden:
            value = values[name]
            if isinstance(value, list | dict):
                raise HousematesError(
                    f"state_changes: {name} of {object_id}: expected a text, a number, true, false or null."
                )
            yield name, value
