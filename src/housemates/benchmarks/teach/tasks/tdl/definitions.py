"""What a task definition is, and reading one from JSON with every mistake refused where it stands."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from housemates.benchmarks.teach.tasks.tdl.forms import (
    AtomicForm,
    Determiner,
    RelationForm,
    SubtaskForm,
    TaskForm,
    Value,
)
from housemates.errors import HousematesError
from housemates.files import read_json
from housemates.typed_json import convert

TABLES = Path(__file__).parents[1] / "definitions"
PARAMETER = re.compile(r"#([0-9]{1,9})")
COUNT = re.compile(r"[0-9]{1,3}|#[0-9]{1,3}")


@dataclass(frozen=True)
class Atomic:
    """A component that asks for objects with given properties."""

    determiner: Determiner
    primary: str
    """The condition that makes an object of the right kind; the others are states it can be brought into."""
    shareable: bool
    """One object serves however many instances of the task are wanted."""
    conditions: Mapping[str, Value]
    failures: Mapping[str, str]
    """What to say of a condition that does not hold."""


@dataclass(frozen=True)
class Subtask:
    """A component that asks for another task to be done."""

    determiner: Determiner
    task: str
    params: tuple[str, ...]
    definition: Task | None = None
    """The other task's own definition, where the file that names it carries it along."""


@dataclass(frozen=True)
class Relation:
    """Objects of the head components stand in `property` to objects of the tail component."""

    property: str
    tail: str
    tail_determiner: str
    heads: tuple[str, ...]
    head_determiners: tuple[str, ...]
    failure: str


@dataclass(frozen=True, eq=False)
class Task:
    """A task definition, its parameters `#0`, `#1` ... still open."""

    id: int
    name: str
    nparams: int
    anchor: str | None
    """The component whose objects stand for the task in relations of other tasks."""
    description: str
    components: Mapping[str, Atomic | Subtask]
    relations: tuple[Relation, ...]
    parameters: Mapping[str, str] = field(default_factory=dict)
    """What each parameter means, in words."""
    needs: tuple[tuple[str, ...], ...] = ()
    """What else a scene must have: of each group one type or class will do."""


@cache
def known_properties() -> frozenset[str]:
    """The object properties that conditions and relations may name."""
    return frozenset(read_json(TABLES / "tables" / "properties.json"))


@cache
def object_classes() -> Mapping[str, tuple[str, ...]]:
    """Each object type's classes; a whole thing's own name is one of them, a slice has those of the whole."""
    table: dict[str, list[str]] = read_json(TABLES / "tables" / "object_classes.json")
    return {name: tuple(classes) for name, classes in table.items()}


@cache
def known_kinds() -> frozenset[str]:
    """Every object type and class."""
    return frozenset(object_classes()).union(*object_classes().values())


def parse_tasks(value: Any, source: str) -> list[Task]:
    """Read one definition, a list of them, or an object with a list under `tasks`."""
    if isinstance(value, Mapping) and "tasks" in value:
        value = value["tasks"]
    if isinstance(value, list):
        return [parse_task(entry, f"{source}: tasks[{index}]") for index, entry in enumerate(value)]
    return [parse_task(value, source)]


def parse_task(value: Any, source: str) -> Task:
    """Read one definition in the official JSON form; `source` names it in errors."""
    form = convert(value, TaskForm, source)
    task = Task(
        id=form.task_id,
        name=form.task_name,
        nparams=form.task_nparams,
        anchor=form.task_anchor_object,
        description=form.desc,
        components={
            key: _component(each, f"{source}: components.{key}") for key, each in form.components.items()
        },
        relations=tuple(
            _relation(each, f"{source}: relations[{index}]") for index, each in enumerate(form.relations)
        ),
        parameters=form.comments_task_params or {},
        needs=tuple(tuple(group) for group in form.needs or ()),
    )
    for index, group in enumerate(task.needs):
        for kind in group:
            check_kind(kind, f"{source}: needs[{index}]")
    _check_parameters(value, task.nparams, source)
    _check_entities(task, source)
    return task


def _component(value: Mapping[str, Any], place: str) -> Atomic | Subtask:
    return _subtask(value, place) if "task_name" in value else _atomic(value, place)


def _subtask(value: Mapping[str, Any], place: str) -> Subtask:
    form = convert(value, SubtaskForm, place)
    return Subtask(
        determiner=check_determiner(form.determiner, ("a",), f"{place}.determiner"),
        task=form.task_name,
        params=tuple(str(each) for each in form.task_params),
        definition=None if form.task is None else parse_task(form.task, f"{place}.task"),
    )


