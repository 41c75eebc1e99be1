"""Definitions with their parameters filled in, ready to be checked; parameters are macros."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from housemates.benchmarks.teach.tasks.tdl.conditions import Condition, condition
from housemates.benchmarks.teach.tasks.tdl.definitions import (
    PARAMETER,
    Atomic,
    Relation,
    Subtask,
    Task,
    check_determiner,
    check_kind,
)
from housemates.benchmarks.teach.tasks.tdl.forms import Determiner, Value
from housemates.errors import HousematesError

CUTS = ("Sliced", "Cracked")
"""Endings of the types that come of cutting another: `BreadSliced` is made from `Bread`."""


@dataclass(frozen=True, eq=False)
class BoundAtomic:
    """An atomic component whose conditions are ready to be tested."""

    key: str
    determiner: Determiner
    shareable: bool
    primary: Condition
    conditions: tuple[Condition, ...]
    failures: tuple[tuple[int, str], ...]
    """Positions of conditions, and what to say where they do not hold."""
    whole: str | None
    """What the wanted thing is cut from, if it is cut from something."""
    sliced: bool
    """Several of the wanted things are cut from one."""

    @property
    def count(self) -> int:
        """How many are wanted for one instance of the task."""
        return 1 if self.determiner == "a" else int(self.determiner)


@dataclass(frozen=True, eq=False)
class BoundSubtask:
    """A component that is another bound task."""

    key: str
    determiner: Determiner
    task: BoundTask

    @property
    def count(self) -> int:
        """How many times the task is wanted for one instance of the outer one."""
        return 1 if self.determiner == "a" else int(self.determiner)

    @property
    def description(self) -> str:
        """The task's own words, with how many times it is wanted before them."""
        prefix = "" if self.determiner == "a" else f"{self.determiner} x "
        return prefix + self.task.description


@dataclass(frozen=True, eq=False)
class BoundTask:
    """A task with no open parameters; components that are wanted zero times are left out."""

    name: str
    params: tuple[str, ...]
    description: str
    anchor: str | None
    components: tuple[BoundAtomic | BoundSubtask, ...]
    relations: tuple[Relation, ...]
    needs: tuple[tuple[str, ...], ...] = ()


class Library:
    """Task definitions that may refer to each other by name."""

    def __init__(self, tasks: Iterable[Task], source: str = "tasks") -> None:
        self.tasks: dict[str, Task] = {}
        self._bound: dict[tuple[Task, tuple[str, ...]], BoundTask] = {}
        ids: dict[int, str] = {}
        for task in tasks:
            if task.name in self.tasks:
                raise HousematesError(f"{source}: the task {task.name!r} is defined twice.")
            if task.id in ids:
                raise HousematesError(
                    f"{source}: task_id {task.id} belongs to both {ids[task.id]!r} and {task.name!r}."
                )
            ids[task.id] = task.name
            self.tasks[task.name] = task
        for task in self.tasks.values():
            self._check_references(task, f"{source}: {task.name}", (task.name,))

    def bind(self, name: str, params: Sequence[str]) -> BoundTask:
        """The task of this name with these parameters."""
        if name not in self.tasks:
            raise HousematesError(f"Unknown task {name!r}: expected one of {', '.join(sorted(self.tasks))}.")
        return self.bind_task(self.tasks[name], tuple(str(each) for each in params))

    def bind_task(self, task: Task, params: tuple[str, ...]) -> BoundTask:
        """A definition with these parameters; its subtasks are found in it or in the library."""
        if len(params) != task.nparams:
            raise HousematesError(
                f"{task.name}: expected {task.nparams} parameters, found {len(params)} ({', '.join(params)})."
            )
        known = self._bound.get((task, params))
        if known is None:
            known = self._bound[task, params] = self._bind(task, params)
        return known

    def _bind(self, task: Task, params: tuple[str, ...]) -> BoundTask:
        components: list[BoundAtomic | BoundSubtask] = []
        for key, component in _renamed(task.components, params).items():
            place = f"{task.name}: components.{key}"
            words = ("a", "all") if isinstance(component, Atomic) else ("a",)
            determiner = component.determiner
            if isinstance(determiner, str):
                determiner = check_determiner(fill(determiner, params), words, f"{place}.determiner")
            if determiner in ("0", 0):
                continue
            if isinstance(component, Atomic):
                components.append(bind_atomic(key, component, determiner, params))
            else:
                inner = self._subtask(component, place)
                inner_params = tuple(fill(each, params) for each in component.params)
                components.append(BoundSubtask(key, determiner, self.bind_task(inner, inner_params)))
        return BoundTask(
            name=task.name,
            params=params,
            description=fill(task.description, params),
            anchor=None if task.anchor is None else fill(task.anchor, params),
            components=tuple(components),
            relations=tuple(_bind_relation(each, params, task.name) for each in task.relations),
            needs=task.needs,
        )

    def _subtask(self, component: Subtask, place: str) -> Task:
        if component.definition is not None:
            return component.definition
        if component.task not in self.tasks:
            raise HousematesError(f"{place}.task_name: unknown task {component.task!r}.")
        return self.tasks[component.task]

    def _check_references(self, task: Task, place: str, path: tuple[str, ...]) -> None:
        """Refuse unknown tasks, wrong numbers of parameters, cycles, and relations to anchorless tasks."""
        related = {each for relation in task.relations for each in (relation.tail, *relation.heads)}
        for key, component in task.components.items():
            if isinstance(component, Atomic):
                continue
            here = f"{place}: components.{key}"
            inner = self._subtask(component, here)
            if inner.name in path:
                raise HousematesError(f"{here}.task_name: {' -> '.join((*path, inner.name))} is a cycle.")
            if len(component.params) != inner.nparams:
                raise HousematesError(
                    f'{here}.task_params: expected {inner.nparams} values for "{inner.name}", '
                    f"found {len(component.params)}."
                )
            if key in related and inner.anchor is None:
                raise HousematesError(
                    f'{place}: relations: {key!r} is "{inner.name}", which has no anchor object to relate.'
                )
            self._check_references(inner, here, (*path, inner.name))


