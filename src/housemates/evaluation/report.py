"""One static page of any number of runs: tables, the papers beside, comparisons, and every episode to play.

The page opens from disk and asks nobody for anything. What is large lies beside it in `data/`, a script for
each run and each episode, and is read when somebody looks at it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from html import escape
from importlib import resources
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from housemates.core import registry
from housemates.core.benchmark import Result
from housemates.core.loading import Seating
from housemates.core.scoring import with_interval
from housemates.data.claims import claimed
from housemates.errors import HousematesError
from housemates.evaluation import runner
from housemates.evaluation.comparison import Comparison, compared, table_of
from housemates.evaluation.episode_views import Views, listed, watch
from housemates.evaluation.episodes import Run
from housemates.evaluation.replay import pieces
from housemates.evaluation.results import Header, read_episodes, read_header, read_transcripts
from housemates.evaluation.transcripts import Transcript, packed
from housemates.files import write_text
from housemates.parallel import Workers, map_ordered
from housemates.reporting.evaluations import papers_rows, told_isolation
from housemates.reporting.intervals import Bar, plot_intervals
from housemates.reporting.pages import Page, shipped
from housemates.reporting.tables import columns
from housemates.reporting.words import meanings

INDEX, DATA = "index.html", "data"


class Shown(NamedTuple):
    """A run as a page shows it."""

    name: str
    header: Header
    results: list[Result]
    report: dict[str, Any]
    title: str
    """Who played; with the name of the folder if others of the same name did so too."""

    @property
    def group(self) -> tuple[str, str]:
        """What it can be held beside."""
        return self.header.benchmark, self.header.split


def write_report(
    folders: Sequence[Path], out: Path, pictures: int, workers: Workers = None, label: str | None = None
) -> Path:
    """Write the page of these runs and return its path.

    Args:
        folders: What `housemates eval --out` wrote.
        out: A folder for the page.
        pictures: Of how many episodes of each run the pictures are drawn again.
        workers: Who draws them.
        label: Title of a progress bar.
    """
    runs = _titled([shown(folder, read_header(folder)) for folder in folders])
    with claimed(folders=[out]):
        for number, (folder, run) in enumerate(zip(folders, runs, strict=True)):
            write_data(folder, run, f"r{number}", out / DATA, pictures, workers, label)
        return _page(runs).write(out / INDEX)


def shown(folder: Path, header: Header) -> Shown:
    """What a page shows of the run in a folder; one of another version is refused."""
    benchmark = registry.benchmark(header.name, **header.options)
    if benchmark.id != header.benchmark:
        raise HousematesError(f"{folder}: holds results of {header.benchmark}, and this is {benchmark.id}.")
    seats = {role: Seating(seat.name, seat.options) for role, seat in header.agents.items()}
    run = Run(header.name, seats, header.split, header.episodes, header.seed, header.options)
    results = list(read_episodes(folder))
    name = folder.resolve().name
    report = runner.report(run, benchmark, header.privileged, results, isolated=header.isolated)
    who = ", ".join(dict.fromkeys(seat.name for seat in seats.values()))
    return Shown(name, header, results, report, who)


def _titled(runs: Sequence[Shown]) -> list[Shown]:
    """The runs, those of one name told apart by their folders."""
    names = Counter((run.group, run.title) for run in runs)
    return [
        run._replace(title=f"{run.title} ({run.name})") if names[run.group, run.title] > 1 else run
        for run in runs
    ]


def write_data(
    folder: Path, run: Shown, key: str, out: Path, pictures: int, workers: Workers, label: str | None
) -> None:
    """Write the list of a run's episodes and a file for each of them."""
    views = _views(folder, run, pictures, workers, label)
    rows = []
    for number, (result, told) in enumerate(zip(run.results, read_transcripts(folder), strict=False)):
        seen = views.get(result.id)
        rows.append({**listed(result), "pictures": seen is not None and bool(seen.pictures)})
        write_script(out / key / f"{number}.js", [key, number, _episode(result, told, seen)])
    write_script(out / f"{key}.js", [key, rows])


def _views(folder: Path, run: Shown, pictures: int, workers: Workers, label: str | None) -> dict[str, Views]:
    """What was seen in the first episodes of a run, if anything was."""
    chosen = [each.id for each in run.results[:pictures]]
    if not chosen:
        return {}
    work = partial(watch, run.header.name, run.header.options)
    todo = pieces(folder, run.header, chosen)
    title = label and f"{label}: {run.name}"
    found = map_ordered(work, todo, workers, title, lambda piece, loss: [])
    return {each.id: each for views in found for each in views if each.pictures or any(each.texts)}


def _episode(result: Result, told: Transcript, views: Views | None) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(packed(told))
    return {
        **found,
        "result": msgspec.to_builtins(result),
        "views": None if views is None else views.addressed(),
    }


def write_script(path: Path, arguments: Sequence[Any]) -> None:
    """A file that a page opened from disk may read: a call with plain values."""
    write_text(path, f"housemates.got({in_script(list(arguments))});\n")


