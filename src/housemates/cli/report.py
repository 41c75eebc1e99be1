"""`housemates report RUN... --out DIR`: one static page of runs, with every episode to play."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

import tyro

from housemates.cli import options
from housemates.parallel.crew import Crew
from housemates.reporting.facts import show_facts


@dataclass
class Report:
    """Write one page of runs that opens from disk: tables, papers' rows, comparisons, episodes to play."""

    runs: tyro.conf.Positional[list[Path]]
    """Folders that `housemates eval --out` wrote."""
    out: Path
    """Folder for the page (index.html) and its data."""
    pictures: int = 20
    """Of so many episodes of each run, what was seen is drawn again; the others show words alone."""
    crew: Crew = field(default_factory=Crew)
    """Who draws the pictures."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Write the page and say where it is."""
        from housemates.evaluation.report import write_report

        start = time.perf_counter()
        label = None if self.json else "pictures"
        page = write_report(self.runs, self.out, self.pictures, self.crew, label)
        show_facts({"page": str(page), "seconds": round(time.perf_counter() - start, 1)}, self.json)


def main(verb: str, argv: list[str]) -> None:
    """Run `housemates report` with these arguments."""
    options.run(Report, f"housemates {verb}", argv)
