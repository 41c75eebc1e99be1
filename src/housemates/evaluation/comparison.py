"""Two runs beside each other: what decided them, what changed, and whether it is more than chance."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from housemates.core.benchmark import Result
from housemates.data.journal import differences
from housemates.errors import HousematesError
from housemates.evaluation.results import Header, read_episodes, read_header
from housemates.evaluation.statistics import bonferroni, bootstrap, holm, least_p, pairs_needed, permutation
from housemates.reporting.numbers import span
from housemates.reporting.words import heading, in_percent

SURE = 0.05
"""Below this, a difference is called more than chance."""
LEAST_P = 0.0001
"""Below this, nobody cares how small it is."""


class Change(msgspec.Struct, frozen=True):
    """One number of two runs, over the episodes that both have; shares are in percent."""

    first: float
    second: float
    difference: float
    interval: tuple[float, float]
    """95 %, of the difference, by the bootstrap over pairs of episodes, or of groups of them."""
    p: float
    """Of the paired permutation test (for successes McNemar's, exact), with Holm's correction for all numbers
    that are compared, and Bonferroni's for all pairs of runs."""
    more_than_chance: bool | None
    """None where there are too few pairs to tell, whatever came of them."""
    episodes_needed: int | None = None
    """With how many episodes a difference like this one would be found four times in five."""


class Comparison(msgspec.Struct, frozen=True):
    """Two runs of the same instances."""

    differs: list[str]
    """All in which the two runs differ that decides results, in words."""
    episodes: int
    """How many both have."""
    only: tuple[int, int]
    """How many each has alone."""
    numbers: dict[str, Change]
    gained: list[str]
    """Episodes that succeed in the second run alone."""
    lost: list[str]


def compare(first: Path, second: Path, by: str = "") -> Comparison:
    """Compare two folders of results; those of different benchmarks, splits or seeds are refused.

    Args:
        first: The one.
        second: The other.
        by: A tag of episodes; those that have it in common are drawn together.
    """
    headers = read_header(first), read_header(second)
    for name in ("benchmark", "split", "seed"):
        before, now = (getattr(each, name) for each in headers)
        if before != now:
            raise HousematesError(f"{first} and {second}: are about other episodes ({name} {before}, {now}).")
    return compared(*headers, list(read_episodes(first)), list(read_episodes(second)), by=by)


def compared(
    first: Header,
    second: Header,
    before: Sequence[Result],
    now: Sequence[Result],
    among: int = 1,
    only: Collection[str] = (),
    by: str = "",
) -> Comparison:
    """Compare the results of two runs.

    Args:
        first: Of the one.
        second: Of the other.
        before: Results of the one.
        now: Results of the other.
        among: How many such comparisons there are.
        only: Numbers that are compared, if the runs have any of them; else all.
        by: A tag of episodes; those that have it in common are drawn together.
    """
    a, b = ({each.id: each for each in results if each.scored} for results in (before, now))
    both = [name for name in a if name in b]
    if not both:
        raise HousematesError("The two runs have no episode in common.")
    names = list(dict.fromkeys(key for name in both for each in (a, b) for key in each[name].scores))
    names = [name for name in names if name in only] or names
    paired = {}
    for key in names:
        having = [name for name in both if any(_has(each[name], key) for each in (a, b))]
        old, new = ([each[name].score(key) for name in having] for each in (a, b))
        groups = [_group(a[name], by) for name in having] if by else having
        paired[key] = _paired(key, old, new, groups)
    ps = holm([permutation(each.apart) for each in paired.values()], among)
    changes = zip(paired.items(), ps, strict=True)
    numbers = {key: _change(each, p, among * len(names)) for (key, each), p in changes}
    succeeded = {name: (a[name].score("success") == 1.0, b[name].score("success") == 1.0) for name in both}
    return Comparison(
        list(differences(_deciding(first), _deciding(second))),
        len(both),
        (len(a) - len(both), len(b) - len(both)),
        numbers,
        [name for name, pair in succeeded.items() if pair == (False, True)],
        [name for name, pair in succeeded.items() if pair == (True, False)],
    )


def _has(result: Result, key: str) -> bool:
    """Whether an episode has a number; one with an error has 0 of all."""
    return key in result.scores or not result.scores


def _group(result: Result, by: str) -> str:
    """What an episode is drawn together with."""
    if by not in result.tags:
        has = ", ".join(result.tags) or "none"
        raise HousematesError(f"--by: expected a tag of the episodes ({has}), found {by!r}.")
    return result.tags[by]


def _together(values: Sequence[float], groups: Sequence[str]) -> list[float]:
    """The sum of each group, so scaled that their mean is the mean of all values."""
    sums = dict.fromkeys(groups, 0.0)
    for value, group in zip(values, groups, strict=True):
        sums[group] += value
    return [each * len(sums) / len(values) for each in sums.values()]


class _Paired(NamedTuple):
    """A number of two runs, episode by episode, or group by group."""

    first: float
    second: float
    apart: list[float]
    """The second less the first."""
    episodes: int


def _paired(key: str, before: Sequence[float], now: Sequence[float], groups: Sequence[str]) -> _Paired:
    scale = 100.0 if in_percent(key, [*before, *now]) else 1.0
    before, now = _together(before, groups), _together(now, groups)
    apart = [scale * (new - old) for old, new in zip(before, now, strict=True)]
    first, second = (round(scale * sum(each) / len(each), 2) for each in (before, now))
    return _Paired(first, second, apart, len(groups))


def _change(found: _Paired, p: float, comparisons: int) -> Change:
    low, high = bootstrap(found.apart)
    few = bonferroni(least_p(len(found.apart)), comparisons) >= SURE and p >= SURE
    sure = None if few else p < SURE and not low <= 0.0 <= high
    needed = pairs_needed(found.apart, SURE / comparisons)
    episodes = None if needed is None else math.ceil(needed * found.episodes / len(found.apart))
    bounds = (round(low, 2), round(high, 2))
    return Change(found.first, found.second, round(found.second - found.first, 2), bounds, p, sure, episodes)


def table_of(found: Comparison) -> dict[str, dict[str, Any]]:
    """The numbers of a comparison as every table shows them, by their headings."""
    return {
        heading(name): {
            "first": each.first,
            "second": each.second,
            "difference": each.difference,
            "difference_interval": span(each.interval),
            "p": told_p(each),
            "more_than_chance": verdict(each),
            "episodes_needed": each.episodes_needed,
        }
        for name, each in found.numbers.items()
    }


def verdict(change: Change) -> str:
    """Whether a difference is more than chance, in a word or four."""
    return {True: "yes", False: "no", None: "too few to tell"}[change.more_than_chance]


def told_p(change: Change) -> str:
    """The p of a difference, for people."""
    return f"{change.p:.2g}" if change.p >= LEAST_P else f"< {LEAST_P}"


def _deciding(header: Header) -> Mapping[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(header)
    return {name: found[name] for name in ("agents", "options", "version", "files")}
