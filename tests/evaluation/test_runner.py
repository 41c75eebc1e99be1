"""The runner: limits, failures, seeds, processes, and what survives an interruption."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from housemates.benchmarks.base import Instance
from housemates.errors import HousematesError
from housemates.evaluation.runner import Run, evaluate, play

COUNTING = Path(__file__).with_name("counting.py")


def results(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()[1:]]


def test_a_run_gives_the_summary_of_the_benchmark(counting) -> None:
    summary = evaluate(Run("counting", "good", "generated", episodes=4), workers=1)
    assert summary == {
        "benchmark": "housemates/counting-v1",
        "agents": "good",
        "episodes": 4,
        "success": 1.0,
        "steps": [0, 1, 2, 3],
        "errors": 0,
    }


@pytest.mark.parametrize(
    ("agents", "start", "ended", "steps"),
    [
        ("good", 3, "done", 3),
        ("good", 100, "steps", 20),
        ("bad", 3, "failures", 5),
        ("raising", 3, "failures", 5),
    ],
)
def test_an_episode_ends_by_itself_or_at_a_limit(counting, agents, start, ended, steps) -> None:
    benchmark = counting.Counting()
    _, trace = play(benchmark, Instance("x", "even", start), benchmark.agents(agents))
    assert (trace.ended, len(trace.steps)) == (ended, steps)


def test_an_agent_that_raises_fails_that_action_and_says_why(counting) -> None:
    benchmark = counting.Counting()
    _, trace = play(benchmark, Instance("x", "even", 3), benchmark.agents("raising"))
    assert trace.steps[0].action is None
    assert trace.steps[0].outcome.message == "The agent raised RuntimeError: no idea"


def test_the_seed_decides_what_a_random_agent_does(counting) -> None:
    runs = [evaluate(Run("counting", "random", "generated", seed=seed), workers=1) for seed in (1, 1, 2)]
    assert runs[0] == runs[1]
    assert runs[0]["steps"] != runs[2]["steps"]


def test_an_instance_that_cannot_begin_is_an_error_and_the_rest_go_on(counting, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    run = Run("counting", "good", "generated", episodes=4, options={"start": -2})
    assert evaluate(run, workers=1, out=out)["errors"] == 2
    assert [row["ended"][:5] for row in results(out)] == ["error", "error", "done", "done"]


def test_options_reach_the_benchmark_and_unknown_ones_are_refused(counting) -> None:
    run = Run("counting", "good", "generated", episodes=2, options={"start": "5"})
    assert evaluate(run, workers=1)["steps"] == [5, 6]
    with pytest.raises(HousematesError, match="no option 'speed'"):
        evaluate(Run("counting", "good", "generated", options={"speed": 2}), workers=1)


def test_an_unknown_benchmark_is_named(counting) -> None:
    with pytest.raises(HousematesError, match="Unknown benchmark 'chess': expected one of counting"):
        evaluate(Run("chess", "good", "generated"))


def test_finished_instances_are_not_run_again(counting, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    run = Run("counting", "good", "generated", episodes=4)
    whole = evaluate(run, workers=1, out=out)
    lines = out.read_text(encoding="utf-8").splitlines()
    lines[2] = lines[2].replace('"success": 1.0', '"success": 0.5')
    out.write_text("\n".join(lines[:3]) + "\n", encoding="utf-8")
    again = evaluate(run, workers=1, out=out)
    assert again["steps"] == whole["steps"]
    assert again["success"] == pytest.approx(3.5 / 4)
    assert len(results(out)) == 4


def test_a_line_that_was_cut_off_is_done_again(counting, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    run = Run("counting", "good", "generated", episodes=4)
    whole = evaluate(run, workers=1, out=out)
    text = out.read_text(encoding="utf-8")
    out.write_text(text[:-20], encoding="utf-8")
    assert evaluate(run, workers=1, out=out) == whole
    assert len(results(out)) == 4


@pytest.mark.parametrize(
    "other",
    [
        Run("counting", "bad", "generated"),
        Run("counting", "good", "generated", seed=1),
        Run("counting", "good", "generated", episodes=3),
        Run("counting", "good", "generated", options={"start": 1}),
    ],
)
def test_the_results_of_another_run_are_refused(counting, tmp_path: Path, other: Run) -> None:
    out = tmp_path / "results.jsonl"
    evaluate(Run("counting", "good", "generated"), workers=1, out=out)
    before = out.read_bytes()
    with pytest.raises(HousematesError, match="holds the results of another run"):
        evaluate(other, workers=1, out=out)
    assert out.read_bytes() == before


def test_a_file_that_holds_no_results_is_refused_and_kept(counting, tmp_path: Path) -> None:
    out = tmp_path / "notes.txt"
    out.write_text("milk, bread\n", encoding="utf-8")
    with pytest.raises(HousematesError, match=r"notes\.txt"):
        evaluate(Run("counting", "good", "generated"), workers=1, out=out)
    assert out.read_text(encoding="utf-8") == "milk, bread\n"


def test_processes_give_the_same_results_as_one(tmp_path: Path) -> None:
    runs = {workers: counting_program("random", workers, tmp_path / f"{workers}.jsonl") for workers in (1, 2)}
    assert runs[1].returncode == 0, runs[1].stderr
    assert runs[1].stdout == runs[2].stdout
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()


def test_after_an_interruption_the_rest_is_done(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    stopped = counting_program("interrupted", 1, out, INTERRUPT="1")
    assert stopped.returncode != 0
    assert len(results(out)) == 5
    finished = counting_program("interrupted", 1, out)
    assert finished.returncode == 0, finished.stderr
    assert json.loads(finished.stdout)["steps"] == list(range(10))
    assert len(results(out)) == 10


def counting_program(
    agents: str, workers: int, out: Path, **environ: str
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(COUNTING), agents, str(workers), str(out)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environ})
