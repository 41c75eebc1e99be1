"""ALFRED in the runner and for learners: agents, scores, sub-goals, the environment."""

from __future__ import annotations

import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from housemates.benchmarks.alfred.agents.template import follow
from housemates.benchmarks.alfred.benchmark import Alfred
from housemates.benchmarks.alfred.generate.trajectories import Settings, generate
from housemates.benchmarks.alfred.metrics import of_episode
from housemates.benchmarks.alfred.session import Act, AlfredSession
from housemates.benchmarks.alfred.tasks.goals import TITLES, Progress
from housemates.benchmarks.alfred.world.dynamics import ACTIONS, STOP
from housemates.benchmarks.registry import register_environments
from housemates.errors import HousematesError
from housemates.evaluation.runner import Run, evaluate
from housemates.files import read_json, write_json


def run(agents: str, episodes: int = 7, benchmark: str = "alfred", **options: str) -> dict[str, object]:
    return evaluate(Run(benchmark, agents, "generated", episodes, 7, options), workers=1, progress=False)


def test_the_expert_solves_one_of_each_type() -> None:
    found = run("expert")
    assert found["success"] == found["success_weighted"] == 100.0
    assert set(found["by_type"]) == set(TITLES.values())  # type: ignore[call-overload]


def test_the_expert_solves_them_with_masks_too() -> None:
    assert run("expert", 4, by="mask")["success"] == 100.0


def test_random_and_template_agents_solve_nothing() -> None:
    assert run("random")["success"] == 0.0
    assert run("template")["success"] == 0.0


def test_an_expert_that_must_look_for_things_takes_longer() -> None:
    found = run("seen", 5)
    assert float(str(found["success"])) >= 60.0
    assert float(str(found["success_weighted"])) < 100.0


def test_the_expert_reaches_every_subgoal() -> None:
    found = run("expert", 7, "alfred-subgoals")
    assert found["success"] == 100.0
    assert {"Goto", "Pickup", "Put", "Cool", "Heat", "Clean", "Toggle"} <= set(found["by_subgoal"])  # type: ignore[call-overload]


def test_generated_files_can_be_evaluated(tmp_path: Path) -> None:
    generate(tmp_path / "set", 4, Settings(seed=6), workers=1)
    options = {"data": str(tmp_path / "set")}
    found = evaluate(Run("alfred", "expert", "train", 3, 0, options), workers=1, progress=False)
    assert (found["episodes"], found["success"]) == (3, 100.0)


def test_a_file_without_goal_and_plan_runs_but_is_not_scored(tmp_path: Path) -> None:
    generate(tmp_path / "set", 1, Settings(seed=6), workers=1)
    file = next((tmp_path / "set").rglob("traj_data.json"))
    record = {
        key: value
        for key, value in read_json(file).items()
        if key in ("task_id", "scene", "turk_annotations")
    }
    write_json(tmp_path / "test.json", record)
    options = {"data": str(tmp_path / "test.json")}
    found = evaluate(Run("alfred", "template", "tests_seen", None, 0, options), workers=1, progress=False)
    assert (found["episodes"], found["not_scored"]) == (0, 1)


def test_an_official_plan_needs_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "nothing"))
    generate(tmp_path / "set", 1, Settings(seed=6), workers=1)
    file = next((tmp_path / "set").rglob("traj_data.json"))
    record = read_json(file)
    record["scene"]["floor_plan"] = "FloorPlan7"
    write_json(tmp_path / "other.json", record)
    benchmark = Alfred(data=str(tmp_path / "other.json"))
    with pytest.raises(HousematesError, match="store=DIR"):
        benchmark.session(benchmark.instances("train", 1, 0)[0])


def test_taking_twice_as_long_as_the_expert_gives_half() -> None:
    scores = of_episode(Progress(2, 4), 50, 100)
    assert (scores["success"], scores["goal_conditions"]) == (0.0, 0.5)
    assert scores["goal_conditions_weighted"] == 0.25


def test_nonsense_is_a_failed_action_and_changes_nothing() -> None:
    benchmark = Alfred()
    session = benchmark.session(benchmark.instances("generated", 1, 0)[0])
    assert isinstance(session, AlfredSession)
    before = session.world.digest()
    for action in ("Fly", None, {"verb": "x"}, Act("PickupObject", np.zeros((2, 2))), Act("PutObject")):
        assert not session.act(action).success
    assert session.world.digest() == before
    assert session.role == "agent"
    assert session.act(STOP).success
    assert session.role is None


def test_words_tell_what_is_seen_and_held_and_what_happened() -> None:
    benchmark = Alfred()
    session = benchmark.session(benchmark.instances("generated", 1, 0)[0])
    session.act(Act("PickupObject", target="Nothing"))
    text = session.observe().text
    assert "You see: " in text and "You hold: nothing." in text and "failed" in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Turn left and walk to the desk.", ["RotateLeft", "MoveAhead"]),
        ("Pick up the mug from the table.", ["PickupObject"]),
        ("Turn on the desk lamp.", ["ToggleObjectOn"]),
        ("Cut the apple into slices.", ["SliceObject"]),
    ],
)
def test_templates_read_plain_instructions(text: str, expected: list[str]) -> None:
    assert [act.action for act in follow(text)][: len(expected)] == expected


@pytest.mark.parametrize("text", [False, True])
def test_the_environment_keeps_gymnasiums_rules(text: bool) -> None:
    register_environments()
    env = gymnasium.make("housemates/alfred-v1", text=text).unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, skip_render_check=True)


def test_the_expert_earns_the_whole_reward_in_the_environment() -> None:
    register_environments()
    env = gymnasium.make("housemates/alfred-v1").unwrapped
    env.reset(seed=2)
    expert, total, done = env.expert(), 0.0, False  # type: ignore[attr-defined]
    while not done:
        deed = expert.advise(env.session.world)  # type: ignore[attr-defined]
        mask = env.session.mask(deed.target) if deed.target else np.zeros((300, 300), bool)  # type: ignore[attr-defined]
        action = {"action": ACTIONS.index(deed.action), "mask": mask.astype(np.int8)}
        _, reward, done, cut, info = env.step(action)
        total += float(reward)
        assert not cut
    assert total == pytest.approx(1.0)
    assert info["scores"]["success"] == 1.0
