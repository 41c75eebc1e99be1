"""Inspect: every benchmark is a task, models and agents sit in seats, and no model ends a run."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as run_eval
from inspect_ai import score as score_again
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessageTool, ChatMessageUser
from scripted import completion

from housemates.adapters.inspect_ai import TASKS, episode_scores
from housemates.adapters.inspect_ai.plan import TaskSettings, house, words
from housemates.core import registry
from housemates.core.loading import seat_all
from housemates.errors import HousematesError
from housemates.evaluation import runner

pytestmark = pytest.mark.slow


@pytest.fixture
def ask(tmp_path: Path) -> Callable[..., EvalLog]:
    """Evaluates a task with a model and gives its log."""

    def evaluate(name: str, model: str, settings: dict[str, Any] | None = None, **given: Any) -> EvalLog:
        task = TASKS[name](**{"episodes": 1, **given})
        (log,) = run_eval(task, model=model, log_dir=str(tmp_path), display="none", **(settings or {}))
        return log

    return evaluate


@pytest.fixture
def scripted(served, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A model behind an OpenAI-compatible endpoint that gives these answers, and then stops."""

    def serve(*answers: Any) -> Any:
        left = list(answers)
        server = served(lambda message: left.pop(0) if left else completion(calls=(("Stop", {}),)))
        monkeypatch.setenv("SCRIPTED_BASE_URL", f"{server.url}v1")
        monkeypatch.setenv("SCRIPTED_API_KEY", "none")
        return server

    return serve


MODEL = "openai-api/scripted/model"


def values(log: EvalLog, number: int = 0) -> Any:
    """The scores of a sample."""
    return log.samples[number].scores["episode_scores"].value


def metrics(log: EvalLog) -> dict[str, float]:
    """The numbers of a run."""
    return {name: each.value for name, each in log.results.scores[0].metrics.items()}


def test_loading_the_entry_point_imports_no_benchmark() -> None:
    code = "import sys, housemates.adapters.inspect_ai; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_every_benchmark_is_a_task_that_runs_offline(tmp_path) -> None:
    assert set(TASKS) == {name for spec in registry.specs().values() for name in spec.benchmarks}
    tasks = [make(episodes=1, turn_limit=4) for make in TASKS.values()]
    logs = run_eval(tasks, model="housemates/first", log_dir=str(tmp_path), display="none", max_tasks=4)
    assert {log.eval.task for log in logs} == {f"housemates/{name.replace('-', '_')}" for name in TASKS}
    for log in logs:
        (sample,) = log.samples
        assert (log.status, sample.error) == ("success", None)
        assert values(log)["steps"] > 0
        assert len(metrics(log)) >= 2
        assert sample.model_usage["housemates/first"].total_tokens > 0


@pytest.mark.parametrize("name", TASKS)
def test_no_default_cuts_an_episode_before_its_own_limits(name: str) -> None:
    """Walk 7: CerealBar ended at 2 M tokens in its 31st turn; a whole game took 3.8 M."""
    if name.startswith(("alfred-sub", "alfred-val", "cerealbar-rec")):
        pytest.skip("plays what another task plays")
    task, acts = TASKS[name](episodes=1), registry.benchmark(name).limits.steps
    assert task.turn_limit >= acts and task.token_limit >= 4000 * acts and task.time_limit >= 4 * acts
    assert name != "cerealbar" or task.token_limit >= 2 * 3_800_000
    assert TASKS[name](episodes=1, token_limit=10).token_limit == 10


def test_the_numbers_are_those_of_eval(ask) -> None:
    log = ask("handmethat", "housemates/oracle", episodes=6)
    seats = seat_all(registry.benchmark_class("handmethat"), ["expert"], {})
    report = runner.evaluate(runner.Run("handmethat", seats, episodes=6), workers=1, progress=False)
    assert {name: metrics(log)[name] for name in report["metrics"]} == report["metrics"]


def test_a_seat_may_be_taken_by_an_agent_of_ours(ask) -> None:
    log = ask("teach-tatc", "housemates/first", {"model_roles": {"follower": "housemates/talk"}})
    assert values(log)["success"] == 0.0
    log = ask("teach-tatc", "housemates/talk", agents="commander=talk")
    assert values(log)["success"] == 1.0
    assert list(log.samples[0].model_usage) == ["housemates/talk"]


