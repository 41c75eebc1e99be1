"""A board as a static site: tables by benchmark and track, a page for each row, two rows side by side.

It opens from disk and asks nobody for anything; what is large lies in `data/`, as in a report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from html import escape
from importlib import resources
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from housemates.core.scoring import with_interval
from housemates.data.claims import claimed
from housemates.errors import HousematesError
from housemates.evaluation.comparison import compared, table_of
from housemates.evaluation.leaderboard.board import (
    Refused,
    Row,
    check_once,
    grouped,
    read_known,
    rows_of,
    told_apart,
    write_known,
)
from housemates.evaluation.leaderboard.check import Terms
from housemates.evaluation.leaderboard.submission import opened
from housemates.evaluation.report import DATA, INDEX, in_script, write_data, write_script
from housemates.parallel import Workers
from housemates.reporting.intervals import Bar, plot_intervals
from housemates.reporting.pages import Link, Page, shipped
from housemates.reporting.tables import cell, columns
from housemates.reporting.words import heading, meanings, several

PAIR = "pair.html"
SHOWN = 3
"""How many numbers of a benchmark stand in the table of all rows; all of them are on the row's page."""
_AGAIN = "The acts were played again and lead to these scores."
EVIDENCE = {
    "replayed": f"{_AGAIN} Who chose them is the authors' statement.",
    "run again": f"{_AGAIN} In a sample of the episodes the agents themselves were run again, and chose the "
    "same acts.",
    "refereed": f"{_AGAIN} A referee whom this board trusts has evaluated the agents, on instances that "
    "nobody had seen, and signed the results.",
}
"""What a check has shown of a row."""


def build(
    folder: Path,
    out: Path,
    terms: Terms,
    pictures: int,
    workers: Workers = None,
    progress: bool = False,
) -> tuple[list[Row], list[Refused]]:
    """Check all submissions in a folder, and write the site of those that hold.

    Args:
        folder: Where the ZIP files are.
        out: A folder for the site.
        terms: How the board checks.
        pictures: Of how many episodes of each row the pictures are drawn.
        workers: Who plays and draws.
        progress: Show bars on a terminal.

    Returns:
        The rows of the board, and the files that are not on it.
    """
    files = sorted(folder.glob("*.zip"))
    if not files:
        raise HousematesError(f"{folder}: holds no submissions (*.zip).")
    with ExitStack() as stack:
        stack.enter_context(claimed(folders=[out]))
        known = read_known(out, terms)
        rows: list[Row] = []
        refused = []
        for file in files:
            try:
                submission = stack.enter_context(opened(file))
                check = check_once(submission, known, workers, progress)
                write_known(out, known)
            except HousematesError as error:
                refused.append(Refused(file.name, str(error)))
                continue
            if check.holds:
                rows += rows_of(submission, check, terms.data, len(rows))
            else:
                every = [*check.findings, *(each for run in check.runs for each in run.findings)]
                refused.append(Refused(file.name, next(e.line() for e in every if e.level == "wrong")))
        rows = told_apart(rows)
        for row in rows:
            label = "pictures" if progress else None
            write_data(row.folder, row.shown, row.key, out / DATA, pictures, workers, label)
            _row_page(row).write(out / f"{row.key}.html")
        groups = grouped(rows)
        for number, group in enumerate(groups.values()):
            write_script(out / DATA / f"pairs{number}.js", [f"pairs{number}", _pairs(group)])
        _pair_page(list(groups.values())).write(out / PAIR)
        _index(groups, refused).write(out / INDEX)
    return rows, refused


