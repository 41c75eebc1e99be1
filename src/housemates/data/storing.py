"""Recorded episodes into the local store and out of it, as the commands of a benchmark ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from housemates.data.records import Skipped
from housemates.data.store import Source, Store
from housemates.errors import HousematesError


def import_paths(
    store: Store,
    benchmark: str,
    paths: Iterable[Path],
    layouts: Path | None,
    take: Callable[[Path], Source],
    noun: str,
) -> tuple[dict[str, Any], list[Skipped]]:
    """Import each path, or what is missing of it.

    Args:
        store: Where to.
        benchmark: Whose episodes they are.
        paths: Where from.
        layouts: A file of ALFRED's layouts, read first.
        take: Imports one path.
        noun: What the benchmark calls its episodes.

    Returns:
        What the store holds now, as a report, and what was skipped.
    """
    report: dict[str, Any] = {"store": str(store.folder), noun: 0}
    if layouts is not None:
        report["layouts"] = str(layouts)
        report["layout_plans"] = store.learn_layouts(layouts)
    skipped: list[Skipped] = []
    for path in paths:
        source = take(path)
        report[noun] += sum(len(part.episodes) for part in source.parts)
        skipped += [Skipped(*each) for each in source.skipped]
    report |= {"in_store": len(store.episodes(benchmark)), "plans": len(store.plans())}
    return report, skipped


def files_with(store: Store, benchmark: str, only: Iterable[str] | None, noun: str) -> list[Path]:
    """The store's files of a benchmark; that one of the wanted episodes is in none is an error."""
    missing = sorted(set(only or ()) - store.episodes(benchmark))
    if missing:
        raise HousematesError(f"{store.folder}: there is no {noun} {missing[0]!r} in this store.")
    return store.files(benchmark)
