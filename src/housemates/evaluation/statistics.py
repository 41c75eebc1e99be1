"""Whether pairs of numbers differ by more than chance: exact tests of pairs, for many at once, and power."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

RESAMPLES = 10_000
AT_ONCE = 1_000_000
"""How many numbers are drawn together."""
EXACT = 16
"""Pairs that differ, up to which all assignments of signs are counted; of more, `RESAMPLES` are drawn."""
POWER = 0.8
"""How likely it is to be that a difference which is there is called one."""
SLACK = 1e-9
"""By how much a sum may miss another one that it equals, as a part of it."""


def mcnemar(gained: int, lost: int) -> float:
    """The exact two-sided p of McNemar's test: of pairs that changed sides, so many did it either way."""
    changed = gained + lost
    tail = sum(math.comb(changed, number) for number in range(min(gained, lost) + 1))
    return min(1.0, float(2 * tail / 2**changed))


def permutation(differences: Sequence[float]) -> float:
    """The two-sided p of the paired permutation test of a mean: how often random signs bring as much.

    Exact where all differences are of one size (that is McNemar's test) or there are at most `EXACT` of
    them; of more, `RESAMPLES` assignments of signs are drawn, always the same ones, and the observed one
    counts as one of them, so that p is never 0.
    """
    given = np.asarray([each for each in differences if each], float)
    if not len(given):
        return 1.0
    sizes = np.abs(given)
    if np.allclose(sizes, sizes[0], rtol=SLACK, atol=0.0):
        return mcnemar(int((given > 0).sum()), int((given < 0).sum()))
    least = abs(given.sum()) - SLACK * sizes.sum()
    if len(given) <= EXACT:
        signs = 1 - 2 * (np.arange(2 ** len(given))[:, None] >> np.arange(len(given)) & 1)
        return float((np.abs(signs @ sizes) >= least).mean())
    random = np.random.default_rng(0)
    block = max(1, AT_ONCE // len(given))
    as_far = sum(
        int(
            (
                np.abs(random.choice((-1.0, 1.0), (min(block, RESAMPLES - done), len(given))) @ sizes)
                >= least
            ).sum()
        )
        for done in range(0, RESAMPLES, block)
    )
    return (as_far + 1) / (RESAMPLES + 1)


def least_p(pairs: int) -> float:
    """The smallest p that so many pairs can have at all: that of all of them changing to one side."""
    return mcnemar(pairs, 0)


def bonferroni(p: float, comparisons: int) -> float:
    """A p-value that is one of several."""
    return min(1.0, p * comparisons)


def holm(ps: Sequence[float], families: int = 1) -> list[float]:
    """P-values of several tests by Holm's step-down method; it finds all that Bonferroni's does, and more.

    Args:
        ps: Of the tests.
        families: How many such sets of tests there are; between them the correction is Bonferroni's.
    """
    order = sorted(range(len(ps)), key=lambda place: ps[place])
    found, least = [0.0] * len(ps), 0.0
    for rank, place in enumerate(order):
        least = found[place] = max(least, bonferroni(ps[place], families * (len(ps) - rank)))
    return found


def pairs_needed(differences: Sequence[float], sure: float) -> int | None:
    """How many pairs a difference like this one takes to be found by `permutation` four times in five.

    The normal approximation of the test's power, which for successes is Connor's (1987) for McNemar's test;
    never fewer than the exact test needs at all. None where there is no difference.

    Args:
        differences: Of the pairs there are; their mean and spread are taken for true.
        sure: Below which p it is to be.
    """
    given = np.asarray(differences, float)
    mean = float(given.mean()) if len(given) else 0.0
    if not mean:
        return None
    squares = float((given**2).mean())
    spread = math.sqrt(max(0.0, squares - mean**2))
    normal = NormalDist()
    reach = normal.inv_cdf(1 - sure / 2) * math.sqrt(squares) + normal.inv_cdf(POWER) * spread
    fewest = math.floor(1 - math.log2(sure)) + 1
    changed = float((given != 0).mean())
    return max(math.ceil((reach / mean) ** 2), math.ceil(fewest / changed))


def bootstrap(differences: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the mean of differences of pairs; always the same for the same differences."""
    if not len(differences):
        return (0.0, 0.0)
    given = np.asarray(differences, float)
    random = np.random.default_rng(0)
    block = max(1, AT_ONCE // len(given))
    means = [
        given[random.integers(0, len(given), (min(block, RESAMPLES - done), len(given)))].mean(axis=1)
        for done in range(0, RESAMPLES, block)
    ]
    low, high = np.percentile(np.concatenate(means), [2.5, 97.5])
    return (float(low), float(high))
