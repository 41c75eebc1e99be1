"""Whether two sets of numbers differ by more than chance: Welch's test, as in TEACh, and the bootstrap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

RESAMPLES = 10_000
AT_ONCE = 1_000_000
"""How many numbers are drawn together."""
STEPS = 300
"""Of a continued fraction, which has come to rest long before."""
TINY = 1e-300


class Welch(NamedTuple):
    """Welch's t-test of two means."""

    t: float
    freedom: float
    p: float
    """Two-sided."""


def welch(first: Sequence[float], second: Sequence[float]) -> Welch:
    """Whether two means differ, where the spreads may differ too; p is 1 where nothing can be said."""
    if min(len(first), len(second)) < 2:
        return Welch(0.0, 0.0, 1.0)
    a, b = np.asarray(first, float), np.asarray(second, float)
    parts = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
    total, apart = sum(parts), float(a.mean() - b.mean())
    if total == 0.0:
        return Welch(0.0, 0.0, 1.0) if apart == 0.0 else Welch(math.copysign(math.inf, apart), 0.0, 0.0)
    t = apart / math.sqrt(total)
    freedom = total**2 / (parts[0] ** 2 / (len(a) - 1) + parts[1] ** 2 / (len(b) - 1))
    return Welch(float(t), float(freedom), student(float(t), float(freedom)))


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


def student(t: float, freedom: float) -> float:
    """How likely a value of Student's distribution is at least as far from 0 as this one."""
    return beta(freedom / (freedom + t * t), freedom / 2, 0.5)


def beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's way)."""
    if x <= 0.0 or x >= 1.0:
        return min(1.0, max(0.0, x))
    if x > (a + 1) / (a + b + 2):
        return 1.0 - beta(1.0 - x, b, a)
    logs = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    c, d = 1.0, 1.0 / _apart(1.0 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, STEPS):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 / _apart(1.0 + factor * d)
            c = _apart(1.0 + factor / c)
            fraction *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return math.exp(logs) * fraction / a


def _apart(value: float) -> float:
    """A value that can be divided by."""
    return value if abs(value) > TINY else TINY
