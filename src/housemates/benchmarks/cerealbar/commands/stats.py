"""`housemates stats cerealbar`: numbers about recorded games beside those of the published ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tyro.conf import Positional

from housemates.benchmarks.cerealbar.formats.episodes import SPLITS, read_recordings
from housemates.benchmarks.cerealbar.formats.statistics import TABLES, describe, page_of
from housemates.data.records import Skipped, nothing_done
from housemates.errors import HousematesError
from housemates.reporting import tables
from housemates.reporting.facts import show_facts, show_skipped


@dataclass
class Stats:
    """Statistics of recorded games beside those of the published ones."""

    data: Positional[Path] = Path("out/cerealbar")
    """A folder of splits, or one file of games."""
    report: Path | None = None
    """Write a page with the tables and plots (index.html) to this folder."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> None:
        """Read the games, count what is in them, and print it."""
        files = [self.data / f"{split}.jsonl.zst" for split in SPLITS] if self.data.is_dir() else [self.data]
        present = [path for path in files if path.exists()]
        if not present and not self.data.is_dir():
            raise HousematesError(f"{self.data}: no such file or folder.")
        skipped: list[Skipped] = []
        games = [game for path in present for game in read_recordings(path, skipped)]
        if not games:
            raise nothing_done(self.data, skipped)
        found = {**describe(games), "skipped": len(skipped)}
        if self.report is not None:
            page = page_of(games, found, f"CerealBar: {self.data.name}")
            found["report"] = str(page.write(self.report / "index.html"))
        show_statistics(found, self.json)
        if not self.json:
            show_skipped(skipped)


def show_statistics(found: Mapping[str, Any], as_json: bool) -> None:
    """Print what `describe` found: the counts, then the table."""
    if as_json:
        print(json.dumps(found))
        return
    show_facts({name: value for name, value in found.items() if name not in TABLES})
    tables.show(found["statistics"])
    tables.show_rows(found["over_time"], "Language over time")
