"""`housemates stats handmethat`: numbers and plots of a set of episodes, beside the paper's."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import tyro

from housemates.benchmarks.handmethat.formats.statistics import (
    beside,
    collect,
    count,
    levels_beside,
    page_of,
    part_of,
    summary,
)
from housemates.data.records import Skipped
from housemates.reporting.facts import show_skipped
from housemates.reporting.tables import show


@dataclass
class Stats:
    """Statistics and plots of HandMeThat episodes (Figures 4 to 7, Tables 4 and 20)."""

    path: tyro.conf.Positional[Path | None] = None
    """Episodes; new ones of version 2 are made if none are given."""
    limit: int | None = None
    """Maximum number of episodes; by default all, or 200 new ones."""
    report: Path | None = None
    """Write a page with the tables and plots (index.html) to this folder."""
    json: bool = False
    """Print one JSON object instead of tables."""

    def run(self) -> None:
        """Count, plot and print."""
        skipped: list[Skipped] = []
        measured = collect(self.path, self.limit, skipped)
        there = len(measured) + len(skipped) if self.path is None else count(self.path)
        found = {**summary(measured), "there": there, "skipped": len(skipped)}
        if self.report is not None:
            title = f"HandMeThat: {self.path.name if self.path else 'new episodes'}"
            found["report"] = str(page_of(measured, there, title).write(self.report / "index.html"))
        if self.json:
            print(json.dumps(found))
            return
        show(beside(found), f"Averages of {part_of(len(measured), there)}")
        show(levels_beside(found), "Levels, in percent")
        for name in ("quests", "splits"):
            show({"episodes": found[name]}, name.capitalize())
        show_skipped(skipped)
