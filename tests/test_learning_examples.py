"""The examples of learning run with a tiny budget."""

from __future__ import annotations

import runpy
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples" / "learning"


def test_a_tree_search_plays_the_best_line_that_its_rollouts_found(capsys) -> None:
    main = runpy.run_path(str(EXAMPLES / "tree_search.py"))["main"]
    assert 0.0 <= main(["--episodes", "2", "--rollouts", "40"]) <= 1.0
    told = capsys.readouterr().out
    assert told.count("success") == 2


def test_ppo_learns_from_pixels_with_masks_in_generated_rooms(capsys) -> None:
    module = runpy.run_path(str(EXAMPLES / "ppo_pixels.py"))
    small = {"envs": 2, "steps": 8, "rooms": 2, "side": 36, "epochs": 1, "evaluate_every": 1, "evaluated": 2}
    (told,) = module["main"](module["Args"](minutes=0.0, **small))
    assert told["steps"] == 16
    assert 0.0 <= told["unseen"] <= 1.0
    assert '"lately"' in capsys.readouterr().out
