"""The rows of a board: the runs of all submissions that hold, in the groups in which they compare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from housemates import __version__
from housemates.core import registry
from housemates.data.fingerprints import fingerprint
from housemates.errors import HousematesError
from housemates.evaluation.leaderboard.card import Card
from housemates.evaluation.leaderboard.check import Terms, check_opened
from housemates.evaluation.leaderboard.declarations import portable_options
from housemates.evaluation.leaderboard.findings import Check, Finding, RunCheck, marked
from housemates.evaluation.leaderboard.submission import Submission, path_options
from housemates.evaluation.report import Shown, shown
from housemates.evaluation.results import Header, read_header
from housemates.files import read_json, write_json
from housemates.parallel import Workers
from housemates.typed_json import convert

KNOWN = "checks.json"
"""What the checks of files came to, in the folder of the site, so that none is done twice."""
PLAIN = "plain"


class Row(NamedTuple):
    """A run of a submission that holds."""

    key: str
    """Names its files in the site."""
    file: str
    card: Card
    check: RunCheck
    shown: Shown
    folder: Path
    marks: tuple[Finding, ...]

    @property
    def title(self) -> str:
        """The name on the card, with the run's where a file has several of one benchmark."""
        return self.shown.title

    @property
    def track(self) -> str:
        """Those tracks that it is of."""
        return " + ".join(self.check.tracks) or PLAIN

    @property
    def group(self) -> tuple[str, str]:
        """Benchmark and instances: only rows of one group are about the same thing."""
        header = self.shown.header
        made = registry.benchmark_class(header.name)
        left = made.seat_options | path_options(header.name)
        chosen = [f"{key} {value}" for key, value in sorted(header.options.items()) if key not in left]
        return header.benchmark, ", ".join([header.split, *chosen])


class Refused(NamedTuple):
    """A file that is not on the board, and why."""

    file: str
    why: str


class Known(msgspec.Struct):
    """The checks that were done: by which version, on which terms, and of which files."""

    version: str
    terms: Terms
    checks: dict[str, Check] = {}


def check_once(submission: Submission, known: Known, workers: Workers, progress: bool) -> Check:
    """The check of a file, done unless it is known."""
    if submission.sha256 not in known.checks:
        found = check_opened(submission, known.terms, workers=workers, progress=progress)
        known.checks[submission.sha256] = found
    return known.checks[submission.sha256]


def read_known(site: Path, terms: Terms) -> Known:
    """The checks that a site keeps; none if they were done by another version or on other terms."""
    new = Known(__version__, terms)
    path = site / KNOWN
    if not path.is_file():
        return new
    try:
        found = convert(read_json(path), Known, str(path))
    except HousematesError:
        return new
    return found if msgspec.structs.replace(found, checks={}) == new else new


def write_known(site: Path, known: Known) -> None:
    """Keep the checks beside the site."""
    write_json(site / KNOWN, msgspec.to_builtins(known))


def rows_of(submission: Submission, check: Check, data: Mapping[str, str], first: int) -> Iterator[Row]:
    """The rows of a submission that holds; their keys count from a number."""
    about = tuple(each for each in check.findings if each.level == "marked")
    headers = {name: read_header(folder) for name, folder in submission.runs.items()}
    for number, (run, (name, folder)) in enumerate(zip(check.runs, submission.runs.items(), strict=True)):
        header = here(headers[name], data)
        alike = [each for each in headers.values() if each.benchmark == header.benchmark]
        title = submission.card.name + (f" ({name})" if len(alike) > 1 else "")
        marks = tuple(each for each in run.findings if each.level == "marked")
        page = shown(folder, header)._replace(name=name, title=title)
        yield Row(
            f"r{first + number}", submission.path.name, submission.card, run, page, folder, (*about, *marks)
        )


def here(header: Header, data: Mapping[str, str]) -> Header:
    """A header with the data of this machine, which are those that the run was made with."""
    options = portable_options(header, data)
    files = [fingerprint(path) for path in registry.benchmark(header.name, **options).files()]
    return msgspec.structs.replace(header, options=options, files=files)


def told_apart(rows: Sequence[Row]) -> list[Row]:
    """The rows, those of one name in a group told apart, and those marked that act as one before them."""
    titles: dict[tuple[tuple[str, str], str], int] = {}
    first: dict[tuple[tuple[str, str], str], Row] = {}
    found = []
    for row in rows:
        count = titles[row.group, row.title] = titles.get((row.group, row.title), 0) + 1
        if count > 1:
            row = row._replace(shown=row.shown._replace(title=f"{row.title} {count}"))
        same = first.setdefault((row.group, row.check.acted), row)
        if same is not row and row.check.acts:
            row = row._replace(marks=(*row.marks, marked("", f"every act is that of {same.title}")))
        found.append(row)
    return found


def grouped(rows: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    """Rows by what they are about, the best first."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in sorted(rows, key=lambda each: (each.group, -rank(each), each.title)):
        found.setdefault(row.group, []).append(row)
    return found


def rank(row: Row) -> float:
    """What rows are put in order by: points where there are some, else success."""
    metrics: Mapping[str, Any] = row.shown.report["metrics"]
    return float(metrics.get("points", metrics.get("success") or 0.0))
