"""The commands as a user types them: one JSON object, clear tables, exit code 2 for a mistake."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest

from housemates.cli.main import main
from housemates.files import read_text_lines


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


def test_a_missing_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["verify", "tdl", "nowhere.jsonl.zst", "--json"])
    assert "nowhere.jsonl.zst" in capsys.readouterr().err


def test_statistics_have_a_page_with_every_plot(
    capsys: pytest.CaptureFixture[str], real_data: Path, tmp_path: Path
) -> None:
    lines = read_text_lines(real_data / "teach" / "valid_seen.jsonl.zst")
    (tmp_path / "few.jsonl").write_text("".join(text for _, text in islice(lines, 12)))
    summary = json.loads(
        printed(capsys, "stats", "teach", tmp_path / "few.jsonl", "--report", tmp_path, "--json")
    )
    assert summary["sessions"] == 12
    assert summary["skipped"] == 0
    assert summary["tasks"]["overall"]["complete"] == 1.0
    text = (tmp_path / "index.html").read_text()
    assert text.count("<figure>") == 10
    assert "Follower actions in a session" in text


def test_a_list_of_instances_is_compared_with_what_we_cut(
    capsys: pytest.CaptureFixture[str], real_data: Path, tmp_path: Path
) -> None:
    lines = read_text_lines(real_data / "teach" / "valid_seen.jsonl.zst")
    (tmp_path / "few.jsonl").write_text("".join(text for _, text in islice(lines, 3)))
    made = printed(capsys, "export", "edh", tmp_path / "few.jsonl", "--out", tmp_path / "edh", "--json")
    names = sorted(path.name for path in (tmp_path / "edh").iterdir())
    assert json.loads(made)["instances"] == len(names)
    (tmp_path / "list.txt").write_text("\n".join([*names[1:], names[1].replace(".edh", ".edh9")]))
    found = printed(
        capsys, "verify", "split", tmp_path / "list.txt", "--games", tmp_path / "few.jsonl", "--json"
    )
    assert json.loads(found) == {
        "listed": len(names),
        "cut": len(names) - 1,
        "missing": 1,
        "unlisted": 1,
        "skipped": 0,
    }
