"""`housemates import cerealbar`: people's games, as JSON or as the authors' pickles, become ours."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tyro.conf import Positional

from housemates.benchmarks.cerealbar.formats.episodes import SPLITS, write_recordings
from housemates.benchmarks.cerealbar.formats.official import read_official
from housemates.benchmarks.cerealbar.formats.released import SUFFIX, read_pickles
from housemates.data.claims import claimed
from housemates.data.records import Skipped, nothing_done
from housemates.parallel import Crew
from housemates.reporting.facts import show_facts


@dataclass
class Import:
    """Convert people's games, as published JSON or as the authors' pickles, to our format.

    Pickles hold maps, so their games can be replayed. They are read as data: nothing in them is executed.
    """

    source: Positional[Path]
    """A file of JSON in the published schema, a pickle of a game or a dataset, or a folder of pickles, such
    as `agent/preprocessed` of the authors' repository."""
    out: Path = Path("out/cerealbar")
    """Folder for the games of each split."""
    crew: Crew = field(default_factory=Crew)
    """Workers."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Read the games, replay them, and write them in our form."""
        skipped: list[Skipped] = []
        pickled = self.source.is_dir() or self.source.suffix == SUFFIX
        read = read_pickles if pickled else read_official
        games = read(self.source, skipped, self.crew)
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
