"""Statistics against values that others have worked out."""

from __future__ import annotations

import pytest

from housemates.evaluation.statistics import beta, bonferroni, bootstrap, student, welch


@pytest.mark.parametrize(
    ("t", "freedom", "p"),
    [(0.0, 5.0, 1.0), (1.0, 1.0, 0.5), (2.228139, 10.0, 0.05), (12.7062, 1.0, 0.05), (1.959964, 1e7, 0.05)],
)
def test_students_distribution_has_the_values_of_its_tables(t: float, freedom: float, p: float) -> None:
    assert student(t, freedom) == pytest.approx(p, abs=2e-6)


def test_the_beta_function_is_exact_where_it_is_a_polynomial() -> None:
    assert beta(0.3, 1.0, 1.0) == pytest.approx(0.3)
    assert beta(0.5, 2.0, 3.0) == pytest.approx(0.6875)
    assert (beta(0.0, 2.0, 3.0), beta(1.0, 2.0, 3.0)) == (0.0, 1.0)


def test_welch_agrees_with_a_worked_example() -> None:
    """Two samples of the article on the test in Wikipedia, its third example."""
    first = [19.8, 20.4, 19.6, 17.8, 18.5, 18.9, 18.3, 18.9, 19.5, 22.0]
    second = [28.2, 26.6, 20.1, 23.3, 25.2, 22.1, 17.7, 27.6, 20.6, 13.7]
    second += [23.2, 17.5, 20.6, 18.0, 23.9, 21.6, 24.3, 20.4, 24.0, 13.2]
    found = welch(first, second)
    assert found.t == pytest.approx(-2.22, abs=0.01)
    assert found.freedom == pytest.approx(24.5, abs=0.05)
    assert found.p == pytest.approx(0.036, abs=0.0005)


def test_where_nothing_differs_nothing_is_said() -> None:
    assert welch([1.0, 1.0], [1.0, 1.0]).p == 1.0
    assert welch([1.0], [0.0]).p == 1.0
    assert welch([1.0, 1.0], [0.0, 0.0]).p == 0.0
    assert bonferroni(0.04, 3) == pytest.approx(0.12)
    assert bonferroni(0.5, 3) == 1.0


def test_the_bootstrap_holds_the_mean_and_is_always_the_same() -> None:
    given = [1.0] * 30 + [0.0] * 70
    low, high = bootstrap(given)
    assert 0.2 <= low < 0.3 < high <= 0.41
    assert bootstrap(given) == (low, high)
