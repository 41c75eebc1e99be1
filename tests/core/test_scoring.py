"""Arithmetic that all benchmarks share."""

from __future__ import annotations

import pytest

from housemates.core import scoring
from housemates.core.benchmark import Result

RESULTS = [
    Result("a", "wash", {"success": 1.0, "share": 0.5}),
    Result("b", "cook", {"success": 0.0, "share": 0.25}),
    Result("c", "wash", {}, error="broken"),
    Result("d", "wash", {"success": 1.0, "share": 1.0}),
]


def test_an_error_counts_as_a_failure_in_every_mean() -> None:
    assert scoring.mean(RESULTS, "success") == 0.5
    assert scoring.percent(RESULTS, "success", "share") == {"success": 50.0, "share": 43.75}
    assert scoring.mean([], "success") == 0.0


def test_tables_group_in_the_order_of_coming_up_or_as_asked() -> None:
    table = scoring.table(RESULTS, lambda each: each.task, ("success",))
    assert table == {
        "cook": {"episodes": 1, "success": 0.0, "interval": [0.0, 79.35]},
        "wash": {"episodes": 3, "success": 66.67, "interval": [20.77, 93.85]},
    }
    assert list(table) == ["wash", "cook"]
    assert list(scoring.table(RESULTS, lambda each: each.task, ("success",), ["cook"])) == ["cook", "wash"]
    assert list(scoring.table(RESULTS, lambda each: "", ("success",))) == ["unknown"]


@pytest.mark.parametrize(
    ("value", "reference", "taken", "weighted"),
    [(1.0, 10, 10, 1.0), (1.0, 10, 5, 1.0), (1.0, 10, 20, 0.5), (0.5, 10, 40, 0.125), (1.0, 0, 7, 1.0)],
)
def test_a_longer_way_weighs_less(value, reference, taken, weighted) -> None:
    assert scoring.length_weighted(value, reference, taken) == pytest.approx(weighted)


def test_intervals_hold_the_share_and_never_leave_0_to_100() -> None:
    assert scoring.interval([1.0, 0.0] * 50) == pytest.approx((40.38, 59.62), abs=0.01)
    assert scoring.interval([1.0] * 10) == pytest.approx((72.25, 100.0), abs=0.01)
    assert scoring.interval([0.0] * 10) == pytest.approx((0.0, 27.75), abs=0.01)
    assert scoring.interval([]) == (0.0, 100.0)
