"""`housemates import alfred` and `housemates export alfred`: trajectories into the store and out of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import tyro

from housemates.benchmarks.alfred.files import importing
from housemates.benchmarks.alfred.files.episodes import read_trajectories, write_trajectories
from housemates.data.records import Skipped
from housemates.data.store import Source, Store, default_folder, needed_store
from housemates.data.storing import files_with, import_paths
from housemates.reporting.printing import show


@dataclass
class Import:
    """Read official trajectories into a local store of floor plans and episodes."""

    paths: tyro.conf.Positional[list[Path]]
    """Trees of traj_data.json, single ones, or packed .jsonl.zst files."""
    layouts: Path | None = None
    """The file of layouts; layouts.json.zst beside the trajectories is read without being named."""
    store: Path | None = None
    """Folder of the store; the user's data folder by default."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Import each path, or what is missing of it, and say what the store holds."""
        store = Store(self.store or default_folder())
        layouts = self.layouts or importing.layouts_beside(self.paths)
        report, skipped = import_paths(
            store, "alfred", self.paths, layouts, partial(self._take, store), "trajectories"
        )
        report["plans_with_boxes"] = sum(_has_boxes(store, plan) for plan in store.plans())
        show({**report, "skipped": len(skipped)}, self.json, skipped)

    def _take(self, store: Store, path: Path) -> Source:
        return importing.import_trajectories(store, path, None if self.json else path.name)


def _has_boxes(store: Store, plan: str) -> bool:
    knowledge = store.knowledge(plan)
    return knowledge is not None and bool(knowledge.fixtures)


@dataclass
class Export:
    """Write the trajectories of a store in the official format."""

    out: Path
    """A folder for a tree of traj_data.json, or a .jsonl or .jsonl.zst file for all of them."""
    store: Path | None = None
    """Folder of the store; the user's data folder by default."""
    only: Annotated[list[str] | None, tyro.conf.arg(metavar="ID")] = None
    """Only the trajectories of these ids."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Write every trajectory, or those that are asked for."""
        files = files_with(needed_store(self.store), "alfred", self.only, "trajectory")
        skipped: list[Skipped] = []
        count = write_trajectories(self.out, read_trajectories(files, skipped, self.only))
        show({"trajectories": count, "out": str(self.out), "skipped": len(skipped)}, self.json, skipped)
