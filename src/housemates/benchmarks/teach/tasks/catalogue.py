"""What is asked and when it is done: the shipped tasks, and checking any task against objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from housemates.benchmarks.teach.tasks.tdl.bound import BoundTask, Library, fill
from housemates.benchmarks.teach.tasks.tdl.changes import Changes, state_changes, task_of_changes
from housemates.benchmarks.teach.tasks.tdl.check import check
from housemates.benchmarks.teach.tasks.tdl.conditions import Object
from housemates.benchmarks.teach.tasks.tdl.definitions import (
    TABLES,
    Task,
    object_classes,
    parse_task,
    parse_tasks,
)
from housemates.benchmarks.teach.tasks.tdl.preconditions import Lack, lacking, missing
from housemates.benchmarks.teach.tasks.tdl.progress import Problem, Progress, Subgoal
from housemates.files import read_json

__all__ = [
    "BoundTask",
    "Changes",
    "Lack",
    "Library",
    "Object",
    "Problem",
    "Progress",
    "Subgoal",
    "bind",
    "can_host",
    "check",
    "dataset_tasks",
    "definition",
    "game_task",
    "lacking",
    "library",
    "load_library",
    "missing",
    "object_classes",
    "state_changes",
    "task_of_changes",
    "with_custom",
]


@cache
def library() -> Library:
    """The task definitions that come with the package."""
    files = sorted(TABLES.glob("*.json"))
    return Library([parse_task(read_json(path), path.name) for path in files], "definitions")


@cache
def dataset_tasks() -> Mapping[str, str]:
    """The twelve tasks of the dataset: the paper's name -> the name of the definition."""
    table: dict[str, str] = read_json(TABLES / "tables" / "dataset_tasks.json")
    return table


def bind(name: str, params: Sequence[str] = ()) -> BoundTask:
    """A shipped task with its parameters."""
    return library().bind(name, params)


def load_library(path: str | Path) -> tuple[Library, list[Task]]:
    """Read a file of definitions; tasks it names but does not hold are taken from the shipped ones.

    Returns:
        The library with both, and the tasks of the file.
    """
    own = parse_tasks(read_json(path), str(path))
    names, ids = {task.name for task in own}, {task.id for task in own}
    shipped = (task for task in library().tasks.values() if task.name not in names and task.id not in ids)
    return Library([*own, *shipped], str(path)), own


def game_task(task: Mapping[str, Any], source: str) -> BoundTask:
    """The task of an official game, by the definitions that the game itself carries."""
    params = tuple(str(each) for each in task.get("task_params") or ())
    return library().bind_task(parse_task(task, source), params)


def definition(name: str, params: Sequence[str] = ()) -> dict[str, Any]:
    """A shipped task in the form in which official games carry theirs: filled in, with its subtasks."""
    bind(name, params)
    source = next(each for each in map(read_json, sorted(TABLES.glob("*.json"))) if each["task_name"] == name)
    filled = _filled({key: source[key] for key in ("desc", "components", "relations")}, params)
    for component in filled["components"].values():
        if "task_name" in component:
            component["task"] = {
                **definition(component["task_name"], component["task_params"]),
                "comments": "",
                "episodes": [],
            }
    anchor = source.get("task_anchor_object")
    return {
        "task_id": source["task_id"],
        "task_name": name,
        "task_params": list(params),
        "task_nparams": source["task_nparams"],
        "task_anchor_object": None if anchor is None else fill(anchor, params),
        **filled,
    }


def _filled(value: Any, params: Sequence[str]) -> Any:
    """A part of a definition with its parameters written in; keys that hold one come last."""
    if isinstance(value, str):
        return fill(value, params)
    if isinstance(value, list):
        return [_filled(each, params) for each in value]
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: "#" in key)
        return {fill(key, params): _filled(value[key], params) for key in keys}
    return value


def can_host(task: str, params: Sequence[str], objects: Sequence[Object]) -> bool:
    """Whether a scene with these objects has what the task needs."""
    return not missing(bind(task, params), objects)


def with_custom(objects: Iterable[Object], custom: Mapping[str, Object]) -> list[Object]:
    """Objects of a recorded state with the derived properties that are kept beside them."""
    return [{**item, **custom[item["objectId"]]} if item["objectId"] in custom else item for item in objects]
