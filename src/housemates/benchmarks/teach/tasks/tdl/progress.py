"""The answer to a progress check: subgoals with their steps, problems and goal conditions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from housemates.benchmarks.teach.tasks.tdl.conditions import Object
from housemates.benchmarks.teach.tasks.tdl.descriptions import met
from housemates.benchmarks.teach.tasks.tdl.forms import Determiner, Value
from housemates.core.copies import shared


@dataclass(slots=True)
class ProgressStep:
    """One thing to do, or done, and the object it is about."""

    success: bool
    object_id: str
    object_type: str
    description: str
    """What is still wrong, in the words of the definition."""
    met: str = ""
    """What holds now, for a step that is done."""

    @property
    def words(self) -> str:
        """The step as it is shown: what is wrong, or what holds now."""
        return self.met or self.description

    def as_dict(self) -> dict[str, Any]:
        """The step in the official form."""
        return {
            "success": self.success,
            "objectId": self.object_id,
            "objectType": self.object_type,
            "desc": self.description,
        }


@dataclass(slots=True)
class Problem:
    """A property of an object that is not yet as it should be."""

    object_type: str
    determiner: Determiner
    property: str
    desired: Value
    or_desired: tuple[Value, ...] = ()
    """Other values that would do as well."""

    def as_dict(self) -> dict[str, Any]:
        """The problem in the official form."""
        return {
            "objectType": self.object_type,
            "determiner": self.determiner,
            "property_name": self.property,
            "desired_property_value": self.desired,
        }


Problems = dict[str, list[Problem]]


@dataclass(slots=True)
class Subgoal:
    """One component or relation of a task."""

    success: bool
    steps: list[ProgressStep]
    problems: Problems | None
    """By object id; None for a relation that has nothing to relate to."""
    total: int
    """Goal conditions."""
    satisfied: int
    """Goal conditions that hold."""
    description: str = ""
    representative: str | None = None
    """For a subtask: the id of the object to show with it."""
    step_successes: list[bool] | None = None
    """For a subtask: the success of each of its own subgoals."""

    def as_dict(self) -> dict[str, Any]:
        """The subgoal in the official form."""
        own: dict[str, Any] = {}
        if self.step_successes is not None:
            own = {"representative_obj_id": self.representative, "step_successes": self.step_successes}
        problems: Any = []
        if self.problems is not None:
            problems = {key: [each.as_dict() for each in found] for key, found in self.problems.items()}
        return {
            **own,
            "success": self.success,
            "description": self.description,
            "steps": [each.as_dict() for each in self.steps],
            "problem_keys": problems,
            "goal_conditions_total": self.total,
            "goal_conditions_satisfied": self.satisfied,
        }


@shared
@dataclass(slots=True)
class Progress:
    """How far a task has come."""

    description: str
    success: bool
    total: int
    """Goal conditions."""
    satisfied: int
    """Goal conditions that hold; by the reference's way of counting it can exceed the total."""
    subgoals: list[Subgoal]
    satisfied_objects: Sequence[Object] | None
    """Objects of the anchor component that are as wanted; None for a task without an anchor."""
    candidate_objects: Sequence[Object] | None
    """Objects of the anchor component that could be brought there, the nearest to it first."""

    def as_dict(self) -> dict[str, Any]:
        """The answer to the Commander's Progress Check in the official form."""
        return {
            "task_desc": self.description,
            "success": int(self.success),
            "goal_conditions_total": self.total,
            "goal_conditions_satisfied": self.satisfied,
            "subgoals": [each.as_dict() for each in self.subgoals],
        }

    def representative(self) -> str:
        """The id of the object to show with this task; empty if there is none."""
        if self.candidate_objects and not (self.success and self.satisfied_objects):
            return str(self.candidate_objects[0]["objectId"])
        if self.satisfied_objects:
            return str(self.satisfied_objects[0]["objectId"])
        steps = [step for subgoal in self.subgoals for step in subgoal.steps]
        done = next((step for step in steps if step.success), steps[-1] if steps else None)
        return "" if done is None else done.object_id


def undone(item: Object, description: str) -> ProgressStep:
    """A step that is still to be done with an object."""
    return ProgressStep(False, item["objectId"], item["objectType"], description)


def settled(item: Object, description: str, name: str, value: Value) -> ProgressStep:
    """A step that is done: a property of an object has the wanted value."""
    kind = item["objectType"]
    return ProgressStep(True, item["objectId"], kind, description, met(name, value, kind))


def merged(problems: Iterable[Problems | None]) -> Problems:
    """All problems by object, in order."""
    found: Problems = {}
    for each in problems:
        for key, values in (each or {}).items():
            found.setdefault(key, []).extend(values)
    return found
