"""Taking recorded episodes into the store, part by part, and letting each teach its floor plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeVar

from housemates.data.store import Part, Source, Store
from housemates.errors import HousematesError
from housemates.home.scenes.plans.knowledge import PlanKnowledge

PART_EPISODES = 100
"""Episodes that are kept at once; an interrupted import loses no more than this."""


class Recorded(Protocol):
    """An episode as it stands in its file."""

    @property
    def id(self) -> str: ...

    def packed(self) -> str:
        """Its text on one line."""
        ...


Episode = TypeVar("Episode", bound=Recorded)
Plans = Callable[[str], PlanKnowledge | None]
"""A plan's knowledge, to be added to; None if this part has taught it already."""


def take_in(
    store: Store,
    benchmark: str,
    path: Path,
    episodes: Iterable[Episode],
    learn: Callable[[Episode, Plans], str],
) -> Source:
    """Bring the episodes of a path into the store; what is there already is left alone.

    Args:
        store: Where to.
        benchmark: Whose episodes they are.
        path: Where they come from.
        episodes: All of them, in a fixed order.
        learn: Reads one, teaches its plan and returns the plan's name; one that it refuses is skipped.
    """
    if not path.exists():
        raise HousematesError(f"{path}: no such file or folder.")
    name, source = store.source(benchmark, path)
    if source.complete:
        return source
    known = store.episodes(benchmark)
    for number, batch in enumerate(_batches(iter(episodes), PART_EPISODES)):
        if number >= len(source.parts):
            _take_part(store, source, f"{benchmark}/{name}/{number:04}.jsonl.zst", batch, known, learn)
    return source


def finish(store: Store, source: Source, unread: Iterable[tuple[str, str]]) -> None:
    """Note that a source has been read to its end, and which of its files could not be read."""
    if not source.complete:
        source.skipped += [(name, reason) for name, reason in unread]
        source.complete = True
        store.save()


def _take_part(
    store: Store,
    source: Source,
    file: str,
    episodes: list[Episode],
    known: set[str],
    learn: Callable[[Episode, Plans], str],
) -> None:
    lines: list[str] = []
    part = Part(file, [])
    taught: set[str] = set()
    for each in episodes:
        if each.id in known:
            continue
        try:
            taught.add(learn(each, lambda plan: store.teachable(plan, file)))
        except HousematesError as error:
            source.skipped.append((each.id, str(error)))
            continue
        known.add(each.id)
        part.episodes.append(each.id)
        lines.append(each.packed())
    store.finish_part(source, part, lines, sorted(taught))


def _batches(episodes: Iterator[Episode], size: int) -> Iterator[list[Episode]]:
    while batch := list(islice(episodes, size)):
        yield batch
