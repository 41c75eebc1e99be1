"""Writes docs/results.md from folders of results: `python docs/results.py NOTES.toml RUN... `.

Each folder is one that `housemates eval --out` has written. `NOTES.toml` has a sentence for each, by the
folder's name: what does and does not compare with the paper; and with `paper` which of its rows, if not all.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from housemates.benchmarks import registry, scoring
from housemates.evaluation.results import Header, read_episodes, read_header

OUT = Path(__file__).parent / "results.md"
INTRODUCTION = """\
# Results

The papers' tables, ours beside them. Each table was made by the command above it; models by those in
[their README](../src/housemates/models/README.md). Intervals are Wilson's, at 95 %. This page is written by
`python docs/results.py docs/results.toml RUN...` from the folders of those runs.
"""


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


def section(folder: Path, says: str, beside: Sequence[str]) -> str:
    """The command of a run, its table, and what there is to say."""
    header = read_header(folder)
    lines = ["```sh", command_of(header), "```", "", *table(list(rows_of(folder, header, beside))), "", says]
    return "\n".join(lines)


def main() -> None:
    """Write the page anew for these runs; sections of others stay, all in the order of the notes."""
    notes = tomllib.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    known = sections(OUT.read_text(encoding="utf-8"))
    for folder in map(Path, sys.argv[2:]):
        note = notes[folder.name]
        known[note["title"]] = section(folder, note["says"], note.get("paper", ()))
    titles = [note["title"] for note in notes.values() if note["title"] in known]
    parts = [INTRODUCTION, *(f"## {title}\n\n{known[title]}\n" for title in titles)]
    OUT.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
