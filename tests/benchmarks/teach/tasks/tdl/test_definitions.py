"""Definitions of tasks: what is good, and what is refused with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.tasks.tdl.definitions import parse_task
from housemates.errors import HousematesError


def definition(**changes: Any) -> dict[str, Any]:
    mug = {
        "determiner": "a",
        "primary_condition": "objectType",
        "instance_shareable": False,
        "conditions": {"objectType": "Mug", "isDirty": 0},
        "condition_failure_descs": {},
    }
    base = {"task_id": 900, "task_name": "Own", "task_nparams": 0, "task_anchor_object": "mug", "desc": "Do."}
    return {**base, "components": {"mug": {**mug, **changes.pop("mug", {})}}, "relations": [], **changes}


def subtask(name: str, *params: str) -> dict[str, Any]:
    return {"determiner": "a", "task_name": name, "task_params": list(params)}


RELATION = {
    "property": "parentReceptacles",
    "tail_entity_list": ["mug"],
    "tail_determiner_list": ["the"],
    "head_entity_list": ["mug"],
    "head_determiner_list": ["a"],
    "failure_desc": "",
}


@pytest.mark.parametrize(
    ("task", "sentence"),
    [
        (definition(mug={"conditions": {"objectType": "Mug", "isDrity": 0}}), "isDirty"),
        (definition(mug={"conditions": {"objectType": "Mugg"}}), "components.mug.conditions.objectType"),
        (definition(mug={"determiner": "some"}), "components.mug.determiner"),
        (definition(mug={"determiner": "#0"}), "parameter #0 is missing"),
        (definition(mug={"primary_condition": "isOpen"}), "primary_condition"),
        (definition(task_anchor_object="cup"), "task_anchor_object"),
        (definition(desc=None), "desc: expected a text, found null"),
        (definition(components=[]), "components: expected an object"),
        (
            definition(relations=[{**RELATION, "tail_determiner_list": ["all"]}]),
            "relations[0].tail_determiner",
        ),
        (definition(relations=[{**RELATION, "head_entity_list": ["cup"]}]), "'cup' is not one of"),
        (definition(components={"mug": subtask("Own")}), "Own -> Own is a cycle"),
        (definition(components={"mug": subtask("Clean X")}), 'expected 1 values for "Clean X", found 0'),
        (definition(components={"mug": subtask("Fly")}), "unknown task 'Fly'"),
        (definition(components={"mug": {**subtask("Coffee"), "determiner": "all"}}), "mug.determiner"),
        (
            definition(components={"mug": subtask("Water Plant")}, relations=[RELATION]),
            "no anchor object",
        ),
    ],
)
def test_a_bad_definition_is_refused_with_its_place(
    task: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    file = tmp_path / "own.json"
    file.write_text(json.dumps(task))
    with pytest.raises(HousematesError) as error:
        tasks.load_library(file)
    assert sentence in str(error.value)
    assert str(file) in str(error.value)


def test_a_good_definition_may_use_shipped_tasks(tmp_path: Path) -> None:
    file = tmp_path / "own.json"
    file.write_text(json.dumps(definition(components={"mug": subtask("Coffee")})))
    library, own = tasks.load_library(file)
    assert library.bind(own[0].name, []).components[0].task.name == "Coffee"


def test_parameters_that_make_no_sense_are_refused() -> None:
    with pytest.raises(HousematesError, match="expected 1 parameters, found 0"):
        tasks.bind("Sliced X", [])
    with pytest.raises(HousematesError, match="MugSliced"):
        tasks.bind("Sliced X", ["Mug"])
    with pytest.raises(HousematesError, match="determiner"):
        tasks.bind("Sandwich", ["many", "0"])


def test_shipped_definitions_parse_to_what_they_say() -> None:
    assert set(tasks.dataset_tasks().values()) <= set(tasks.library().tasks)
    for task in tasks.library().tasks.values():
        assert len(task.parameters) == task.nparams
    assert parse_task(definition(), "x").components["mug"].conditions == {"objectType": "Mug", "isDirty": 0}
