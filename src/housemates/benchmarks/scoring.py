"""Arithmetic that all benchmarks share: averages in percent, intervals, weighting by length."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean

from housemates.benchmarks.base import Result

Z95 = 1.959964
"""Standard deviations of a normal distribution that 95 % lie within."""


def mean(results: Sequence[Result], name: str) -> float:
    """The average of a number over all episodes; one with an error counts as 0."""
    return fmean(each.score(name) for each in results) if results else 0.0


def percent(results: Sequence[Result], *names: str) -> dict[str, float]:
    """Averages of shares, in percent."""
    return {name: round(100 * mean(results, name), 2) for name in names}


def grouped(results: Iterable[Result], by: Callable[[Result], str]) -> dict[str, list[Result]]:
    """Results by what `by` says of them, in the order in which they come up."""
    found: dict[str, list[Result]] = {}
    for each in results:
        found.setdefault(by(each), []).append(each)
    return found


def table(
    results: Sequence[Result],
    by: Callable[[Result], str],
    names: Sequence[str],
    order: Sequence[str] | None = None,
) -> dict[str, dict[str, float]]:
    """Percentages and the number of episodes of each group; in this order of groups if one is given."""
    groups: Mapping[str, list[Result]] = grouped(results, by)
    rows = list(groups) if order is None else [*(each for each in order if each in groups)]
    rows += sorted(set(groups) - set(rows))
    return {row: {"episodes": len(groups[row]), **percent(groups[row], *names)} for row in rows}


def length_weighted(value: float, reference: int, taken: int) -> float:
    """Weigh a number by how much longer than the reference an agent took (TEACh 4.1, ALFRED equation 6).

    Where there is no reference nothing is known about length, and the number stays as it is.
    """
    return value * reference / max(reference, taken) if reference else value


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of an average of shares, in percent: Wilson's, also where all are alike."""
    if not values:
        return (0.0, 100.0)
    n, share = len(values), min(1.0, max(0.0, fmean(values)))
    middle = (share + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
    half = Z95 / (1 + Z95**2 / n) * math.sqrt(share * (1 - share) / n + Z95**2 / (4 * n * n))
    return (round(100 * max(0.0, middle - half), 2), round(100 * min(1.0, middle + half), 2))
