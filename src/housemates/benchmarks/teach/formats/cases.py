"""Answers of the reference checker as files have them: cases on random states, and verdicts on games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from housemates.benchmarks.teach.tasks.catalogue import BoundTask, Library, task_of_changes
from housemates.benchmarks.teach.tasks.tdl.definitions import parse_tasks
from housemates.benchmarks.teach.tasks.tdl.forms import check_told
from housemates.errors import HousematesError
from housemates.files import read_text_lines
from housemates.typed_json import Whole, convert, decode, nested, parse_json

Plain: Any = nested(4)
Property = str | bool | Whole | float | None


class Answer(msgspec.Struct):
    """How much of a task is done."""

    success: bool
    goal_conditions_total: Whole
    goal_conditions_satisfied: Whole


class ProblemForm(msgspec.Struct):
    """What of an object is not as it should be: all that is read of it."""

    desired_property_value: Property


class SubgoalForm(msgspec.Struct):
    """A part of a task: all that is read of it."""

    problem_keys: dict[str, list[ProblemForm]] | Annotated[list[Plain], msgspec.Meta(max_length=0)]


class Told(msgspec.Struct):
    """What the reference says of a case; an `error` alone where it fails."""

    error: str = ""
    success: bool = False
    goal_conditions_total: Whole = 0
    goal_conditions_satisfied: Whole = 0
    subgoals: list[dict[str, Plain]] = []
    satisfied_objects: list[str] | None = None
    candidate_objects: list[str] | None = None


class Wanted(msgspec.Struct):
    """Changes that are to be brought about, by the ids of objects."""

    objects: dict[str, dict[str, Property]]


class Case(msgspec.Struct):
    """A state, a task and what the reference says of it."""

    kind: Literal["task", "edh"]
    spec: Wanted | tuple[str, list[str | Whole]]
    objects: list[dict[str, Plain]]
    expected: Told

    def task(self, library: Library) -> BoundTask:
        """The task that the case checks, with its parameters filled in."""
        if isinstance(self.spec, Wanted):
            return task_of_changes(self.spec.objects)
        name, params = self.spec
        return library.bind(name, [str(each) for each in params])


class Verdict(msgspec.Struct):
    """What the reference says of both states of a game."""

    game_id: str
    initial_state: Answer
    final_state: Answer


def read_cases(path: Path) -> Iterator[tuple[int, Case, Library]]:
    """The cases of a file with the numbers of their lines and the definitions, which come first."""
    library: Library | None = None
    for number, text in read_text_lines(path):
        source = f"{path}: line {number}"
        if library is None:
            library = Library(parse_tasks(parse_json(text, source), source), source)
            continue
        case = decode(text, Case, source)
        check_told(case.objects, f"{source}: objects")
        convert(case.expected.subgoals, list[SubgoalForm], f"{source}: expected.subgoals")
        yield number, case, library
    if library is None:
        raise HousematesError(f"{path}: expected definitions and cases, found nothing.")


def read_verdicts(path: Path) -> dict[str, Verdict]:
    """The verdicts of a file, by the ids of games."""
    found = (decode(text, Verdict, f"{path}: line {number}") for number, text in read_text_lines(path))
    return {each.game_id: each for each in found}
