"""`housemates eval` on the tiny benchmark."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from housemates.cli.main import main


def test_json_is_one_object_and_nothing_else(counting, capsys) -> None:
    main(["eval", "counting", "--agents", "good", "--episodes", "3", "--workers", "1", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["success"] == 1.0
    assert told["benchmark"] == "housemates/counting-v1"


def test_without_json_people_get_a_table(counting, capsys) -> None:
    main(["eval", "counting", "--agents", "good", "--episodes", "3", "--workers", "1"])
    assert "success: 1.000" in capsys.readouterr().out


def test_options_of_the_benchmark_are_passed_on(counting, capsys) -> None:
    words = ["eval", "counting", "--agents", "good", "--episodes", "2", "--workers", "1", "--json"]
    main([*words, "--option", "start=5"])
    assert json.loads(capsys.readouterr().out)["steps"] == [5, 6]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess"], "Unknown benchmark 'chess'"),
        (["counting", "--option", "start"], "expected KEY=VALUE"),
        (["counting", "--option", "speed=2"], "no option 'speed'"),
        (["counting", "--split", "unseen"], "Unknown split 'unseen'"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(counting, capsys, words, said) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["eval", *words, "--workers", "1"])
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_results_are_kept_in_a_file(counting, capsys, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    words = ["eval", "counting", "--agents", "good", "--workers", "1", "--json", "--out", str(out)]
    main(words)
    first = capsys.readouterr().out
    main(words)
    assert capsys.readouterr().out == first
    assert len(out.read_text(encoding="utf-8").splitlines()) == 11
