"""`housemates import teach` and `housemates export teach`: official games into the store and out of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from housemates.benchmarks.printing import show
from housemates.benchmarks.records import Skipped
from housemates.benchmarks.teach import importing
from housemates.benchmarks.teach.episodes import Game, read_games, write_games
from housemates.errors import HousematesError
from housemates.home.scenes.plans.store import Store, default_folder, open_store


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
        report: dict[str, Any] = {"store": str(store.folder), "games": 0}
        if layouts is not None:
            report["layouts"] = str(layouts)
            report["layout_plans"] = store.learn_layouts(layouts)
        skipped: list[Skipped] = []
        for path in self.paths:
            source = importing.import_games(store, path, None if self.json else path.name)
            report["games"] += sum(len(part.episodes) for part in source.parts)
            skipped += [Skipped(*each) for each in source.skipped]
        report |= {"in_store": len(store.episodes("teach")), "plans": len(store.plans())}
        show({**report, "skipped": len(skipped)}, self.json, skipped)


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
        store = open_store(self.store)
        if store is None:
            raise HousematesError(f"{default_folder()}: no store there; make one with `housemates import`.")
        skipped: list[Skipped] = []
        count = write_games(self.out, _chosen(store, self.games, skipped))
        show({"games": count, "out": str(self.out), "skipped": len(skipped)}, self.json, skipped)


def _chosen(store: Store, games: list[str] | None, skipped: list[Skipped]) -> Iterator[Game]:
    missing = sorted(set(games or ()) - store.episodes("teach"))
    if missing:
        raise HousematesError(f"{store.folder}: there is no game {missing[0]!r} in this store.")
    return read_games(store.files("teach"), skipped, games)
