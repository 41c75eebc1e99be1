"""Doing many independent pieces of work at once: in order, with a progress bar and Ctrl-C.

The piece of a process that dies is done again by another one; a piece of which two die is lost, and no other.
None outlives the one that started it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sized
from typing import TypeVar, cast

from housemates.parallel.crew import Crew, Workers, crew_for, crew_of, workers_available
from housemates.parallel.deadlines import interrupted
from housemates.parallel.ordered_map import LATER, Again, Later, Loss
from housemates.parallel.pool import Pool, how_it_ended
from housemates.parallel.worker import doomed, exhausted, is_worker, limit_memory, note

__all__ = [
    "LATER",
    "Again",
    "Crew",
    "Later",
    "Loss",
    "Workers",
    "crew_for",
    "crew_of",
    "doomed",
    "exhausted",
    "how_it_ended",
    "interrupted",
    "is_worker",
    "limit_memory",
    "map_ordered",
    "note",
    "track",
    "workers_available",
]

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_ordered(
    function: Callable[[Item], Result],
    items: Iterable[Item | Later],
    workers: Workers = None,
    label: str | None = None,
    lost: Callable[[Item, Loss], Result | Again[Item]] | None = None,
    apart: bool = False,
) -> Generator[Result, None, None]:
    """Yield `function(item)` for each item in order, computed by a crew.

    Args:
        function: Must be importable by name, as processes are spawned.
        items: What to work on; an iterator is asked for the next one only when a process is free for it, and
            may answer `LATER` until more results have been taken.
        workers: Who works, or the number of processes; 1 works in this one, None uses all processors.
        label: Title of a progress bar on standard error; no bar if None.
        lost: What to yield for an item of which two processes died, or what to do `Again` instead; without
            it, that is an error.
        apart: Work in a process of its own also where one is enough, so that whatever dies is not this one.
    """
    crew = crew_of(workers)
    total = len(items) if isinstance(items, Sized) else None
    count = crew.count if total is None else min(crew.count, max(total, 1))
    if crew.executor == "ray":
        from housemates.parallel.cluster import Cluster

        results: Iterator[Result] = Cluster(function, crew, lost).results(items)
    elif crew.executor == "threads":
        results = Pool(function, 1, lost, slots=count).results(items)
    elif count == 1 and not apart:
        results = (function(item) for item in items if not isinstance(item, Later))
    else:
        results = Pool(function, count, lost).results(items)
    return track(results, total, label)


def track(results: Iterator[Result], total: int | None, label: str | None) -> Generator[Result, None, None]:
    """Pass `results` on, showing how many have come and how fast; silent without a label or a terminal."""
    if label is None or not sys.stderr.isatty():
        yield from results
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn, TimeRemainingColumn

    class Rate(TextColumn):
        """How many come in a second."""

        def render(self, task: Task) -> object:  # type: ignore[override]
            return f"{task.completed / task.elapsed:.1f}/s" if task.elapsed else ""

    columns = [TextColumn(label, markup=False), BarColumn(), MofNCompleteColumn(), Rate("")]
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as bar:
        shown = bar.add_task(label, total=cast(float, total))
        for result in results:
            bar.advance(shown)
            yield result
