"""The examples of learning run with a tiny budget."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from housemates.errors import HousematesError

EXAMPLES = Path(__file__).parents[1] / "examples" / "learning"


def example(name: str) -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))


def test_a_tree_search_plays_the_best_line_that_its_rollouts_found(capsys) -> None:
    assert 0.0 <= example("tree_search")["main"](["--episodes", "2", "--rollouts", "40"]) <= 1.0
    told = capsys.readouterr().out
    assert told.count("success") == 2


def test_ppo_learns_from_pixels_with_masks_in_generated_rooms(capsys) -> None:
    module = example("ppo_pixels")
    small = {"envs": 2, "steps": 8, "rooms": 2, "side": 36, "epochs": 1, "evaluate_every": 1, "evaluated": 2}
    (told,) = module["main"](module["Args"](minutes=0.0, **small))
    assert told["steps"] == 16
    assert 0.0 <= told["unseen"] <= 1.0
    assert '"lately"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("env", "kinds"),
    [
        ("housemates/alfworld-v1", ("task=pick_and_place_simple", "task=look_at_obj_in_light")),
        ("housemates/handmethat-v1", ("",)),
    ],
)
def test_ppo_learns_from_text_among_the_commands_that_are_possible(
    env: str, kinds: tuple[str, ...], tmp_path: Path
) -> None:
    module, log = example("ppo_text"), tmp_path / "kept" / "log.jsonl"
    small = {"envs": 2, "steps": 4, "games": 2, "new": 2, "width": 8, "evaluate_every": 1, "evaluated": 2}
    (told,) = module["main"](module["Args"](env=env, kinds=kinds, minutes=0.0, log=log, **small))
    assert (told["steps"], told["episodes"]) == (8, 2)
    assert json.loads(log.read_text()) == told


def test_what_a_command_brought_is_remembered_until_the_episode_ends() -> None:
    module = example("ppo_text")
    texts, args = module["Texts"](), module["Args"](kinds=("task=pick_and_place_simple",), evaluated=2)
    games = module["Games"](args, texts, 1, 2, 0)
    first = games.reset(0)
    assert not first.brought.any() and first.about[0, 1] == 0
    command = games.offered[0][0]
    games.told[0] = {}
    after, _, over, _ = games.step(first.commands[:, 0] * 0)
    assert not over.any() and games.told[0].keys() == {command}
    assert after.about[0, 1] == games.told[0][command] > 0


def lines(folder: Path, name: str, *unseen: float) -> Path:
    path = folder / f"{name}.jsonl"
    rows = ({"minutes": at + 1.0, "unseen": each, "episodes": 50} for at, each in enumerate(unseen))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_curve_has_the_interquartile_mean_of_the_seeds_and_its_interval(tmp_path: Path, capsys) -> None:
    module, out = example("curve"), tmp_path / "curve.svg"
    logs = [lines(tmp_path, str(last), 0.0, last) for last in (0.2, 0.4, 0.6, 1.0)]
    told = module["main"](module["Args"](logs, out))
    assert told["iqm"] == pytest.approx(0.5) and told["low"] < 0.5 < told["high"]
    assert out.read_text().startswith("<?xml") and json.loads(capsys.readouterr().out) == told
    three = np.array([[0.0], [0.4], [1.0]])
    assert module["interquartile_mean"](three)[0] == pytest.approx((0.0 / 12 + 0.4 / 3 + 1.0 / 12) / 0.5)


def test_a_log_that_is_none_is_refused_with_its_line(tmp_path: Path) -> None:
    module, path = example("curve"), tmp_path / "log.jsonl"
    path.write_text('{"minutes": 1, "unseen": 0.5, "episodes": 8}\n{"minutes": 2, "unseen": "x"}\n')
    with pytest.raises(HousematesError, match=r"log\.jsonl, line 2: expected JSON with the numbers minutes"):
        module["read"](path)
    path.write_text("")
    with pytest.raises(HousematesError, match="holds no evaluation"):
        module["read"](path)