def _atomic(value: Mapping[str, Any], place: str) -> Atomic:
    form = convert(value, AtomicForm, place)
    for name, wanted in form.conditions.items():
        _check_property(name, f"{place}.conditions")
        if name in ("objectType", "simbotObjectClass"):
            check_kind(wanted, f"{place}.conditions.{name}")
    known = ", ".join(form.conditions)
    if form.primary_condition not in form.conditions:
        raise HousematesError(
            f"{place}.primary_condition: expected one of the conditions ({known}), "
            f"found {form.primary_condition!r}."
        )
    for name in form.condition_failure_descs:
        if name not in form.conditions:
            raise HousematesError(
                f"{place}.condition_failure_descs: {name!r} is not one of the conditions ({known})."
            )
    return Atomic(
        determiner=check_determiner(form.determiner, ("a", "all"), f"{place}.determiner"),
        primary=form.primary_condition,
        shareable=form.instance_shareable,
        conditions=form.conditions,
        failures=form.condition_failure_descs,
    )


def _relation(form: RelationForm, place: str) -> Relation:
    _check_property(form.property, f"{place}.property")
    heads, determiners = form.head_entity_list, form.head_determiner_list
    if len(heads) != len(determiners):
        raise HousematesError(
            f"{place}.head_determiner_list: expected {len(heads)} determiners, one for each head, "
            f"found {len(determiners)}."
        )
    for each in form.tail_determiner_list:
        check_determiner(each, ("a", "the"), f"{place}.tail_determiner_list", counts=False)
    for one in determiners:
        check_determiner(one, ("a", "all"), f"{place}.head_determiner_list")
    return Relation(
        property=form.property,
        tail=form.tail_entity_list[0],
        tail_determiner=form.tail_determiner_list[0],
        heads=tuple(heads),
        head_determiners=tuple(str(each) for each in determiners),
        failure=form.failure_desc,
    )


def check_determiner(
    value: Determiner, words: tuple[str, ...], place: str, counts: bool = True
) -> Determiner:
    """Return `value` if it is one of `words`, a number or a parameter; refuse it by its place if not."""
    number = counts and COUNT.fullmatch(str(value)) is not None
    if value not in words and not number:
        expected = ", ".join(repr(word) for word in words) + (" or a number" if counts else "")
        raise HousematesError(f"{place}: expected {expected}, found {value!r}.")
    return value if isinstance(value, int) else str(value)


def check_kind(value: Any, place: str) -> None:
    """Refuse a value that is no object type or class; one with an open parameter is checked when filled."""
    if value not in known_kinds() and not PARAMETER.search(str(value)):
        near = difflib.get_close_matches(str(value), known_kinds(), n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise HousematesError(f"{place}: unknown object type or class {value!r}{hint}.")


def _check_property(name: str, place: str) -> None:
    if name not in known_properties():
        near = difflib.get_close_matches(name, known_properties(), n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise HousematesError(f"{place}: unknown property {name!r}{hint}.")


def _check_parameters(value: Any, nparams: int, source: str) -> None:
    for place, text in _strings(
        {key: each for key, each in value.items() if key != "comments_task_params"}, source
    ):
        for number in PARAMETER.findall(text):
            if int(number) >= nparams:
                raise HousematesError(
                    f"{place}: parameter #{number} is missing: the task takes {nparams} "
                    f"(#0 to #{nparams - 1})."
                    if nparams
                    else f"{place}: parameter #{number} is missing: the task takes none."
                )


def _strings(value: Any, place: str) -> Iterable[tuple[str, str]]:
    """Every string in a definition with its place; a nested task's are its own business."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            if key != "task":
                yield f"{place}: {key}", str(key)
                yield from _strings(each, f"{place}: {key}")
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _strings(each, f"{place}[{index}]")


def _check_entities(task: Task, source: str) -> None:
    if task.anchor is not None and task.anchor not in task.components:
        raise HousematesError(
            f"{source}: task_anchor_object: {task.anchor!r} is not one of the components "
            f"({', '.join(task.components)})."
        )
    for index, relation in enumerate(task.relations):
        for entity in (relation.tail, *relation.heads):
            if entity not in task.components:
                raise HousematesError(
                    f"{source}: relations[{index}]: {entity!r} is not one of the components "
                    f"({', '.join(task.components)})."
                )
