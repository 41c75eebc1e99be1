"""Code that was written for the package `alfworld`, with its import changed."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

import pytest

from fixtures.alfworld import made
from housemates.adapters.alfworld.agents.environment import get_environment
from housemates.adapters.alfworld.agents.modules import generic
from housemates.errors import HousematesError

CONFIG = """
dataset: {data_path: $GAMES, eval_id_data_path: $GAMES, num_train_games: -1, num_eval_games: 2}
env: {type: AlfredTWEnv, domain_randomization: False, task_types: [1, 2, 3, 4, 5, 6], expert_type: handcoded}
general: {training_method: dagger}
dagger: {training: {max_nb_steps_per_episode: 50}}
"""


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    for number in range(4):
        folder = tmp_path / "games" / f"{made(number).type}-{number}"
        folder.mkdir(parents=True)
        (folder / "game.tw-pddl").write_text(made(number).text, encoding="utf-8")
    monkeypatch.setenv("GAMES", str(tmp_path / "games"))
    (tmp_path / "config.yaml").write_text(CONFIG, encoding="utf-8")
    monkeypatch.setattr(
        sys, "argv", ["train.py", str(tmp_path / "config.yaml"), "-p", "env.expert_type=planner"]
    )
    return generic.load_config()


def test_the_published_loop_runs_and_its_expert_wins(config: dict[str, Any]) -> None:
    env = get_environment(config["env"]["type"])(config, train_eval="train").init_env(batch_size=3)
    observations, infos = env.reset()
    plans = infos["extra.expert_plan"]
    assert all(text.startswith("-= Welcome to TextWorld, ALFRED! =-") for text in observations)
    for step in range(max(map(len, plans))):
        commands = [plan[step] if step < len(plan) else "look" for plan in plans]
        observations, scores, dones, infos = env.step(commands)
        assert dones == tuple(step + 1 >= len(plan) for plan in plans)
    assert scores == (1, 1, 1) and infos["won"] == [True] * 3
    assert len(set(infos["extra.gamefile"])) == 3


def test_a_pickled_environment_goes_on_where_it_was(config: dict[str, Any]) -> None:
    env = get_environment("AlfredTWEnv")(config, train_eval="eval_in_distribution").init_env(batch_size=2)
    _, infos = env.reset()
    assert "extra.expert_plan" not in infos
    env.step([each[0] for each in infos["admissible_commands"]])
    twin = pickle.loads(pickle.dumps(env))
    assert twin.step(["look", "inventory"]) == env.step(["look", "inventory"])
    assert twin.reset() == env.reset()


def test_games_that_are_over_answer_the_same_until_reset(config: dict[str, Any]) -> None:
    config["dagger"]["training"]["max_nb_steps_per_episode"] = 2
    env = get_environment("AlfredTWEnv")(config).init_env(batch_size=1)
    env.reset()
    assert env.step(["look"])[2] == (False,)
    assert env.step(["inventory"])[::2] == (("You are not carrying anything.",), (True,))
    assert env.step(["look"])[0] == ("You are not carrying anything.",)


def test_what_is_not_here_is_refused(config: dict[str, Any]) -> None:
    with pytest.raises(HousematesError, match="AlfredTWEnv"):
        get_environment("AlfredThorEnv")
    with pytest.raises(HousematesError, match="expert_type"):
        get_environment("AlfredTWEnv")(
            {**config, "env": {**config["env"], "expert_type": "oracle"}}
        ).init_env(1)
    with pytest.raises(HousematesError, match="train_eval"):
        get_environment("AlfredTWEnv")(config, train_eval="test")
