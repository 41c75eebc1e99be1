"""`housemates import cerealbar`: games in the published schema become ours."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tyro.conf import Positional

from housemates.benchmarks.cerealbar.files.episodes import SPLITS, write_recordings
from housemates.benchmarks.cerealbar.files.official import read_official
from housemates.errors import HousematesError
from housemates.reporting.facts import show_facts


@dataclass
class Import:
    """Read games in the published JSON schema and keep them in ours."""

    source: Positional[Path]
    """A file in the published schema."""
    out: Path = Path("out/cerealbar")
    """Folder for the games of each split."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Read, check, write."""
        games = read_official(self.source)
        for game in games:
            if game.split not in SPLITS:
                known = ", ".join(SPLITS)
                raise HousematesError(
                    f"{self.source}: {game.id}: split: expected one of {known}, found {game.split!r}."
                )
        for split in SPLITS:
            found = [game for game in games if game.split == split]
            if found:
                write_recordings(self.out / f"{split}.jsonl.zst", found)
        mapped = sum(game.initial is not None for game in games)
        show_facts({"games": len(games), "with a map": mapped, "out": str(self.out)}, self.json)