def bind_atomic(key: str, component: Atomic, determiner: Determiner, params: tuple[str, ...]) -> BoundAtomic:
    """An atomic component with its parameters filled in."""
    conditions = {}
    for name, value in component.conditions.items():
        filled = _fill_value(value, params)
        if filled != value and name in ("objectType", "simbotObjectClass"):
            check_kind(filled, f"{key}: {name}")
        conditions[name] = condition(name, filled)
    primary = conditions[component.primary]
    wanted = primary.value if isinstance(primary.value, str) else ""
    ending = next((each for each in CUTS if each in wanted), None)
    return BoundAtomic(
        key=key,
        determiner=determiner,
        shareable=component.shareable,
        primary=primary,
        conditions=tuple(conditions.values()),
        failures=tuple(
            (list(conditions).index(name), fill(text, params)) for name, text in component.failures.items()
        ),
        whole=None if ending is None else wanted.replace(ending, ""),
        sliced=ending == "Sliced",
    )


def fill(text: str, params: Sequence[str]) -> str:
    """Write the parameters into `text`."""
    return PARAMETER.sub(lambda match: params[int(match[1])], text) if "#" in text else text


def _fill_value(value: Value, params: Sequence[str]) -> Value:
    if not isinstance(value, str):
        return value
    filled = fill(value, params)
    return int(filled) if filled.isnumeric() else filled


def _renamed(
    components: Mapping[str, Atomic | Subtask], params: Sequence[str]
) -> dict[str, Atomic | Subtask]:
    """Components by their filled keys; those whose key holds a parameter come last, as in the reference."""
    named = {key: each for key, each in components.items() if "#" not in key}
    named.update({fill(key, params): each for key, each in components.items() if "#" in key})
    return named


def _bind_relation(relation: Relation, params: Sequence[str], task: str) -> Relation:
    determiners = tuple(fill(each, params) for each in relation.head_determiners)
    for each in determiners:
        check_determiner(each, ("a", "all"), f"{task}: relations: head_determiner_list")
    return Relation(
        property=relation.property,
        tail=fill(relation.tail, params),
        tail_determiner=fill(relation.tail_determiner, params),
        heads=tuple(fill(each, params) for each in relation.heads),
        head_determiners=determiners,
        failure=fill(relation.failure, params),
    )
