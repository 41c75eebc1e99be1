"""The runner: limits, failures, seeds, processes, and what a report says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from housemates.errors import HousematesError
from housemates.evaluation.runner import evaluate

KEYS = [
    "benchmark",
    "version",
    "agents",
    "agent_options",
    "privileged",
    "isolated",
    "split",
    "seed",
    "options",
    "pointing",
    "episodes",
    "errors",
    "messages",
    "halted",
    "success",
    "interval",
    "metrics",
    "tables",
    "paper",
    "usage",
    "seconds",
]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_report_has_the_same_keys_for_every_benchmark(counting) -> None:
    report = evaluate(counting.run_of("good", episodes=4), workers=1)
    assert list(report) == KEYS
    assert report["benchmark"] == "housemates/counting-v1"
    assert report["agents"] == {"counter": "good"}
    assert (report["episodes"], report["errors"], report["success"]) == (4, 0, 100.0)
    assert report["interval"][0] == pytest.approx(51.01)
    assert report["metrics"] == {"success": 100.0, "steps": 1.5}
    assert json.loads(json.dumps(report))["tables"] == report["tables"]


def test_an_agent_that_raises_is_an_error_of_each_episode_and_counts_as_a_failure(counting, tmp_path) -> None:
    report = evaluate(counting.run_of("raising", episodes=4), workers=1, out=tmp_path / "run")
    assert (report["errors"], report["success"], report["metrics"]["success"]) == (3, 25.0, 25.0)
    assert report["messages"] == {"counter (Raising) raised in act: RuntimeError: no idea": 3}
    second = lines(tmp_path / "run" / "episodes.jsonl")[1]
    assert (second["ended"], second["scores"]) == ("error", {})
    assert "in act\n    raise RuntimeError" in second["traceback"]


def test_an_instance_that_cannot_be_opened_is_an_error_and_the_rest_go_on(counting, tmp_path) -> None:
    run = counting.run_of("good", episodes=4, options={"start": "-2"})
    report = evaluate(run, workers=1, out=tmp_path / "run")
    assert (report["errors"], report["success"]) == (2, 50.0)
    found = lines(tmp_path / "run" / "episodes.jsonl")
    assert [each["error"] for each in found] == [
        "count-0: expected a number from 0, found -2.",
        "count-1: expected a number from 0, found -1.",
        "",
        "",
    ]


def test_the_seed_decides_what_a_random_agent_does(counting) -> None:
    runs = [evaluate(counting.run_of("random", seed=seed), workers=1) for seed in (1, 1, 2)]
    assert runs[0]["metrics"] == runs[1]["metrics"]
    assert runs[0]["metrics"] != runs[2]["metrics"]


def test_no_more_references_are_drawn_than_episodes_are_wanted(counting, monkeypatch) -> None:
    opened = []
    monkeypatch.setattr(
        counting.Counting,
        "open",
        lambda self, reference, open=counting.Counting.open: (
            opened.append(reference.id) or open(self, reference)
        ),
    )
    evaluate(counting.run_of("good", episodes=3), workers=1)
    assert opened == ["count-0", "count-1", "count-2"]


def test_references_without_episodes_are_made_up_for(counting, monkeypatch) -> None:
    every = counting.Counting.open
    monkeypatch.setattr(
        counting.Counting,
        "open",
        lambda self, reference: every(self, reference) if reference.data % 3 == 0 else [],
    )
    assert evaluate(counting.run_of("good", episodes=3), workers=1)["metrics"]["steps"] == 3.0


def test_references_with_several_episodes_are_cut_where_enough_are_there(counting) -> None:
    run = counting.run_of("good", episodes=5, options={"times": "2"})
    assert evaluate(run, workers=1)["metrics"]["steps"] == pytest.approx((0 + 0 + 1 + 1 + 2) / 5)


def test_agents_are_made_once_and_closed_at_the_end(counting, monkeypatch) -> None:
    calls = []
    monkeypatch.setattr(counting.Good, "__init__", lambda self: calls.append("made"))
    monkeypatch.setattr(counting.Good, "close", lambda self: calls.append("closed"))
    evaluate(counting.run_of("good", episodes=3), workers=1)
    assert calls == ["made", "closed"]


def test_what_agents_use_up_is_added_up(counting, monkeypatch) -> None:
    monkeypatch.setattr(counting.Good, "usage", {"tokens": 3, "model": "small"}, raising=False)
    assert evaluate(counting.run_of("good", episodes=3), workers=1)["usage"] == {"counter": {"tokens": 9}}


def test_privileged_agents_are_named(counting, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(counting.Good, "privileged", True)
    report = evaluate(counting.run_of("good", episodes=1), workers=1, out=tmp_path / "run")
    assert report["privileged"] == ["counter"]
    header = json.loads((tmp_path / "run" / "run.json").read_text())
    assert header["agents"]["counter"]["privileged"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"episodes": 0}, "--episodes: expected 1 or more, found 0."),
        ({"options": {"speed": "2"}}, "counting has no option 'speed': expected one of start, times."),
        ({"options": {"strt": "2"}}, "did you mean 'start'"),
        ({"options": {"times": "0"}}, "counting: times: expected 1 or more, found 0."),
        ({"split": "unseen"}, "Unknown split 'unseen': expected generated."),
    ],
)
def test_what_cannot_be_run_is_refused_and_leaves_no_folder(counting, tmp_path, settings, said) -> None:
    with pytest.raises(HousematesError) as refused:
        evaluate(counting.run_of("good", **settings), workers=1, out=tmp_path / "run")
    assert said in str(refused.value)
    assert not (tmp_path / "run").exists()


def test_an_unknown_benchmark_is_named(counting) -> None:
    run = counting.runner.Run("chess", {})
    with pytest.raises(HousematesError, match="Unknown benchmark 'chess': expected one of counting"):
        evaluate(run)


def test_any_number_of_processes_and_threads_gives_the_same_bytes_but_for_seconds(
    program, tmp_path: Path
) -> None:
    words = ("eval", "counting", "--agents", "random", "--option", "times=2", "--episodes", "9", "--json")
    for executor, workers in (("processes", 1), ("processes", 3), ("threads", 4)):
        crew = ("--executor", executor, "--workers", workers)
        done = program(*words, *crew, "--out", str(workers))
        assert done.returncode == 0, done.stderr
    for name in ("run.json", "transcripts.jsonl"):
        assert len({(tmp_path / workers / name).read_bytes() for workers in ("1", "3", "4")}) == 1
    found = [lines(tmp_path / workers / "episodes.jsonl") for workers in ("1", "3", "4")]
    timeless = [[{**each, "seconds": 0} for each in run] for run in found]
    assert timeless[0] == timeless[1] == timeless[2]
    assert len(found[0]) == 9


def test_after_an_interruption_the_rest_is_done(program, tmp_path: Path) -> None:
    words = ("eval", "counting", "--agents", "interrupter", "--workers", "1", "--json", "--out", "run")
    stopped = program(*words, INTERRUPT="1")
    assert stopped.returncode == 130
    assert stopped.stderr == "Interrupted; what was finished is kept.\n"
    before = (tmp_path / "run" / "episodes.jsonl").read_bytes()
    assert before.count(b"\n") == 5
    finished = program(*words)
    assert finished.returncode == 0, finished.stderr
    assert (tmp_path / "run" / "episodes.jsonl").read_bytes().startswith(before)
    assert json.loads(finished.stdout)["metrics"]["steps"] == 4.5
