"""Our answers beside those of the reference checker, and beside what games tell by their own fields."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from housemates.benchmarks.teach.formats.cases import Answer, Told, Verdict
from housemates.benchmarks.teach.formats.episodes import Game
from housemates.benchmarks.teach.formats.states import recall
from housemates.benchmarks.teach.tasks.catalogue import BoundTask, Progress, Subgoal, check, with_custom
from housemates.benchmarks.teach.tasks.tdl.conditions import Object
from housemates.data.store import Store


def differences(progress: Progress, expected: Told, ordered: bool) -> list[str]:
    """The fields in which a progress check differs from the reference's answer.

    Two things in the reference depend on the hash seed of its process and are compared as sets: the order
    of the components made from state changes, and which of several fitting receptacle types a problem names.
    """
    found = {
        "success": progress.success == expected.success,
        "goal_conditions_total": progress.total == expected.goal_conditions_total,
        "goal_conditions_satisfied": progress.satisfied == expected.goal_conditions_satisfied,
        "satisfied_objects": _ids(progress.satisfied_objects) == expected.satisfied_objects,
        "candidate_objects": _ids(progress.candidate_objects) == expected.candidate_objects,
        "subgoals": _same_subgoals(progress.subgoals, expected.subgoals, ordered),
    }
    return [name for name, same in found.items() if not same]


def _ids(objects: Sequence[Object] | None) -> list[str] | None:
    return None if objects is None else [item["objectId"] for item in objects]


def _same_subgoals(ours: Sequence[Subgoal], theirs: Sequence[Any], ordered: bool) -> bool:
    if len(ours) != len(theirs):
        return False
    if not ordered:
        ours = sorted(ours, key=lambda each: json.dumps(each.as_dict(), sort_keys=True))
        theirs = sorted(theirs, key=lambda each: json.dumps(each, sort_keys=True))
    return all(_as_expected(one, other) == other for one, other in zip(ours, theirs, strict=True))


def _as_expected(subgoal: Subgoal, expected: Mapping[str, Any]) -> dict[str, Any]:
    """The subgoal in the official form, naming the expected one of several values that would do."""
    ours = subgoal.as_dict()
    for object_id, problems in (subgoal.problems or {}).items():
        theirs = dict(expected["problem_keys"]).get(object_id, []) if expected["problem_keys"] else []
        for problem, row, other in zip(problems, ours["problem_keys"][object_id], theirs, strict=False):
            if other["desired_property_value"] in problem.or_desired:
                row["desired_property_value"] = other["desired_property_value"]
    return ours


def agrees(game: Game, task: BoundTask, expected: Verdict) -> bool:
    """Whether a task's verdicts on both recorded states of a game are the expected ones."""
    return all(_verdict(told) == getattr(expected, name) for name, told in told_progress(game, task).items())


def told_progress(game: Game, task: BoundTask) -> dict[str, Progress]:
    """How much is done in both recorded states by the fields that the game carries, as the published checker
    reads them: `custom_object_metadata` laid over the objects by id."""
    states = {"initial_state": game.episode.initial_state, "final_state": game.episode.final_state}
    return {
        name: check(task, with_custom(state.objects, state.custom_object_metadata))
        for name, state in states.items()
    }


def played_progress(game: Game, task: BoundTask, store: Store | None = None) -> dict[str, Progress]:
    """How much is done in both states of the home in which the game is played again."""
    end = len(game.episode.interactions)
    past = recall(game, [end], store)
    return {
        "initial_state": check(task, past.objects(0)),
        "final_state": check(task, past.objects(end)),
    }


def contradictions(told: Mapping[str, Progress], played: Mapping[str, Progress]) -> list[str]:
    """In words, the states whose verdict by the fields of a game is not the one of the game played again."""
    return [
        f"{name}: {_met(told[name])} by its fields, {_met(played[name])} when played again"
        for name in told
        if _verdict(told[name]) != _verdict(played[name])
    ]


def _met(progress: Progress) -> str:
    return f"{progress.satisfied} of {progress.total} conditions"


def _verdict(progress: Progress) -> Answer:
    return Answer(bool(progress.success), progress.total, progress.satisfied)
