"""`housemates eval` and `housemates replay run` on the tiny benchmark."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from housemates.cli.main import main

FIRST = ["eval", "counting", "--agents", "good", "--episodes", "3", "--workers", "1"]


def refusal(capsys: pytest.CaptureFixture[str], words: list[str]) -> str:
    """What a command says that refuses to run."""
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    return printed.err.strip()


def test_json_is_one_object_and_nothing_else(counting, capsys) -> None:
    main([*FIRST, "--json"])
    printed = capsys.readouterr()
    told = json.loads(printed.out)
    assert (told["success"], told["benchmark"]) == (100.0, "housemates/counting-v1")
    assert printed.err == ""


def test_without_json_people_get_tables(counting, capsys) -> None:
    main([*FIRST, "--option", "start=1"])
    printed = capsys.readouterr().out
    assert "housemates/counting-v1, generated, seed 0, start 1: counter good" in printed
    assert "success 100.0 % (95 % interval 43.9 to 100.0), 3 episodes, 0 errors" in printed
    assert "by task" in printed


def test_errors_are_told_on_standard_error(counting, capsys, tmp_path) -> None:
    main(["eval", "counting", "--agents", "raising", "--workers", "1", "--json", "--out", str(tmp_path)])
    printed = capsys.readouterr()
    assert json.loads(printed.out)["errors"] == 9
    assert printed.err == (
        "9 of 10 episodes ended in an error:\n"
        "  9 x counter (Raising) raised in act: RuntimeError: no idea\n"
        f"The tracebacks are in {tmp_path / 'episodes.jsonl'}.\n"
    )


def test_options_of_the_benchmark_are_passed_on(counting, capsys) -> None:
    main([*FIRST, "--json", "--option", "start=5"])
    assert json.loads(capsys.readouterr().out)["metrics"]["steps"] == 6.0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess"], "Unknown benchmark 'chess': expected one of counting."),
        (["counting", "--agents", "god"], "Unknown agent 'god' for the counter of counting: did you mean"),
        (["counting", "--agents", "leader=good"], "counting has no role 'leader': expected one of counter."),
        (["counting", "--option", "start"], "--option start: expected KEY=VALUE."),
        (["counting", "--option", "stat=2"], "counting has no option 'stat': did you mean 'start'?"),
        (["counting", "--agent-option", "speed"], "--agent-option speed: expected KEY=VALUE."),
        (["counting", "--agent-option", "speed=2"], "--agent-option speed: no agent has this option"),
        (["counting", "--split", "unseen"], "Unknown split 'unseen': expected generated."),
        (["counting", "--episodes", "0"], "--episodes: expected 1 or more, found 0."),
        (["counting", "--episodes", "-1"], "--episodes: expected 1 or more, found -1."),
        (["counting", "--workers", "0"], "--workers: expected 1 or more, found 0."),
        (["counting", "--workers", "-1"], "--workers: expected 1 or more, found -1."),
        (["counting", "--seed", "-1"], "--seed: expected 0 or more, found -1."),
        (["counting", "--seed", "9" * 20], "--seed: expected 0 to 9223372036854775807, found 9999"),
        (["counting", "--act-timeout", "0"], "--act-timeout: expected 0.001 or more, found 0.0."),
        (["counting", "--act-timeout", "nan"], "--act-timeout: expected 0.001 or more, found nan."),
        (["counting", "--retry-errors"], "--retry-errors: name the folder of the results with --out."),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(counting, capsys, words, said) -> None:
    agents = [] if "--agents" in words else ["--agents", "good"]
    workers = [] if "--workers" in words else ["--workers", "1"]
    assert said in refusal(capsys, ["eval", *words, *agents, *workers])


def test_a_role_that_nobody_fills_is_named(counting, capsys, monkeypatch) -> None:
    monkeypatch.setattr(counting.Counting, "roles", ("counter", "judge"))
    words = ["eval", "counting", "--agents", "counter=good"]
    assert refusal(capsys, words) == "counting: nobody is the judge: give --agents judge=NAME."


def test_results_are_kept_in_a_folder_and_not_made_again(counting, capsys, tmp_path: Path) -> None:
    words = [*FIRST, "--json", "--out", str(tmp_path / "a" / "b")]
    main(words)
    first = capsys.readouterr().out
    main(words)
    assert capsys.readouterr().out == first
    assert sorted(each.name for each in (tmp_path / "a" / "b").iterdir()) == [
        "episodes.jsonl",
        "run.json",
        "transcripts.jsonl",
    ]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_that_cannot_be_written_is_one_sentence(counting, capsys, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    said = refusal(capsys, [*FIRST, "--out", str(tmp_path / "run")])
    assert "run: cannot be written (Permission denied)." in said


def test_a_recorded_run_is_played_again(counting, capsys, tmp_path: Path) -> None:
    for agent in ("good", "bad", "random", "raising"):
        words = ["eval", "counting", "--agents", agent, "--workers", "1", "--out", str(tmp_path / agent)]
        main(words)
        capsys.readouterr()
        main(["replay", "run", str(tmp_path / agent), "--workers", "1", "--json"])
        told = json.loads(capsys.readouterr().out)
        assert (told["episodes"], told["differ"], told["films"]) == (10, [], [])
    main(["replay", "run", str(tmp_path / "good"), "--workers", "1", "--episode", "count-3"])
    assert capsys.readouterr().out == "1 episode, 3 acts, 0 not as they were\n"


def test_replay_lists_what_can_be_replayed(counting, capsys) -> None:
    main(["replay"])
    assert "run          Replay the episodes of an evaluation" in capsys.readouterr().out


def test_what_is_not_as_it_was_is_told_with_exit_code_1(counting, capsys, tmp_path: Path) -> None:
    main([*FIRST, "--out", str(tmp_path)])
    capsys.readouterr()
    path = tmp_path / "episodes.jsonl"
    path.write_text(path.read_text().replace('"digest":"0 False"', '"digest":"1 False"'))
    with pytest.raises(SystemExit) as stop:
        main(["replay", "run", str(tmp_path), "--workers", "1"])
    assert stop.value.code == 1
    assert "count-2: the world at the end is another one\n" in capsys.readouterr().out
