"""The lines of a table: means and deviations over seeds, intervals, and the paper's numbers beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from housemates.core import registry, scoring
from housemates.core.benchmark import Benchmark, Result
from housemates.evaluation.reproduction.catalogue import Paper, Row, Table
from housemates.evaluation.reproduction.pipeline import REPORT, Places
from housemates.evaluation.results import read_episodes, read_header
from housemates.evaluation.statistics import bootstrap

NOT_RUN = "not run"
OVERALL = "overall"
"""What the paper calls a line of all tasks together."""
Cells = dict[str, str]
"""A line as it is written, by its columns."""


@dataclass(frozen=True)
class Played:
    """A row's evaluations: the results of each seed."""

    benchmark: Benchmark
    split: str
    seeds: list[list[Result]]

    def of_task(self, task: str) -> Played:
        """The part that is about one task."""
        return Played(
            self.benchmark, self.split, [[each for each in one if each.task == task] for one in self.seeds]
        )

    def numbers(self) -> dict[str, list[float]]:
        """Each number with a value for each seed that has it."""
        made = [self.benchmark.summarise(one, self.split).metrics for one in self.seeds if one]
        names = dict.fromkeys(name for each in made for name in each)
        return {name: [each[name] for each in made if name in each] for name in names}

    def instances(self, name: str) -> dict[str, float]:
        """The mean over seeds of each instance's number."""
        found: dict[str, list[float]] = {}
        for one in self.seeds:
            for each in one:
                if each.error or name in each.scores:
                    found.setdefault(each.id, []).append(each.score(name))
        return {key: fmean(values) for key, values in found.items()}


def played(folders: Sequence[Path]) -> Played | None:
    """What there is of a row's evaluations; None if none of them is finished."""
    done = [folder for folder in folders if (folder / REPORT).exists()]
    if not done:
        return None
    header = read_header(done[0])
    benchmark = registry.benchmark(header.name, **header.options)
    return Played(benchmark, header.split, [list(read_episodes(folder)) for folder in done])


class Lines:
    """A table as lines of text, from the folders of its evaluations."""

    def __init__(self, paper: Paper, name: str, table: Table, places: Places, seeds: int) -> None:
        self.paper, self.table = paper, table
        self.found = {
            row.name: played([places.evaluation(name, row, seed) for seed in range(seeds)])
            for row in table.rows
        }
        self._rows = {row.name: row for row in table.rows}
        self._published = {label: paper.place(path) for label, path in table.published.items()}

    def cells(self) -> list[Cells]:
        """All lines with the same columns; columns that nobody has a number for are left out."""
        lines = [line for row in self.table.rows for line in self._of_row(row)]
        used = {name for line in lines for name, text in line.items() if text}
        return [{name: text for name, text in line.items() if name in used} for line in lines]

    def _of_row(self, row: Row) -> Iterator[Cells]:
        found = self.found[row.name]
        if not self.table.by_task:
            yield self._line(row.name, row, found, "")
            return
        theirs = [name for rows in self._published.values() for numbers in rows.values() for name in numbers]
        if OVERALL in theirs:
            yield self._line(f"{row.name}, {OVERALL}", row, found, OVERALL)
        for task in registry.benchmark_class(self.table.benchmark).tasks():
            title = self.table.titles.get(task, task)
            yield self._line(f"{row.name}, {title}", row, found and found.of_task(task), title)

    def _line(self, name: str, row: Row, found: Played | None, task: str) -> Cells:
        line = {"": name, "seeds": "", "episodes": ""}
        numbers: dict[str, list[float]] = {}
        if found is not None:
            numbers = found.numbers()
            line |= {"seeds": str(len(found.seeds)), "episodes": str(len(found.seeds[0]))}
        elif row.agents:
            line["seeds"] = NOT_RUN
        for place, column in enumerate(self.table.columns):
            line[column] = spread(numbers.get(column, []))
            if not place:
                line["interval"] = "" if found is None else interval(found.instances(column))
            for label in self._published:
                line[f"{column}, {label}"] = self._theirs(row, label, task, column, not place)
        return line

    def _theirs(self, row: Row, label: str, task: str, column: str, first: bool) -> str:
        """A number of the paper's, with its error if it has one; a single number is of the first column."""
        found: Any = {} if row.paper == "-" else self._published[label].get(row.paper or row.name, {})
        found = found.get(task, {}) if task and isinstance(found, Mapping) else found
        if not isinstance(found, Mapping):
            return str(found) if first else ""
        if isinstance(found.get(column), Mapping) or column not in found:
            return ""
        error = f" ± {found[f'{column}_error']}" if f"{column}_error" in found else ""
        return f"{found[column]}{error}"

    def comparisons(self) -> Iterator[str]:
        """What rows differ by from those that they are compared with, here and in the paper."""
        column = self.table.columns[0]
        for row in self.table.rows:
            ours, base = self.found[row.name], self.found.get(row.against)
            if ours is None or base is None:
                continue
            mine, theirs = ours.instances(column), base.instances(column)
            scale = 100.0 if is_share([*mine.values(), *theirs.values()]) else 1.0
            apart = [scale * (mine[key] - theirs[key]) for key in mine if key in theirs]
            if not apart:
                continue
            low, high = bootstrap(apart)
            told = [f"{gap:+.2f} ({label})" for label, gap in self._gaps(row, column)]
            said = f"; the paper: {', '.join(told)}" if told else ""
            yield (
                f"{row.name} against {row.against}: {fmean(apart):+.2f} of {column} "
                f"(95 % interval {low:+.2f} to {high:+.2f}){said}."
            )

    def _gaps(self, row: Row, column: str) -> Iterator[tuple[str, float]]:
        for label, rows in self._published.items():
            pair = [rows.get(each.paper or each.name, {}) for each in (row, self._rows[row.against])]
            if all(isinstance(each, Mapping) and column in each for each in pair):
                yield label, pair[0][column] - pair[1][column]

    def sentences(self) -> list[str]:
        """What is to be said below the table."""
        said = [f"{row.name}: {row.says}" for row in self.table.rows if row.says]
        return [*self.table.differs, *said, *self.comparisons()]


def spread(values: Sequence[float]) -> str:
    """The mean over seeds, and their standard deviation where there are several."""
    if not values:
        return ""
    return f"{fmean(values):.2f}" + (f" ± {stdev(values):.2f}" if len(values) > 1 else "")


def interval(values: Mapping[str, float]) -> str:
    """The 95 % interval of the mean over instances: Wilson's for shares, else by resampling."""
    numbers = list(values.values())
    if not numbers:
        return ""
    low, high = scoring.interval(numbers) if is_share(numbers) else bootstrap(numbers)
    return f"{low:.2f} to {high:.2f}"


def is_share(values: Sequence[float]) -> bool:
    """Whether these can be shares, which are written in percent."""
    return all(0.0 <= each <= 1.0 for each in values)
