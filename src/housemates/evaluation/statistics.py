"""Whether pairs of numbers differ by more than chance: exact tests of pairs, and the bootstrap."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

RESAMPLES = 10_000
AT_ONCE = 1_000_000
"""How many numbers are drawn together."""
EXACT = 16
"""Pairs that differ, up to which all assignments of signs are counted; of more, `RESAMPLES` are drawn."""
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
