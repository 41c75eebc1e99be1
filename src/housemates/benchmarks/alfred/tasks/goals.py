"""What ALFRED asks: seven types of tasks over classes of things, and when each condition of one is met."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec

from housemates.benchmarks.alfred.world.dynamics import AlfredWorld
from housemates.errors import HousematesError
from housemates.files import shipped
from housemates.home.things import Thing


class Classes(msgspec.Struct, frozen=True):
    """The classes that tasks are about; see `classes.toml`."""

    objects: tuple[str, ...]
    receptacles: tuple[str, ...]
    movable: tuple[str, ...]
    lamps: tuple[str, ...]
    sliceable: tuple[str, ...]
    knives: tuple[str, ...]
    names: dict[str, str]


@cache
def classes() -> Classes:
    """The table of classes."""
    return msgspec.convert(shipped(__package__, "classes.toml"), Classes)


def home_type(name: str) -> str:
    """What the home calls a class of ALFRED."""
    return classes().names.get(name, name)


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be done, with the fields of an official file's `task_type` and `pddl_params`."""

    type: str
    object_target: str
    parent_target: str = ""
    mrecep_target: str = ""
    toggle_target: str = ""
    object_sliced: bool = False

    @property
    def target(self) -> str:
        """The home's type of what is to be handled: the thing, or its slices."""
        return home_type(self.object_target) + ("Sliced" if self.object_sliced else "")

    @property
    def params(self) -> dict[str, Any]:
        """The task's parameters, as the official `pddl_params` has them."""
        fields = ("mrecep_target", "object_sliced", "object_target", "parent_target", "toggle_target")
        return {name: getattr(self, name) for name in fields}


class Progress(NamedTuple):
    """How many of a task's goal conditions are met, of how many."""

    met: int
    total: int

    @property
    def success(self) -> bool:
        """Whether all conditions are met."""
        return self.met == self.total


def task_of(task_type: str, params: dict[str, Any], where: str = "task") -> Task:
    """The task of an official file; a type or class that does not exist is an error that names it."""
    if task_type not in TYPES:
        raise HousematesError(f"{where}: task_type is {task_type!r}: expected one of {', '.join(TYPES)}.")
    try:
        task = msgspec.convert({"type": task_type, **params}, Task)
    except msgspec.ValidationError as error:
        raise HousematesError(f"{where}: pddl_params: {error}.") from None
    table = classes()
    known = {
        "object_target": table.objects,
        "parent_target": table.receptacles if task.type != "look_at_obj_in_light" else ("",),
        "mrecep_target": table.movable if task.type == "pick_and_place_with_movable_recep" else ("",),
        "toggle_target": table.lamps if task.type == "look_at_obj_in_light" else ("",),
    }
    for name, allowed in known.items():
        value = getattr(task, name)
        if value not in allowed:
            expected = ", ".join(allowed) if any(allowed) else "nothing"
            raise HousematesError(f"{where}: pddl_params.{name} is {value!r}: expected {expected}.")
    if task.object_sliced and task.object_target not in table.sliceable:
        raise HousematesError(f"{where}: pddl_params.object_sliced: a {task.object_target} cannot be sliced.")
    return task


def progress(task: Task, world: AlfredWorld) -> Progress:
    """Which of the task's goal conditions are met now."""
    conditions = list(TYPES[task.type](task, world))
    if task.object_sliced:
        wanted = 2 if task.type == "pick_two_obj_and_place" else 1
        conditions += [len(_targets(task, world)) >= number for number in range(1, wanted + 1)]
    return Progress(sum(conditions), len(conditions))


def _targets(task: Task, world: AlfredWorld) -> list[Thing]:
    return [thing for thing in world.home.of_type(task.target) if thing.solid]


def _inside(world: AlfredWorld, thing: Thing, kind: str) -> set[str]:
    """Ids of the things of a type on or in which a thing is, however deep."""
    return {other.id for other in world.home.ancestors(thing) if other.type == kind}


def placed(task: Task, world: AlfredWorld) -> Iterator[bool]:
    """The thing is in the receptacle."""
    parent = home_type(task.parent_target)
    yield any(_inside(world, thing, parent) for thing in _targets(task, world))


def two_placed(task: Task, world: AlfredWorld) -> Iterator[bool]:
    """Two of the things are in the same receptacle."""
    parent = home_type(task.parent_target)
    counts: dict[str, int] = {}
    for thing in _targets(task, world):
        for name in _inside(world, thing, parent):
            counts[name] = counts.get(name, 0) + 1
    most = max(counts.values(), default=0)
    yield most >= 1
    yield most >= 2


def in_light(task: Task, world: AlfredWorld) -> Iterator[bool]:
    """The thing is in the hand, and a lamp that is seen is on."""
    held = world.home.held
    yield held is not None and held.type == task.target
    lamps = world.home.of_type(home_type(task.toggle_target))
    yield any(lamp.on and world.sees(lamp) for lamp in lamps)


def changed_then_placed(change: str) -> Callable[[Task, AlfredWorld], Iterator[bool]]:
    """The thing is in the receptacle, one is heated, cooled or cleaned, and both are true of one."""

    def conditions(task: Task, world: AlfredWorld) -> Iterator[bool]:
        parent = home_type(task.parent_target)
        there = {thing.id for thing in _targets(task, world) if _inside(world, thing, parent)}
        treated = {thing.id for thing in _targets(task, world)} & getattr(world.marks, change)
        yield bool(there)
        yield bool(treated)
        yield bool(there & treated)

    return conditions


def stacked(task: Task, world: AlfredWorld) -> Iterator[bool]:
    """The thing is in the movable receptacle, that is in the receptacle, and both at once."""
    base, parent = home_type(task.mrecep_target), home_type(task.parent_target)
    carrying = {name for thing in _targets(task, world) for name in _inside(world, thing, base)}
    there = {thing.id for thing in world.home.of_type(base) if _inside(world, thing, parent)}
    yield bool(carrying)
    yield bool(there)
    yield bool(carrying & there)


TYPES: dict[str, Callable[[Task, AlfredWorld], Iterator[bool]]] = {
    "pick_and_place_simple": placed,
    "pick_and_place_with_movable_recep": stacked,
    "pick_two_obj_and_place": two_placed,
    "pick_clean_then_place_in_recep": changed_then_placed("cleaned"),
    "pick_heat_then_place_in_recep": changed_then_placed("heated"),
    "pick_cool_then_place_in_recep": changed_then_placed("cooled"),
    "look_at_obj_in_light": in_light,
}
"""The seven types, in the paper's order, and the conditions of each for things that are not sliced."""

BY_SIGHT = frozenset({"look_at_obj_in_light"})
"""Types with a condition that depends on where the agent stands and looks; of the others no move matters."""

TITLES = dict(
    zip(
        TYPES,
        (
            "Pick & Place",
            "Stack & Place",
            "Pick Two & Place",
            "Clean & Place",
            "Heat & Place",
            "Cool & Place",
            "Examine in Light",
        ),
        strict=True,
    )
)
"""What the paper calls them."""
