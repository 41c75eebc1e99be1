"""Metrics by hand: what the paper defines, and what its code computes, side by side."""

from __future__ import annotations

import pytest

from housemates.benchmarks.base import Instance
from housemates.benchmarks.teach.metrics import Attempt, beside_paper, length_weighted, scores, summarise


def run(*attempts: tuple[str, Attempt | None]) -> dict:
    return summarise(
        [
            (Instance(str(number), task, None), {} if made is None else scores(made))
            for number, (task, made) in enumerate(attempts)
        ]
    )


def test_a_detour_of_twice_the_length_halves_a_metric() -> None:
    assert length_weighted(1.0, reference=10, taken=20) == 0.5
    assert length_weighted(1.0, reference=10, taken=5) == 1.0


def test_half_the_conditions_are_half_a_goal() -> None:
    made = scores(Attempt(success=False, wanted=4, left=2, reference=10, taken=10))
    assert (made["success"], made["goal_condition"]) == (0.0, 0.5)


def test_undoing_more_than_was_wanted_is_not_worse_than_nothing() -> None:
    made = scores(Attempt(success=False, wanted=2, left=5, reference=10, taken=10))
    assert made["goal_condition"] == 0.0
    assert made["conditions_reached"] == -3.0


def test_the_paper_averages_instances_and_its_code_pools_conditions() -> None:
    summary = run(
        ("Coffee", Attempt(True, wanted=1, left=0, reference=10, taken=10)),
        ("Salad", Attempt(False, wanted=9, left=9, reference=90, taken=90)),
    )
    assert summary["goal_condition"] == 0.5
    assert summary["reference_code"]["goal_condition"] == pytest.approx(0.1)
    assert summary["success_length_weighted"] == 0.5
    assert summary["reference_code"]["success_length_weighted"] == pytest.approx(0.1)
    assert summary["per_task"] == {"Coffee": 1.0, "Salad": 0.0}


def test_an_instance_that_could_not_be_run_counts_as_a_failure() -> None:
    summary = run(("Coffee", Attempt(True, 1, 0, 5, 5)), ("Coffee", None))
    assert (summary["episodes"], summary["success"]) == (2, 0.5)


def test_the_papers_numbers_stand_beside_ours() -> None:
    summary = run(("Coffee", Attempt(True, 1, 0, 5, 5)))
    assert beside_paper(summary, "tatc", "")["Coffee"] == {"here": 100.0, "paper": 54.55}
    table = beside_paper(summary, "edh", "valid_seen")
    assert table["here"]["success"] == 100.0
    assert table["E.T. +H+S"]["goal_condition"] == 15.97
