"""Arithmetic that all benchmarks share: averages in percent, intervals, weighting by length."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean, median
from typing import Any

from housemates.core.benchmark import Result, Summary

Z95 = 1.959964
"""Standard deviations of a normal distribution that 95 % lie within."""

UNKNOWN = "unknown"
"""What is said of episodes of which nothing is known, as they could not be opened."""


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
        found.setdefault(by(each) or UNKNOWN, []).append(each)
    return found


def table(
    results: Sequence[Result],
    by: Callable[[Result], str],
    names: Sequence[str],
    order: Sequence[str] | None = None,
) -> dict[str, dict[str, Any]]:
    """Percentages and the number of episodes of each group; in this order of groups if one is given.

    Where success is among them, its 95 % interval follows it.
    """
    groups: Mapping[str, list[Result]] = grouped(results, by)
    rows = list(groups) if order is None else [*(each for each in order if each in groups)]
    rows += sorted(set(groups) - set(rows))
    there = [(row, groups[row]) for row in rows]
    return {
        row: {"episodes": len(found), **interval_after(percent(found, *names), found)} for row, found in there
    }


def with_interval(row: Mapping[str, Any], bounds: Sequence[float]) -> dict[str, Any]:
    """A row of numbers with the interval of its success right after it."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        found[name] = value
        if name == "success":
            found["interval"] = list(bounds)
    return found


def interval_after(row: Mapping[str, Any], results: Sequence[Result]) -> dict[str, Any]:
    """A row of numbers of these results, with the 95 % interval of its success right after it."""
    return with_interval(row, interval([each.score("success") for each in results]))


def length_weighted(value: float, reference: int, taken: int) -> float:
    """Weigh a number by how much longer than the reference an agent took (TEACh 4.1, ALFRED equation 6).

    Where there is no reference nothing is known about length, and the number stays as it is.
    """
    return value * reference / max(reference, taken) if reference else value


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of an average of shares, in percent: Wilson's, also where all are alike."""
    return wilson(min(1.0, max(0.0, fmean(values))), len(values)) if values else wilson(0.0, 0)


def wilson(share: float, n: int) -> tuple[float, float]:
    """The 95 % interval of a share of `n`, in percent: Wilson's, also where all are alike."""
    if not n:
        return (0.0, 100.0)
    middle = (share + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
    half = Z95 / (1 + Z95**2 / n) * math.sqrt(share * (1 - share) / n + Z95**2 / (4 * n * n))
    return (round(100 * max(0.0, middle - half), 2), round(100 * min(1.0, middle + half), 2))


def in_skills(summary: Summary, results: Sequence[Result]) -> Summary:
    """A summary with the median number of skills; papers' rows, which are of small steps, are left out."""
    counts = [each.score("skills") for each in results if each.scored and not each.error]
    told = {"skills_median": float(median(counts))} if counts else {}
    return replace(summary, metrics={**summary.metrics, **told}, paper={})