def _index(groups: Mapping[tuple[str, str], Sequence[Row]], refused: Sequence[Refused]) -> Page:
    page = _page("Housemates leaderboard")
    rows = [row for group in groups.values() for row in group]
    files = len({row.file for row in rows})
    page.text(
        f"{several(len(rows), 'row')} from {several(files, 'submission')}. Every episode of every row was "
        "played again, and its acts led to the same scores and the same worlds. Intervals are Wilson's, at "
        "95 %. Rows of papers are copied from the papers: nobody has checked them here, and unless it is "
        "said, they are about other instances."
    )
    page.part(f'<p><a href="{PAIR}">Two rows side by side</a></p>')
    tracks = sorted({row.track for row in rows})
    evidence = sorted({row.check.evidence for row in rows})
    page.part(
        '<div class="controls" id="filters"><input type="search" placeholder="name, agent, author" '
        'aria-label="name, agent, author">'
        f"{_select('track', 'all tracks', tracks)}{_select('evidence', 'all evidence', evidence)}"
        '<label><input type="checkbox" checked> papers\' rows</label></div>'
    )
    for (benchmark, about), group in groups.items():
        page.part('<section class="group">')
        page.section(f"{benchmark.removeprefix('housemates/')}: {about}")
        _tell_group(page, group)
        page.part("</section>")
    page.section("What the numbers mean")
    names = columns([row.shown.report["metrics"] for row in rows])
    page.items(f"{said}: {means}" for said, means in meanings(["evidence", "marks", "interval", *names]))
    if refused:
        page.section("Not on the board")
        page.rows([{"file": each.file, "why": each.why} for each in refused])
    page.part(f'<script type="module">\n{_shipped("board.js")}</script>')
    return page


def _tell_group(page: Page, group: Sequence[Row]) -> None:
    """The rows that compare: their intervals, a table for each track, and the papers' rows below."""
    scored = [row for row in group if row.shown.report["interval"]]
    bars = [Bar(row.title, row.shown.report["success"], row.shown.report["interval"]) for row in scored]
    paper: dict[str, Mapping[str, Any]] = {
        name: numbers for row in group for name, numbers in row.shown.report["paper"].items()
    }
    if bars:
        page.text("Success in %, with its 95 % interval:")
        page.part(plot_intervals(bars))
    tracks: dict[str, list[Row]] = {}
    for row in group:
        tracks.setdefault(row.track, []).append(row)
    names = columns([row.shown.report["metrics"] for row in group])[:SHOWN]
    for track, rows in tracks.items():
        page.part(f'<section data-track="{escape(track)}">')
        page.heading(f"Track: {track}")
        page.rows([_numbers_of(row, names) for row in rows])
        page.part("</section>")
    if paper:
        page.part('<section class="papers"><details><summary>rows of the paper, as printed there</summary>')
        page.rows([{"": f"paper: {name}", **numbers} for name, numbers in paper.items()])
        page.part("</details></section>")


def _numbers_of(row: Row, names: Sequence[str]) -> dict[str, Any]:
    """A row in the table of its track."""
    report = row.shown.report
    numbers = with_interval({name: report["metrics"].get(name) for name in names}, report["interval"] or ())
    agents = ", ".join(dict.fromkeys(seat.name for seat in row.shown.header.agents.values()))
    used = sum(value for each in report["usage"].values() for key, value in each.items() if key == "dollars")
    return {
        "": Link(row.title, f"{row.key}.html"),
        **numbers,
        "episodes": report["episodes"],
        "evidence": row.check.evidence,
        "marks": "; ".join(f"{each.where}: {each.says}".strip(": ") for each in row.marks),
        "errors": report["errors"],
        "seconds an episode": round(report["seconds"] / max(1, report["episodes"]), 2),
        "dollars": row.card.dollars if row.card.dollars is not None else used or None,
        "agents": agents,
        "authors": ", ".join(row.card.authors),
    }