def in_script(value: Any) -> str:
    """A plain value within a script: no word in it can end the script."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _page(runs: Sequence[Shown]) -> Page:
    page = Page("Housemates: " + ", ".join(dict.fromkeys(run.header.name for run in runs)))
    page.part(f"<style>\n{shipped('player.css')}\n{_shipped('report.css')}</style>")
    page.rows([_row(run) for run in runs])
    groups: dict[tuple[str, str], list[Shown]] = {}
    for run in runs:
        groups.setdefault(run.group, []).append(run)
    for (benchmark, split), group in groups.items():
        page.section(f"{benchmark}, {split}")
        _tell_group(page, group)
    page.section("Episodes")
    names = [
        {"key": f"r{number}", "title": f"{run.header.name}: {run.title}"} for number, run in enumerate(runs)
    ]
    page.part('<div id="episodes"></div>')
    code = "\n".join([shipped("player.js"), shipped("loading.js"), _shipped("report.js")])
    page.part(f'<script type="module">\nconst RUNS = {in_script(names)};\n{code}</script>')
    return page


def _row(run: Shown) -> dict[str, Any]:
    """A run in the table of all runs, with what it cost."""
    report = run.report
    used = {f"{role} {name}": value for role, each in report["usage"].items() for name, value in each.items()}
    seats = {role: seat.name for role, seat in run.header.agents.items()}
    alike = len(set(seats.values())) == 1
    return {
        "agents": run.title if alike else ", ".join(f"{role} {name}" for role, name in seats.items()),
        "benchmark": run.header.benchmark.removeprefix("housemates/"),
        "success": report["success"],
        "interval": report["interval"],
        "episodes": report["episodes"],
        "errors": report["errors"],
        "seconds": report["seconds"],
        "seconds an episode": round(report["seconds"] / max(1, report["episodes"]), 3),
        "privileged": ", ".join(run.header.privileged),
        "isolated": ", ".join(f"{role} {told_isolation(kept)}" for role, kept in report["isolated"].items()),
        "split": run.header.split,
        "seed": run.header.seed,
        "run": run.name,
        **used,
    }


def _tell_group(page: Page, runs: Sequence[Shown]) -> None:
    """All runs of the same benchmark and split: beside the papers, by task, and beside each other."""
    published: Mapping[str, Any] = {k: v for run in runs for k, v in run.report["paper"].items()}
    paper = {k: v for run in runs for k, v in papers_rows(run.report).items()}
    scored = [run for run in runs if run.report["interval"]]
    bars = [Bar(run.title, run.report["success"], run.report["interval"]) for run in scored]
    told = {name: row["success"] for name, row in paper.items() if "success" in row}
    bars += [Bar(f"paper: {name}", value, paper=True) for name, value in told.items()]
    page.part(plot_intervals(bars) if bars else "")
    rows: dict[str, Mapping[str, Any]] = {
        run.title: with_interval(run.report["metrics"], run.report["interval"] or ()) for run in runs
    }
    rows |= {f"paper: {name}": row for name, row in paper.items()}
    page.table(rows)
    others = {f"paper: {name}": row for name, row in published.items() if name not in paper}
    if others:
        page.part("<details><summary>the paper's other rows</summary>")
        page.table(others)
        page.part("</details>")
    page.items(f"{said}: {means}" for said, means in meanings(columns([*rows.values()])))
    _tell_tables(page, runs)
    _tell_pairs(page, runs)


def _tell_tables(page: Page, runs: Sequence[Shown]) -> None:
    """By task, by level and so on: the runs beside each other, and each of them whole where one asks."""
    for title in dict.fromkeys(title for run in runs for title in run.report["tables"]):
        tables = {run.title: run.report["tables"].get(title, {}) for run in runs}
        if all("success" in row for table in tables.values() for row in table.values()):
            page.heading(f"{title}: success %")
            page.table(_beside(tables))
            page.part(f"<details><summary>{escape(title)}: everything</summary>")
        else:
            page.part(f"<details><summary>{escape(title)}</summary>")
        for name, table in tables.items():
            page.heading(name)
            page.table(table)
        page.part("</details>")


def _beside(tables: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> dict[str, dict[str, Any]]:
    """The same rows of several tables: how many episodes, the success of each run, and the paper's."""
    found: dict[str, dict[str, Any]] = {}
    for run, table in tables.items():
        for name, row in table.items():
            found.setdefault(name, {"episodes": row.get("episodes")})[run] = row["success"]
    papers = {
        name: row["paper"] for table in tables.values() for name, row in table.items() if "paper" in row
    }
    return {name: {**told, "paper": papers[name]} if name in papers else told for name, told in found.items()}


def _tell_pairs(page: Page, runs: Sequence[Shown]) -> None:
    pairs = [
        (a, b)
        for a, b in combinations(runs, 2)
        if a.header.seed == b.header.seed and {r.id for r in a.results} & {r.id for r in b.results}
    ]
    if not pairs:
        return
    page.heading("Pairs of runs, episode by episode")
    rows = [row for a, b in pairs for row in _pair(a, b, _compared(a, b, len(pairs)))]
    page.rows(rows)
    page.items(f"{said}: {means}" for said, means in meanings(columns(rows)))


def _compared(first: Shown, second: Shown, pairs: int) -> Comparison:
    """Two runs by the numbers of the table above."""
    told = {*first.report["metrics"], *second.report["metrics"]}
    return compared(first.header, second.header, first.results, second.results, pairs, told)


def _pair(first: Shown, second: Shown, found: Comparison) -> list[dict[str, Any]]:
    runs = {"runs": f"{first.title}, {second.title}"}
    return [{**runs, "number": name, **each} for name, each in table_of(found).items()]


def _shipped(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
