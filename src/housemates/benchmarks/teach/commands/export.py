"""`housemates export teach|edh|tfd`: the games of a store, and instances cut from games, in official form."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import tyro

from housemates.benchmarks.teach.formats import instances
from housemates.benchmarks.teach.formats.episodes import GAMES, Game
from housemates.data.commands import ExportCommand
from housemates.data.records import Skipped, nothing_done
from housemates.data.store import open_store
from housemates.parallel import track
from housemates.reporting.facts import show_facts


@dataclass
class Export(ExportCommand):
    """Write the games of a store as *.game.json, or as one pack."""

    records = GAMES


@dataclass
class Edh:
    """Cut official games into EDH instances and write them."""

    games: tyro.conf.Positional[list[Path]]
    """Folders of *.game.json, packed .jsonl.zst files, or stores."""
    out: Path
    """A folder for one file per instance, or a .jsonl or .jsonl.zst file for all."""
    variant: Literal["released", "paper"] = "released"
    """Only stretches that change task-relevant objects, or every stretch of object actions."""
    split: Path | None = None
    """A list of instance file names, as of an official divided split; only those are written."""
    store: Path | None = None
    """Folder of the store that knows the floor plans; the user's data folder by default."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Cut, write, and say how many."""
        skipped: list[Skipped] = []
        store = open_store(self.store)
        wanted = None if self.split is None else instances.read_split(self.split)

        def cut(game: Game) -> list[instances.Edh]:
            found = instances.cut_edh(game, self.variant, store)
            return [each for each in found if wanted is None or each.instance_id in wanted]

        made = track(GAMES.use(cut, self.games, skipped), None, None if self.json else "games")
        count = instances.write(self.out, (each for found in made for each in found))
        if not count:
            raise nothing_done(self.games, skipped)
        report = {"instances": count, "variant": self.variant, "skipped": len(skipped)}
        show_facts(report, self.json, skipped)


@dataclass
class Tfd:
    """Turn official games into TfD instances and write them."""

    games: tyro.conf.Positional[list[Path]]
    """Folders of *.game.json, packed .jsonl.zst files, or stores."""
    out: Path
    """A folder for one file per instance, or a .jsonl or .jsonl.zst file for all."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Cut, write, and say how many."""
        skipped: list[Skipped] = []
        made = track(GAMES.use(instances.cut_tfd, self.games, skipped), None, None if self.json else "games")
        count = instances.write(self.out, made)
        if not count:
            raise nothing_done(self.games, skipped)
        show_facts({"instances": count, "skipped": len(skipped)}, self.json, skipped)
