"""`housemates export cerealbar`: recorded games in the published schema."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tyro.conf import Positional

from housemates.benchmarks.cerealbar.formats.episodes import read_recordings
from housemates.benchmarks.cerealbar.formats.official import write_official
from housemates.data.claims import claimed
from housemates.data.records import Skipped, nothing_done
from housemates.reporting.facts import show_facts


@dataclass
class Export:
    """Write games in the published JSON schema."""

    source: Positional[Path]
    """A file of recorded games."""
    out: Path
    """The file to write."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Read games of ours and write them in the published schema."""
        skipped: list[Skipped] = []
        games = read_recordings(self.source, skipped)
        with claimed(files=[self.out]):
            count = write_official(self.out, games, skipped)
        if not count:
            raise nothing_done(self.source, skipped)
        show_facts({"games": count, "out": str(self.out), "skipped": len(skipped)}, self.json, skipped)