def test_pictures_are_shown_if_asked_for(ask) -> None:
    seen = ask("home", "housemates/first", pictures=True, turn_limit=1)
    told = ask("home", "housemates/first", turn_limit=1)
    kinds = [
        {
            part.type
            for each in log.samples[0].messages
            if isinstance(each.content, list)
            for part in each.content
        }
        for log in (seen, told)
    ]
    assert "image" in kinds[0] and "image" not in kinds[1]


def test_a_model_that_stumbles_goes_on(ask, scripted) -> None:
    cut = completion(calls=(("Command", '{"command": "move to'),))
    server = scripted(
        completion("I should look around first."),
        cut,
        completion(calls=(("Fly", {}),)),
        (429, {"error": {"message": "slow down"}}),
        (500, {"error": {"message": "oops"}}),
        completion(calls=(("Command", {"command": "examine"}),)),
    )
    log = ask("handmethat", MODEL)
    (sample,) = log.samples
    assert (log.status, sample.error) == ("success", None)
    told = values(log)
    assert (told["nudges"], told["failures"], told["steps"]) == (1, 2, 4)
    assert metrics(log)["nudges"] == 1.0
    nudge = next(
        each for each in sample.messages if isinstance(each, ChatMessageUser) and "no tool" in each.text
    )
    assert "Command, Stop" in nudge.text
    answers = [each for each in sample.messages if isinstance(each, ChatMessageTool)]
    assert answers[0].text.startswith("Command: ") and answers[1].text.startswith("Unknown act 'Fly'")
    assert [each.metadata["reason"] for each in answers[:2]] == ["malformed", "unknown_act"]
    assert server.heard[0][2]["tools"][0]["function"]["name"] == "Command"


def test_an_endpoint_that_never_answers_costs_an_episode_in_bounded_time(ask, scripted) -> None:
    scripted(*[lambda handler: time.sleep(2)] * 9)
    began = time.monotonic()
    settings = {"attempt_timeout": 1, "max_retries": 0}
    log = ask("handmethat", MODEL, settings, episodes=2)
    assert time.monotonic() - began < 30
    assert log.status == "success"
    assert [bool(sample.error) for sample in log.samples].count(True) >= 1
    assert metrics(log)["success"] == 0.0


def test_an_endpoint_that_refuses_is_an_error_of_each_episode_not_of_the_run(ask, scripted) -> None:
    scripted(*[(400, {"error": {"message": "too long"}})] * 9)
    log = ask("handmethat", MODEL, {"max_retries": 0}, episodes=2)
    assert (log.status, [bool(each.error) for each in log.samples]) == ("success", [True, True])


def test_a_limit_ends_an_episode_and_what_was_done_is_scored(ask) -> None:
    log = ask("home", "housemates/first", turn_limit=3)
    assert log.samples[0].limit.type == "turn"
    assert values(log)["steps"] == 3


def test_a_log_can_be_scored_again(ask) -> None:
    log = ask("handmethat", "housemates/oracle")
    plan = {"benchmark": "handmethat", "split": "generated", "episodes": 1, "seed": 0}
    again = score_again(log, episode_scores(**plan, options="", agents=""), action="overwrite")
    assert values(again) == values(log)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"agents": "robt=first"}, "did you mean 'robot'"),
        ({"agents": "robot=frist"}, "a seat of handmethat that is left for a model"),
        ({"options": "vresion=1"}, "did you mean 'version'"),
        ({"split": "tset"}, "split"),
        ({"episodes": 0}, "expected 1 or more"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(given, said) -> None:
    with pytest.raises(HousematesError, match=said):
        TASKS["handmethat"](**given)


def test_words_may_be_given_as_a_text_a_list_or_a_mapping() -> None:
    assert words("a=1,b=2") == words(["a=1", "b=2"]) == words({"a": 1, "b": 2}) == "a=1 b=2"
    assert house(TaskSettings("home", "generated", 1, 0, "size=64", "")).benchmark.size == (64, 64)


def test_inspect_finds_the_tasks_by_the_entry_point(tmp_path) -> None:
    if not any(each.name == "housemates" for each in entry_points(group="inspect_ai")):
        pytest.skip("this checkout was installed before it had an entry point for Inspect")
    words = ["eval", "housemates/handmethat", "--model", "housemates/random", "-T", "episodes=2"]
    where = ["--log-dir", str(tmp_path), "--display", "none"]
    command = [str(Path(sys.executable).with_name("inspect")), *words, *where]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(list(tmp_path.glob("*.eval"))) == 1