def _row_page(row: Row) -> Page:
    """A row's card, what was confirmed of it, its numbers, and its episodes to play."""
    page = _page(row.title)
    page.part(
        f'<p><a href="{INDEX}">All rows</a> · <a href="{PAIR}#{row.key}">compare with another row</a></p>'
    )
    header, report = row.shown.header, row.shown.report
    page.section("The card, in the words of its authors")
    card = {key: value for key, value in msgspec.to_builtins(row.card).items() if value not in (None, "", [])}
    page.facts({key: value for key, value in card.items() if key != "link"})
    if row.card.link:
        said = escape(row.card.link)
        page.part(f'<p><a rel="noopener noreferrer nofollow" href="{said}">{said}</a></p>')
    page.section("What was confirmed")
    page.text(EVIDENCE[row.check.evidence])
    page.items(each.line() for each in row.marks)
    page.facts(
        {
            "file": row.file,
            "benchmark": header.benchmark,
            "split": header.split,
            "seed": header.seed,
            "track": row.track,
            **{f"option {key}": value for key, value in header.options.items()},
            **{role: _seat(seat) for role, seat in header.agents.items()},
            "version": header.version,
            "episodes": report["episodes"],
            "acts": row.check.acts,
        }
    )
    page.section("Numbers")
    page.table({row.title: with_interval(report["metrics"], report["interval"] or ())})
    for title, table in report["tables"].items():
        page.heading(title)
        page.table(table)
    page.items(f"{said}: {means}" for said, means in meanings(columns([report["metrics"]])))
    page.section("Episodes")
    page.part('<div id="episodes"></div>')
    runs = in_script([{"key": row.key, "title": row.title}])
    parts = (shipped("player.js"), shipped("loading.js"), _beside("report.js"))
    page.part(f'<script type="module">\nconst RUNS = {runs};\n{"".join(parts)}</script>')
    return page


def _seat(seat: Any) -> str:
    options = " ".join(f"{key}={value}" for key, value in seat.options.items())
    apart = ", ".join(key for key, kept in seat.isolated.items() if kept)
    notes = ["privileged"] * seat.privileged + [f"isolated from {apart}, as the run says"] * bool(apart)
    return " ".join([seat.name, options, f"({'; '.join(notes)})" if notes else ""]).strip()


def _pairs(group: Sequence[Row]) -> dict[str, Any]:
    """What differs between each two rows of a group that have episodes in common, and in which numbers."""
    ids = {row.key: {each.id for each in row.shown.results} for row in group}
    pairs = [
        (a, b)
        for a, b in combinations(group, 2)
        if a.shown.header.seed == b.shown.header.seed and ids[a.key] & ids[b.key]
    ]
    found = {}
    for a, b in pairs:
        numbers = {*a.shown.report["metrics"], *b.shown.report["metrics"]}
        made = compared(a.shown.header, b.shown.header, a.shown.results, b.shown.results, len(pairs), numbers)
        table = table_of(made)
        told = {name: {heading(k): cell(v) for k, v in each.items()} for name, each in table.items()}
        found[f"{a.key} {b.key}"] = {"differs": made.differs, "episodes": made.episodes, "numbers": told}
    return found


def _pair_page(groups: Sequence[Sequence[Row]]) -> Page:
    page = _page("Two rows side by side")
    page.part(f'<p><a href="{INDEX}">All rows</a></p><div id="pair"></div>')
    rows = [
        {"key": row.key, "title": row.title, "group": number, "about": ": ".join(row.group)}
        for number, group in enumerate(groups)
        for row in group
    ]
    parts = (shipped("player.js"), shipped("loading.js"), _shipped("pair.js"))
    page.part(f'<script type="module">\nconst ROWS = {in_script(rows)};\n{"".join(parts)}</script>')
    return page


def _page(title: str) -> Page:
    page = Page(title)
    page.part(f"<style>\n{shipped('player.css')}\n{_beside('report.css')}\n{_shipped('board.css')}</style>")
    return page


def _select(name: str, every: str, values: Sequence[str]) -> str:
    options = "".join(f"<option>{escape(each)}</option>" for each in values)
    return f'<select aria-label="{name}"><option value="">{every}</option>{options}</select>'


def _shipped(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _beside(name: str) -> str:
    """A script or a style sheet of reports."""
    return resources.files("housemates.evaluation").joinpath(name).read_text(encoding="utf-8")
