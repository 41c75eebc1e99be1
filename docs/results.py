"""Writes docs/results.md from folders of results: `python docs/results.py NOTES.toml RUN... `.

Each folder is one that `housemates eval --out` has written. `NOTES.toml` has a sentence for each, by the
folder's name: what does and does not compare with the paper; and with `paper` which of its rows, if not all.
Its entries `glance` are the tables at the head of the page: which runs stand beside which rows of a paper.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from housemates.core import registry, scoring
from housemates.evaluation.results import Header, read_episodes, read_header

OUT = Path(__file__).parent / "results.md"
INTRODUCTION = """\
# Results

The papers' tables, ours beside them. Each table was made by the command above it; models by those in
[their README](../src/housemates/models/README.md). Intervals are Wilson's, at 95 %. This page is written by
`python docs/results.py docs/results.toml RUN...` from the folders of those runs. Below each run's own table
it is said what does and does not compare.
"""
GLANCE = "At a glance"
Cells = Mapping[str, str]
"""A row of a table as it is written, by its columns."""


def command_of(header: Header) -> str:
    """The command line of a run."""
    agents = [f"{role}={seat.name}" for role, seat in header.agents.items()]
    chosen = [f"{key}={value}" for seat in header.agents.values() for key, value in seat.options.items()]
    options = [f"{key}={value}" for key, value in header.options.items()]
    words = ["housemates eval", header.name, "--agents", *agents, "--split", header.split]
    words += ["--seed", str(header.seed)]
    words += ["--episodes", str(header.episodes)] if header.episodes else []
    words += ["--agent-option", *dict.fromkeys(chosen)] if chosen else []
    words += ["--option", *options] if options else []
    return " ".join(words)


def rows_of(folder: Path, header: Header, beside: Sequence[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The numbers of a run, by level or task where it has them, and the paper's rows that belong beside."""
    benchmark = registry.benchmark(header.name, **header.options)
    results = list(read_episodes(folder))
    made = benchmark.summarise(results, header.split)
    yield "here", {"episodes": len(results), **scoring.with_interval(dict(made.metrics), results)}
    for title, table in made.tables.items():
        for row, numbers in table.items():
            yield f"here, {title}: {row}", numbers
    for row, numbers in made.paper.items():
        if not beside or row.partition(", level")[0] in beside:
            yield f"paper: {row}", numbers


def table(rows: list[tuple[str, Mapping[str, Any]]]) -> Iterator[str]:
    """Rows with all their columns, as Markdown."""
    columns = list(dict.fromkeys(column for _, numbers in rows for column in numbers))
    yield f"| | {' | '.join(columns)} |"
    yield f"| --- |{' --- |' * len(columns)}"
    for name, numbers in rows:
        yield f"| {name} | {' | '.join(str(numbers.get(column, '')) for column in columns)} |"


def sections(page: str) -> dict[str, str]:
    """The sections of a page by their titles."""
    parts = [part.partition("\n") for part in f"\n{page}".split("\n## ")[1:]]
    return {title: text.strip() for title, _, text in parts}


def written(text: str) -> dict[str, Cells]:
    """The rows of a section's table, by their names."""
    lines = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("|")]
    (_, *columns), _, *rows = ([cell.strip() for cell in cells] for cells in lines)
    return {name: dict(zip(columns, cells, strict=True)) for name, *cells in rows}


def glance(given: Mapping[str, Any], found: Mapping[str, Mapping[str, Cells]]) -> Iterator[str]:
    """One of the papers' tables: for each of its rows what we have, and what it has.

    Args:
        given: Its `title`, `rows` (run -> row of the paper), `columns`, and `levels` if it has some.
        found: The rows of each run's section.
    """
    places = [(level, column) for level in given.get("levels", [""]) for column in given["columns"]]
    yield f"| {given['title']} | episodes |{''.join(f' {level or name} | paper |' for level, name in places)}"
    yield f"| --- | --- |{' --- | --- |' * len(places)}"
    for run, row in given["rows"].items():
        cells = [found[run]["here"]["episodes"]]
        for level, column in places:
            here, paper = (f"here, by level: {level}", f"{row}, {level}") if level else ("here", row)
            cells += [found[run][name].get(column, "") for name in (here, f"paper: {paper}")]
        yield f"| {row} | {' | '.join(cells)} |"


def section(folder: Path, says: str, beside: Sequence[str]) -> str:
    """The command of a run, its table, and what there is to say."""
    header = read_header(folder)
    lines = ["```sh", command_of(header), "```", "", *table(list(rows_of(folder, header, beside))), "", says]
    return "\n".join(lines)


def main() -> None:
    """Write the page anew for these runs; sections of others stay, all in the order of the notes."""
    notes = tomllib.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    glances = notes.pop("glance")
    known = sections(OUT.read_text(encoding="utf-8"))
    for folder in map(Path, sys.argv[2:]):
        note = notes[folder.name]
        known[note["title"]] = section(folder, note["says"], note.get("paper", ()))
    titles = {run: note["title"] for run, note in notes.items() if note["title"] in known}
    found = {run: written(known[title]) for run, title in titles.items()}
    tables = ["\n".join(glance(each, found)) + "\n" for each in glances]
    runs = [f"## {title}\n\n{known[title]}\n" for title in titles.values()]
    parts = [INTRODUCTION, f"## {GLANCE}\n", *tables, *runs]
    OUT.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
