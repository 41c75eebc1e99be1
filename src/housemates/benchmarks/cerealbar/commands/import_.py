"""`housemates import cerealbar`: games in the published schema become ours."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tyro.conf import Positional

from housemates.benchmarks.cerealbar.formats.episodes import SPLITS, write_recordings
from housemates.benchmarks.cerealbar.formats.official import read_official
from housemates.data.claims import claimed
from housemates.data.records import Skipped, nothing_done
from housemates.parallel import Crew
from housemates.reporting.facts import show_facts


@dataclass
class Import:
    """Convert games from the published JSON schema to ours."""

    source: Positional[Path]
    """A file in the published schema."""
    out: Path = Path("out/cerealbar")
    """Folder for the games of each split."""
    crew: Crew = field(default_factory=Crew)
    """Workers."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Read games in the published schema, replay them, and write them in ours."""
        skipped: list[Skipped] = []
        games = read_official(self.source, skipped, self.crew)
        if not games:
            raise nothing_done(self.source, skipped)
        with claimed(folders=[self.out]):
            for split in SPLITS:
                found = [game for game in games if game.split == split]
                if found:
                    write_recordings(self.out / f"{split}.jsonl.zst", found)
        mapped = sum(game.initial is not None for game in games)
        facts = {"games": len(games), "with a map": mapped, "out": str(self.out), "skipped": len(skipped)}
        show_facts(facts, self.json, skipped)
