"""`housemates stats teach`: tables and plots of a set of sessions, real or generated."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tyro

from housemates.benchmarks.teach.files.episodes import read_games
from housemates.benchmarks.teach.metrics import published
from housemates.data.records import Skipped
from housemates.data.store import open_store
from housemates.files import write_text
from housemates.parallel import track


@dataclass
class Teach:
    """Statistics and plots of TEACh sessions."""

    games: tyro.conf.Positional[list[Path]]
    """Folders of *.game.json or packed .jsonl.zst files."""
    store: Path | None = None
    """Folder of the store that knows the floor plans; the user's data folder by default."""
    out: Path | None = None
    """Write a page with the tables and plots to this folder or .html file."""
    json: bool = False
    """Print one JSON object instead of tables."""

    def run(self) -> None:
        """Count, print, and write the page if one is asked for."""
        from housemates.benchmarks.teach.files.page import page
        from housemates.benchmarks.teach.files.statistics import count

        skipped: list[Skipped] = []
        label = None if self.json else "sessions"
        found = count(track(read_games(self.games, skipped), None, label), open_store(self.store))
        summary = {**found.summary(), "skipped": len(skipped)}
        if self.out is not None:
            path = self.out if self.out.suffix == ".html" else self.out / "index.html"
            names = ", ".join(each.name for each in self.games)
            write_text(path, page(found, published(), f"TEACh sessions: {names}"))
            summary["page"] = str(path)
        if self.json:
            print(json.dumps(summary))
        else:
            _print(summary, skipped)


def _print(summary: dict[str, Any], skipped: list[Skipped]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    columns = ("sessions", "complete", "utterances", "follower_actions", "all_actions")
    heads = ("sessions", "complete", "said", "done by Follower", "done by both")
    table = Table("", *heads, title="Sessions by task (the paper's mean in brackets)")
    for task, row in summary["tasks"].items():
        paper = published()["sessions_table2"].get(task, {})
        cells = (
            f"{row[name]:g} ({paper[name]:g})" if name in paper else f"{row[name]:g}" for name in columns
        )
        table.add_row(task, *cells)
    console.print(table)
    for group in ("language", "edh_lengths"):
        for name, value in summary[group].items():
            console.print(f"{name}: {value} (paper {published()[group].get(name, '-')})")
    counts = (f"{name}: {summary[name]}" for name in ("sessions", "edh_instances", "skipped"))
    console.print(", ".join(counts))
    for each in skipped:
        console.print(f"skipped {each.name}: {each.reason}")
