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
