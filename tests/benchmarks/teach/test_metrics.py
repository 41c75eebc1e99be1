"""Metrics by hand: what the paper defines, and what its code computes, side by side."""

from __future__ import annotations

from typing import Any

import pytest

from housemates.benchmarks.teach.metrics import (
    POOLED,
    WEIGHTED,
    pair_summary,
    published,
    rows_beside,
    scores,
    summary,
)
from housemates.benchmarks.teach.tasks.catalogue import Progress
from housemates.core.benchmark import Result, Summary


def progress(satisfied: int, total: int, success: bool | None = None) -> Progress:
    """A progress check with so many goal conditions."""
    met = satisfied == total if success is None else success
    return Progress("Do.", met, total, satisfied, [], None, None)


def attempt(
    wanted: int, left: int, reference: int, taken: int, success: bool | None = None
) -> dict[str, Any]:
    return scores(progress(0, wanted), progress(wanted - left, wanted, success), reference, taken)


def run(*attempts: tuple[str, dict[str, float] | None]) -> Summary:
    """The summary of attempts; None is an episode that could not be run."""
    return summary([_result(str(n), task, made) for n, (task, made) in enumerate(attempts)], {})


def _result(name: str, task: str, made: dict[str, float] | None) -> Result:
    return Result(name, task, {}, error="It broke.") if made is None else Result(name, task, made)


def test_a_detour_of_twice_the_length_halves_a_metric() -> None:
    assert attempt(1, 0, reference=10, taken=20)["success_weighted"] == 0.5
    assert attempt(1, 0, reference=10, taken=5)["success_weighted"] == 1.0
    assert attempt(4, 2, reference=10, taken=20)["goal_conditions_weighted"] == 0.25


def test_half_the_conditions_are_half_a_goal() -> None:
    made = attempt(4, 2, reference=10, taken=10)
    assert (made["success"], made["goal_conditions"], made["steps"]) == (0.0, 0.5, 10.0)


def test_what_held_before_is_not_counted() -> None:
    made = scores(progress(2, 4), progress(3, 4), 10, 10)
    assert (made["goal_conditions"], made["conditions_reached"], made["conditions_wanted"]) == (0.5, 1.0, 2.0)


def test_undoing_more_than_was_wanted_is_not_worse_than_nothing() -> None:
    made = scores(progress(3, 5), progress(0, 5), 10, 10)
    assert made["goal_conditions"] == 0.0
    assert made["conditions_reached"] == -3.0


def test_with_nothing_to_do_success_decides() -> None:
    assert scores(progress(2, 2), progress(2, 2), 5, 5)["goal_conditions"] == 1.0
    assert scores(progress(2, 2, False), progress(2, 2, False), 5, 5)["goal_conditions"] == 0.0


def test_the_paper_averages_instances_and_its_code_pools_conditions() -> None:
    made = run(("Coffee", attempt(1, 0, 10, 10)), ("Salad", attempt(9, 9, 90, 90)))
    assert (made.metrics["goal_conditions"], made.metrics["goal_conditions_pooled"]) == (50.0, 10.0)
    assert (made.metrics["success_weighted"], made.metrics["success_weighted_pooled"]) == (50.0, 10.0)
    assert {task: row["success"] for task, row in made.tables["by task"].items()} == {
        "Coffee": 100.0,
        "Salad": 0.0,
    }


def test_summaries_are_in_percent_and_episodes_in_shares() -> None:
    made = run(*[("Coffee", attempt(1, each, 10, 20)) for each in (0, 0, 1)])
    assert made.metrics["success"] == pytest.approx(66.67)
    assert made.metrics["success_weighted"] == pytest.approx(33.33)
    assert made.metrics["steps"] == 20.0


def test_an_instance_that_could_not_be_run_counts_as_a_failure_everywhere() -> None:
    made = run(("Coffee", attempt(1, 0, 5, 5)), ("Coffee", None), ("", None))
    for name in ("success", "goal_conditions", *WEIGHTED):
        assert made.metrics[name] == pytest.approx(33.33)
    coffee = made.tables["by task"]["Coffee"]
    assert [coffee[name] for name in ("episodes", "success", "goal_conditions")] == [2, 50.0, 50.0]
    assert made.tables["by task"]["unknown"]["success"] == 0.0


def test_nothing_is_weighted_where_nobody_has_done_it() -> None:
    made = attempt(1, 0, reference=0, taken=20)
    assert made["success"] == 1.0 and not set(WEIGHTED) & set(made)
    whole = run(("Coffee", made), ("Salad", None))
    assert not set(WEIGHTED) & set(whole.metrics)
    assert not {f"{name}{POOLED}" for name in WEIGHTED} & set(whole.metrics)
    assert whole.metrics["success"] == 50.0


def test_tasks_stand_in_the_papers_order() -> None:
    made = run(("Breakfast", None), ("Own", None), ("Water Plant", None), ("Coffee", None))
    assert list(made.tables["by task"]) == ["Coffee", "Water Plant", "Breakfast", "Own"]


def test_the_papers_numbers_stand_beside_ours() -> None:
    results = [_result("0", "Coffee", {**attempt(1, 0, 5, 5), "utterances": 7.0, "leaks": 2.0})]
    made = pair_summary([*results, _result("1", "Coffee", None)])
    assert made.tables["by task"]["Coffee"]["success"] == 50.0
    assert made.tables["by task"]["Coffee"]["paper success"] == 54.55
    assert made.paper["Rule-based pair"]["success"] == 24.4
    assert (made.metrics["actions"], made.paper["Rule-based pair"]["actions"]) == (5.0, 161.54)
    assert (made.metrics["utterances"], made.metrics["leaks"]) == (3.5, 1.0)


def test_what_is_published_has_the_names_of_our_metrics() -> None:
    names = {"success", *(f"{name}{POOLED}" for name in ("goal_conditions", *WEIGHTED))}
    for table in ("edh_table4_aaai", "edh_table4_arxiv", "tfd_table4"):
        for split in ("valid_seen", "valid_unseen"):
            assert all(set(row) == names for row in published()[table][split].values())


def test_each_version_of_the_paper_has_rows_of_its_own() -> None:
    rows = rows_beside("edh", "valid_seen")
    assert (rows["E.T. +H (AAAI)"]["success"], rows["E.T. +H (arXiv)"]["success"]) == (12.5, 7.4)
    assert rows["E.T. +H+S (arXiv)"]["goal_conditions_pooled"] == 15.97
    assert list(rows_beside("tfd", "valid_seen")) == ["Random", "E.T."]


def test_only_pooled_numbers_can_be_weighted_above_the_unweighted_ones() -> None:
    theirs = published()["tfd_table4"]["valid_seen"]["E.T."]
    assert theirs["goal_conditions_weighted_pooled"] > theirs["goal_conditions_pooled"]
    made = run(("Coffee", attempt(4, 2, 10, 10)), ("Salad", attempt(1, 1, 1, 1))).metrics
    assert made["goal_conditions_weighted_pooled"] > made["goal_conditions_pooled"]
    assert made["goal_conditions_weighted"] <= made["goal_conditions"]
