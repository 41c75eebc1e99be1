"""Statistics against values that others have worked out."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from housemates.evaluation.statistics import (
    bonferroni,
    bootstrap,
    holm,
    least_p,
    mcnemar,
    pairs_needed,
    permutation,
)


@pytest.mark.parametrize(
    ("gained", "lost", "p"),
    [(0, 0, 1.0), (2, 0, 0.5), (5, 0, 0.0625), (6, 0, 0.03125), (1, 9, 0.021484375), (4, 14, 0.0308838)],
)
def test_mcnemars_exact_test_has_the_values_of_the_binomial_tables(gained: int, lost: int, p: float) -> None:
    assert mcnemar(gained, lost) == mcnemar(lost, gained) == pytest.approx(p, abs=1e-6)


def test_fishers_example_of_the_paired_permutation_test() -> None:
    """Darwin's 15 pairs of maize: 1,726 of 32,768 signs bring as much (Fisher 1935, section 21)."""
    darwin = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    assert permutation(darwin) == pytest.approx(1726 / 32768, abs=1e-9)


def test_for_successes_the_permutation_test_is_mcnemars() -> None:
    assert permutation([1.0] * 3 + [-1.0] * 10 + [0.0] * 50) == mcnemar(3, 10)


def test_of_many_pairs_signs_are_drawn_always_the_same_and_p_is_never_0() -> None:
    few = [0.5, 1.5, -2.0, 3.0, 2.5, 0.25, -0.75, 1.25, 2.75, -0.1]
    exact = np.mean(
        [abs(np.dot(signs, np.abs(few))) >= abs(sum(few)) - 1e-9 for signs in product((1, -1), repeat=10)]
    )
    assert permutation(few) == pytest.approx(exact)
    many = [*few, *few]
    sums = Counter({0: 1})
    for each in many:
        size = round(20 * abs(each))
        sums = Counter(
            {sum_: sums[sum_ - size] + sums[sum_ + size] for old in sums for sum_ in (old - size, old + size)}
        )
    as_far = sum(ways for sum_, ways in sums.items() if abs(sum_) >= round(20 * sum(many)))
    assert permutation(many) == permutation(many) == pytest.approx(as_far / 2**20, abs=0.004)
    assert permutation([float(each) for each in range(1, 200)]) == pytest.approx(1 / 10_001)


def test_two_pairs_without_any_spread_prove_nothing() -> None:
    assert permutation([20.0, 20.0]) == 0.5
    assert permutation([0.0, 0.0]) == permutation([]) == 1.0
    assert (least_p(2), least_p(6)) == (0.5, 0.03125)


def test_holms_method_steps_down_and_never_falls() -> None:
    """Holm (1979): the smallest of n is multiplied by n, the next by n - 1, none is below one before."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.01, 0.02], families=3) == pytest.approx([0.06, 0.06])
    assert all(
        ours <= bonferroni(p, 3) for ours, p in zip(holm([0.2, 0.01, 0.6]), [0.2, 0.01, 0.6], strict=True)
    )
    assert holm([]) == []


def test_with_as_many_pairs_as_are_needed_four_tests_of_five_find_the_difference() -> None:
    """The simulation that power is: of 25 % that change sides, 18 % gain and 7 % lose."""
    pilot = [1.0] * 18 + [-1.0] * 7 + [0.0] * 75
    needed = pairs_needed(pilot, 0.05)
    assert needed == 160
    random = np.random.default_rng(0)
    drawn = random.choice(pilot, (1000, needed))
    found = np.mean([mcnemar(int((each > 0).sum()), int((each < 0).sum())) < 0.05 for each in drawn])
    assert 0.72 < found < 0.88


def test_no_fewer_pairs_are_needed_than_the_exact_test_takes_and_none_for_nothing() -> None:
    assert pairs_needed([1.0, 1.0], 0.05) == 6
    assert least_p(6) < 0.05 <= least_p(5)
    assert pairs_needed([1.0, 0.0], 0.05) >= 12
    assert pairs_needed([1.0, -1.0], 0.05) is None
    assert pairs_needed([], 0.05) is None


def test_bonferroni_multiplies_and_stays_a_probability() -> None:
    assert bonferroni(0.04, 3) == pytest.approx(0.12)
    assert bonferroni(0.5, 3) == 1.0


def test_the_bootstrap_holds_the_mean_and_is_always_the_same() -> None:
    given = [1.0] * 30 + [0.0] * 70
    low, high = bootstrap(given)
    assert 0.2 <= low < 0.3 < high <= 0.41
    assert bootstrap(given) == (low, high)
