"""The page of results: a section for each table, written anew from its evaluations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from housemates.evaluation.reproduction.catalogue import Paper, papers
from housemates.evaluation.reproduction.lines import NOT_RUN, Cells, Lines
from housemates.evaluation.reproduction.pipeline import Places
from housemates.files import read_text, write_text
from housemates.reporting.tables import columns, head

INTRODUCTION = """\
# Results

The tables of the papers, ours beside theirs. Each section is written by the command in it; rows that were not
run say so. Ours are means over seeds with their standard deviation; the interval is that of the first number,
at 95 %, over instances (Wilson's for shares). Below each table it is said what does not compare.
"""


def markdown(cells: Sequence[Cells]) -> Iterator[str]:
    """Lines of a table as Markdown."""
    names = columns(cells)
    yield f"| {' | '.join(head(name, cells) for name in names)} |"
    yield f"|{' --- |' * len(names)}"
    for line in cells:
        yield f"| {' | '.join(line.get(name, '') for name in names)} |"


def section(lines: Lines, command: str) -> str:
    """A table with its command, and what is to be said of it."""
    said = [f"- {each}" for each in lines.sentences()]
    parts = ["```sh", command, "```", "", *markdown(lines.cells()), "", *said]
    return "\n".join(parts).rstrip()


def command_of(paper: Paper, name: str, config: str, flags: str = "") -> str:
    """The command that repeats a table."""
    needs = " --data DATA --store STORE" if paper.given else ""
    chosen = "" if config == "cpu" else f" --config {config}"
    return f"housemates reproduce {name}{needs}{flags} --out RUNS{chosen} --page docs/results.md"


def write_page(path: Path, made: Mapping[str, Lines], places: Places, flags: str = "") -> None:
    """Write the sections of these tables; those of others stay, or say that they were not run.

    Args:
        path: The page.
        made: By the names of tables: their lines, also of the same table on other rooms.
        places: Of what was made.
        flags: Of the command, beside those of all tables.
    """
    there = sections(read_text(path)) if path.exists() else {}
    parts: list[str] = []
    played: list[Cells] = []
    for paper in papers():
        for name, table in paper.tables.items():
            own = f"{name}: {table.title}"
            found = {title: text for title, text in there.items() if title.startswith(f"{name}: ")}
            if own not in found:
                lines = Lines(paper, name, table, places, 0)
                found = {own: section(lines, command_of(paper, name, places.config)), **found}
            if name in made:
                command = command_of(paper, name, places.config, flags)
                found[f"{name}: {made[name].table.title}"] = section(made[name], command)
            parts += [f"## {title}\n\n{text}\n" for title, text in found.items()]
            played += [{"table": title, **lines_run(text)} for title, text in found.items()]
    overview = "\n".join(markdown(played))
    write_text(path, "\n".join([INTRODUCTION, f"{overview}\n", *parts]))


def lines_run(text: str) -> Cells:
    """How many lines of a section's table were run, and with how many seeds."""
    lines = [line.split("|") for line in text.splitlines() if line.startswith("|")]
    seeds = [line[2].strip() for line in lines[2:]]
    run = [each for each in seeds if each.isdigit()]
    wanted = sum(each in (*run, NOT_RUN) for each in seeds)
    return {"lines run": f"{len(run)} of {wanted}", "seeds": ", ".join(sorted(set(run)))}


def sections(page: str) -> dict[str, str]:
    """The sections of a page by their titles."""
    parts = [part.partition("\n") for part in f"\n{page}".split("\n## ")[1:]]
    return {title: text.strip() for title, _, text in parts}
