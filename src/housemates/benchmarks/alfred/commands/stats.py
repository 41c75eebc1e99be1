"""`housemates stats alfred`: numbers and plots of a set of trajectories, beside the paper's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tyro

from housemates.benchmarks.alfred.files.episodes import Trajectory, read_trajectories
from housemates.data.records import Skipped
from housemates.data.store import INDEX, Store
from housemates.files import write_text
from housemates.parallel import track


@dataclass
class Stats:
    """Statistics and plots of ALFRED's demonstrations and their language."""

    paths: tyro.conf.Positional[list[Path]]
    """Stores, trees of traj_data.json, or packed .jsonl.zst files."""
    out: Path | None = None
    """Write a page with the numbers and plots to this folder or .html file."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> None:
        """Count, print, and write the page if one is asked for."""
        from housemates.benchmarks.alfred.files.statistics import count

        skipped: list[Skipped] = []
        label = None if self.json else "trajectories"
        found = count(track(_trajectories(self.paths, skipped), None, label))
        summary = {**found.summary(), "skipped": len(skipped)}
        if self.out is not None:
            from housemates.benchmarks.alfred.files.page import page

            path = self.out if self.out.suffix == ".html" else self.out / "index.html"
            write_text(path, page(found, f"ALFRED: {', '.join(each.name for each in self.paths)}"))
            summary["page"] = str(path)
        if self.json:
            print(json.dumps(summary))
        else:
            _print(summary, skipped)


def _trajectories(paths: list[Path], skipped: list[Skipped]) -> Iterator[Trajectory]:
    for path in paths:
        files = Store(path).files("alfred") if (path / INDEX).is_file() else [path]
        yield from read_trajectories(files, skipped)


def _print(summary: dict[str, Any], skipped: list[Skipped]) -> None:
    from rich.console import Console
    from rich.table import Table

    from housemates.benchmarks.alfred.files.page import PAPER

    console = Console()
    table = Table("", "here", "paper", title="Trajectories (the paper's numbers are those of all folds)")
    for name, value in summary.items():
        if not isinstance(value, dict):
            table.add_row(name.replace("_", " "), str(value), str(PAPER.get(name, "")))
    console.print(table)
    for name in ("tasks", "actions", "new_tokens_per_directive"):
        rows = ", ".join(f"{key} {value}" for key, value in summary[name].items())
        console.print(f"{name.replace('_', ' ')}: {rows}")
    for each in skipped:
        console.print(f"skipped {each.name}: {each.reason}")
