"""`housemates tasks list|show|check`: the shipped task definitions, and checking one's own."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tyro

from housemates.benchmarks.teach.tasks import catalogue
from housemates.benchmarks.teach.tasks.tdl.bound import BoundAtomic, BoundTask
from housemates.benchmarks.teach.tasks.tdl.definitions import TABLES, Task
from housemates.errors import HousematesError
from housemates.files import read_json


@dataclass
class List:
    """List the shipped tasks."""

    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Print each task's name, parameters and description."""
        rows = {task.name: _row(task) for task in sorted(catalogue.library().tasks.values(), key=_order)}
        if self.json:
            print(json.dumps({"tasks": rows}))
            return
        for name, row in rows.items():
            mark = "*" if row["dataset"] else " "
            print(f"{mark} {name:<28} {row['description']}")
            for parameter, meaning in row["parameters"].items():
                print(f"      {parameter:<4} {meaning}")
        print("\n* one of the twelve tasks of the dataset")


@dataclass
class Show:
    """Show one task: what it asks for, down to the conditions on objects."""

    name: tyro.conf.Positional[str]
    """The task's name, for example "Plate Of Toast"."""
    params: tyro.conf.Positional[list[str]] = field(default_factory=list)
    """Values for its parameters; without them its definition is shown."""
    json: bool = False
    """Print the definition as one JSON object."""

    def run(self) -> None:
        """Print the definition, or the task with its parameters filled in."""
        names = {name.lower(): name for name in catalogue.library().tasks}
        name = names.get(self.name.lower(), catalogue.dataset_tasks().get(self.name, self.name))
        if name not in catalogue.library().tasks:
            raise HousematesError(
                f"Unknown task {self.name!r}: expected one of {', '.join(catalogue.library().tasks)}."
            )
        task = catalogue.library().tasks[name]
        if self.json:
            print(json.dumps(_source(task)))
        elif self.params or not task.nparams:
            print("\n".join(_lines(catalogue.bind(name, self.params))))
        else:
            print(json.dumps(_source(task), indent=2))


@dataclass
class Check:
    """Check a file of task definitions; a bad one is refused with the place named."""

    file: tyro.conf.Positional[Path]
    """One definition, a list of them, or an object with a list under "tasks"."""
    json: bool = False
    """Print one JSON object instead of a sentence."""

    def run(self) -> None:
        """Read the file; the first mistake is an error."""
        _, own = catalogue.load_library(self.file)
        if self.json:
            print(json.dumps({"file": str(self.file), "tasks": [task.name for task in own]}))
        else:
            names = ", ".join(f"{task.name} ({task.nparams} parameters)" for task in own)
            print(f"{self.file}: {len(own)} good: {names}")


def _order(task: Task) -> int:
    return task.id


def _row(task: Task) -> dict[str, Any]:
    return {
        "description": task.description,
        "parameters": dict(task.parameters),
        "dataset": task.name in catalogue.dataset_tasks().values(),
    }


def _source(task: Task) -> Any:
    found = [read_json(path) for path in sorted(TABLES.glob("*.json"))]
    return next(each for each in found if each["task_name"] == task.name)


def _lines(task: BoundTask, indent: str = "", count: str = "") -> list[str]:
    lines = [f"{indent}{count}{task.name}: {task.description}"]
    for component in task.components:
        number = "" if component.determiner == "a" else f"{component.determiner} x "
        if isinstance(component, BoundAtomic):
            wanted = ", ".join(f"{each.name} = {each.value}" for each in component.conditions)
            lines.append(f"{indent}  {number}{component.key}: {wanted}")
        else:
            lines += _lines(component.task, indent + "  ", number)
    for relation in task.relations:
        heads = zip(relation.head_determiners, relation.heads, strict=True)
        inside = ", ".join(f"{number} {head}" for number, head in heads if number != "0")
        lines.append(f"{indent}  {inside} in {relation.tail_determiner} {relation.tail}")
    return lines
