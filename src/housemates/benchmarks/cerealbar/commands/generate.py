"""`housemates generate cerealbar`: let talking pairs play games and keep them as a corpus."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from housemates.benchmarks.cerealbar.commands.stats import show_statistics
from housemates.benchmarks.cerealbar.formats.episodes import (
    SPLITS,
    Recording,
    from_form,
    to_json,
    write_recordings,
)
from housemates.benchmarks.cerealbar.formats.forms import GameForm
from housemates.benchmarks.cerealbar.formats.statistics import describe
from housemates.benchmarks.cerealbar.generate.games import assign_splits, play_game
from housemates.data.claims import claimed
from housemates.data.journal import Journal
from housemates.parallel import Crew, map_ordered


@dataclass
class Generate:
    """Play games between a talking leader and a follower and store them with aligned instructions."""

    episodes: int = 1202
    """Number of games, split 960:120:122."""
    seed: int = 0
    """Random seed."""
    out: Path = Path("out/cerealbar")
    """Folder for train, development and test; repeat the command to resume."""
    crew: Crew = field(default_factory=Crew)
    """Workers."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> None:
        """Generate, write and print the statistics of all games."""
        unfinished = self.out / f"unfinished-s{self.seed}.jsonl"
        journal = Journal(unfinished, {"command": "generate cerealbar", "seed": self.seed}, GameForm)
        with claimed(folders=[self.out]):
            games = self.games(journal)
            assign_splits(games)
            for split in SPLITS:
                found = [game for game in games if game.split == split]
                write_recordings(self.out / f"{split}.jsonl.zst", found)
            unfinished.unlink(missing_ok=True)
        show_statistics({**describe(games), "out": str(self.out)}, self.json)

    def games(self, journal: Journal[Any]) -> list[Recording]:
        """Those of an interrupted run and the rest, each kept as soon as it is there."""
        done = [
            from_form(game, f"{journal.path}: line {number}")
            for number, game in enumerate(journal.finished()[: self.episodes], start=2)
        ]
        fresh: list[Recording] = []

        def made() -> Iterator[dict[str, Any]]:
            rest = range(len(done), self.episodes)
            label = None if self.json else "cerealbar games"
            for game in map_ordered(partial(play_game, self.seed), rest, self.crew, label):
                fresh.append(game)
                yield to_json(game)

        for _ in journal.keep(made()):
            pass
        return [*done, *fresh]
