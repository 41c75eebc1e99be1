"""`housemates tasks`: what is shipped, and whether one's own definitions are good."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from housemates.cli.main import main


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    main([str(word) for word in words])
    return capsys.readouterr().out


def test_tasks_are_listed_with_their_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(printed(capsys, "tasks", "list", "--json"))["tasks"]
    assert sum(row["dataset"] for row in listed.values()) == 12
    assert len(listed["Breakfast"]["parameters"]) == 14


def test_a_task_is_shown_down_to_its_conditions(capsys: pytest.CaptureFixture[str]) -> None:
    shown = printed(capsys, "tasks", "show", "Salad", "1", "0", "2")
    assert "2 x Cooked Slice Of X" in shown
    assert "Tomato" not in shown


def test_a_bad_definition_is_one_sentence_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "own.json").write_text('{"task_name": "Own"}')
    with pytest.raises(SystemExit) as leaving:
        main(["tasks", "check", str(tmp_path / "own.json")])
    assert leaving.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_good_definition_is_good(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    definition = printed(capsys, "tasks", "show", "Plate Of Toast", "--json")
    (tmp_path / "own.json").write_text(definition)
    checked = json.loads(printed(capsys, "tasks", "check", tmp_path / "own.json", "--json"))
    assert checked["tasks"] == ["Plate Of Toast"]
