"""Arithmetic that all benchmarks share: averages in percent, intervals, weighting by length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from housemates.core.benchmark import Result
from housemates.reporting import tables
from housemates.reporting.numbers import wilson

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
        row: {"episodes": len(found), **with_interval(percent(found, *names), found)} for row, found in there
    }


def with_interval(row: Mapping[str, Any], results: Sequence[Result]) -> dict[str, Any]:
    """A row of numbers of these results, with the 95 % interval of its success right after it."""
    return tables.with_interval(row, interval([each.score("success") for each in results]))


def length_weighted(value: float, reference: int, taken: int) -> float:
    """Weigh a number by how much longer than the reference an agent took (TEACh 4.1, ALFRED equation 6).

    Where there is no reference nothing is known about length, and the number stays as it is.
    """
    return value * reference / max(reference, taken) if reference else value


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of an average of shares, in percent: Wilson's, also where all are alike."""
    return wilson(min(1.0, max(0.0, fmean(values))), len(values)) if values else wilson(0.0, 0)
