"""What a task definition is, and reading one from JSON with every mistake refused where it stands."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from housemates.errors import HousematesError
from housemates.files import read_json

Value = str | int | bool | None
Determiner = str | int

TABLES = Path(__file__).parents[1] / "definitions"
PARAMETER = re.compile(r"#(\d+)")
COUNT = re.compile(r"\d+|#\d+")


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
    entry = _Entry(value, source)
    name = entry.text("task_name")
    nparams = entry.integer("task_nparams")
    anchor = entry.text("task_anchor_object", optional=True)
    components = {
        key: _component(_Entry(each, f"{source}: components.{key}"))
        for key, each in entry.mapping("components").items()
    }
    relations = tuple(
        _relation(_Entry(each, f"{source}: relations[{index}]"))
        for index, each in enumerate(entry.sequence("relations"))
    )
    task = Task(
        id=entry.integer("task_id"),
        name=name,
        nparams=nparams,
        anchor=anchor,
        description=entry.text("desc") or "",
        components=components,
        relations=relations,
        parameters=dict(entry.mapping("comments_task_params", optional=True)),
        needs=_needs(entry),
    )
    _check_parameters(value, nparams, source)
    _check_entities(task, source)
    return task


def _component(entry: _Entry) -> Atomic | Subtask:
    if "task_name" in entry.value:
        nested = entry.value.get("task")
        return Subtask(
            determiner=entry.determiner("determiner", ("a",)),
            task=entry.text("task_name"),
            params=tuple(str(each) for each in entry.sequence("task_params")),
            definition=None if nested is None else parse_task(nested, f"{entry.source}.task"),
        )
    conditions = entry.mapping("conditions")
    for name, value in conditions.items():
        _check_property(name, f"{entry.source}.conditions")
        if name in ("objectType", "simbotObjectClass"):
            check_kind(value, f"{entry.source}.conditions.{name}")
    primary = entry.text("primary_condition")
    if primary not in conditions:
        raise HousematesError(
            f"{entry.source}.primary_condition: expected one of the conditions "
            f"({', '.join(conditions)}), found {primary!r}."
        )
    failures = entry.mapping("condition_failure_descs")
    for name in failures:
        if name not in conditions:
            raise HousematesError(
                f"{entry.source}.condition_failure_descs: {name!r} is not one of the conditions "
                f"({', '.join(conditions)})."
            )
    return Atomic(
        determiner=entry.determiner("determiner", ("a", "all")),
        primary=primary,
        shareable=entry.boolean("instance_shareable"),
        conditions=dict(conditions),
        failures=dict(failures),
    )


def _relation(entry: _Entry) -> Relation:
    _check_property(entry.text("property"), f"{entry.source}.property")
    tails, tail_determiners = entry.sequence("tail_entity_list"), entry.sequence("tail_determiner_list")
    heads, head_determiners = entry.sequence("head_entity_list"), entry.sequence("head_determiner_list")
    if len(tails) != 1 or len(tail_determiners) != 1:
        raise HousematesError(f"{entry.source}.tail_entity_list: expected one tail with one determiner.")
    if len(heads) != len(head_determiners):
        raise HousematesError(
            f"{entry.source}.head_determiner_list: expected {len(heads)} determiners, one for each head, "
            f"found {len(head_determiners)}."
        )
    for each in tail_determiners:
        check_determiner(each, ("a", "the"), f"{entry.source}.tail_determiner_list", counts=False)
    for each in head_determiners:
        check_determiner(each, ("a", "all"), f"{entry.source}.head_determiner_list")
    return Relation(
        property=entry.text("property"),
        tail=tails[0],
        tail_determiner=tail_determiners[0],
        heads=tuple(heads),
        head_determiners=tuple(str(each) for each in head_determiners),
        failure=entry.text("failure_desc"),
    )


def check_determiner(value: Any, words: tuple[str, ...], place: str, counts: bool = True) -> Determiner:
    """Return `value` if it is one of `words`, a number or a parameter; refuse it by its place if not."""
    number = counts and COUNT.fullmatch(str(value)) is not None and not isinstance(value, bool)
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


def _needs(entry: _Entry) -> tuple[tuple[str, ...], ...]:
    groups = entry.sequence("needs", optional=True)
    for index, group in enumerate(groups):
        for kind in group:
            check_kind(kind, f"{entry.source}: needs[{index}]")
    return tuple(tuple(group) for group in groups)


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


@dataclass(frozen=True)
class _Entry:
    """One JSON object of a definition; its fields are fetched with their types checked."""

    value: Any
    source: str

    def __post_init__(self) -> None:
        if not isinstance(self.value, Mapping):
            raise HousematesError(f"{self.source}: expected an object, found {type(self.value).__name__}.")

    def text(self, name: str, optional: bool = False) -> Any:
        return self._get(name, str, "a text", optional)

    def integer(self, name: str) -> int:
        return int(self._get(name, int, "a number", False))

    def boolean(self, name: str) -> bool:
        return bool(self._get(name, bool, "true or false", False))

    def mapping(self, name: str, optional: bool = False) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self._get(name, Mapping, "an object", optional) or {}
        return found

    def sequence(self, name: str, optional: bool = False) -> list[Any]:
        found: list[Any] = self._get(name, list, "a list", optional) or []
        return found

    def determiner(self, name: str, words: tuple[str, ...]) -> Determiner:
        if name not in self.value:
            raise HousematesError(f"{self.source}: the field {name!r} is missing.")
        return check_determiner(self.value[name], words, f"{self.source}.{name}")

    def _get(self, name: str, kind: Any, expected: str, optional: bool) -> Any:
        if self.value.get(name) is None:
            if optional:
                return None
            raise HousematesError(f"{self.source}: the field {name!r} is missing.")
        found = self.value[name]
        if not isinstance(found, kind) or (kind is int and isinstance(found, bool)):
            raise HousematesError(f"{self.source}.{name}: expected {expected}, found {found!r}.")
        return found
