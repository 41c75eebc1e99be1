"""`housemates import teach` and `housemates export teach`: official games into the store and out of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import tyro

from housemates.benchmarks.teach.files import importing
from housemates.benchmarks.teach.files.episodes import read_games, write_games
from housemates.data.records import Skipped
from housemates.data.store import Source, Store, default_folder, needed_store
from housemates.data.storing import files_with, import_paths
from housemates.reporting.printing import show


@dataclass
class Import:
    """Read official games into a local store of floor plans and episodes."""

    paths: tyro.conf.Positional[list[Path]]
    """Folders of *.game.json, single ones, or packed .jsonl.zst files."""
    layouts: Path | None = None
    """ALFRED's layouts; those in an `alfred` folder beside the games are read without being named."""
    store: Path | None = None
    """Folder of the store; the user's data folder by default."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Import each path, or what is missing of it, and say what the store holds."""
        store = Store(self.store or default_folder())
        layouts = self.layouts or importing.layouts_beside(self.paths)
        report, skipped = import_paths(
            store, "teach", self.paths, layouts, partial(self._take, store), "games"
        )
        show({**report, "skipped": len(skipped)}, self.json, skipped)

    def _take(self, store: Store, path: Path) -> Source:
        return importing.import_games(store, path, None if self.json else path.name)


@dataclass
class Export:
    """Write the games of a store in the official format."""

    out: Path
    """A folder for one *.game.json each, or a .jsonl or .jsonl.zst file for all of them."""
    store: Path | None = None
    """Folder of the store; the user's data folder by default."""
    games: Annotated[list[str] | None, tyro.conf.arg(metavar="ID")] = None
    """Only these games."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Write every game, or those that are asked for."""
        files = files_with(needed_store(self.store), "teach", self.games, "game")
        skipped: list[Skipped] = []
        count = write_games(self.out, read_games(files, skipped, self.games))
        show({"games": count, "out": str(self.out), "skipped": len(skipped)}, self.json, skipped)
