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
    """Write a self-contained report of runs: tables, the papers' rows, comparisons, episodes to play."""

    runs: tyro.conf.Positional[list[Path]]
    """Folders written by `housemates eval --out`."""
    out: Path
    """Folder for the page (index.html) and its data."""
    pictures: int = 20
    """Number of episodes per run whose views are redrawn; the others show text only."""
    crew: Crew = field(default_factory=Crew)
    """Workers that draw the pictures."""
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
