"""`housemates import alfred` and `housemates export alfred`: trajectories into the store and out of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from housemates.benchmarks.alfred import importing
from housemates.benchmarks.alfred.episodes import (
    Trajectory,
    read_trajectories,
    write_trajectories,
)
from housemates.benchmarks.printing import show
from housemates.benchmarks.records import Skipped
from housemates.errors import HousematesError
from housemates.home.scenes.plans.store import Store, default_folder, open_store


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
        report: dict[str, Any] = {"store": str(store.folder), "trajectories": 0}
        if layouts is not None:
            report["layouts"] = str(layouts)
            report["layout_plans"] = store.learn_layouts(layouts)
        skipped: list[Skipped] = []
        for path in self.paths:
            source = importing.import_trajectories(store, path, None if self.json else path.name)
            report["trajectories"] += sum(len(part.episodes) for part in source.parts)
            skipped += [Skipped(*each) for each in source.skipped]
        report |= {
            "in_store": len(store.episodes("alfred")),
            "plans": len(store.plans()),
            "plans_with_boxes": sum(bool(_known(store, plan)) for plan in store.plans()),
        }
        show({**report, "skipped": len(skipped)}, self.json, skipped)


def _known(store: Store, plan: str) -> int:
    knowledge = store.knowledge(plan)
    return len(knowledge.fixtures) if knowledge is not None else 0


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
        store = needed_store(self.store)
        skipped: list[Skipped] = []
        count = write_trajectories(self.out, _chosen(store, self.only, skipped))
        show({"trajectories": count, "out": str(self.out), "skipped": len(skipped)}, self.json, skipped)


def needed_store(folder: Path | None) -> Store:
    """The store of a folder, or the user's own; that there is none is an error."""
    store = open_store(folder)
    if store is None:
        raise HousematesError(f"{default_folder()}: no store there; make one with `housemates import`.")
    return store


def _chosen(store: Store, only: list[str] | None, skipped: list[Skipped]) -> Iterator[Trajectory]:
    missing = sorted(set(only or ()) - store.episodes("alfred"))
    if missing:
        raise HousematesError(f"{store.folder}: there is no trajectory {missing[0]!r} in this store.")
    return read_trajectories(store.files("alfred"), skipped, only)
