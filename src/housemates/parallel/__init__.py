"""Doing many independent pieces of work in processes: in order, with a progress bar and Ctrl-C.

The piece of a process that dies is done again by another one; a piece of which two die is lost, and no other.
None outlives the one that started it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sized
from typing import TypeVar, cast

from housemates.errors import HousematesError
from housemates.parallel.pool import LATER, Again, Later, Loss, Pool
from housemates.parallel.worker import doomed, is_worker, note

__all__ = [
    "LATER",
    "Again",
    "Later",
    "Loss",
    "doomed",
    "is_worker",
    "map_ordered",
    "note",
    "track",
    "workers_available",
]

Item = TypeVar("Item")
Result = TypeVar("Result")


def workers_available() -> int:
    """How many processes this machine can run side by side."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_ordered(
    function: Callable[[Item], Result],
    items: Iterable[Item | Later],
    workers: int | None = None,
    label: str | None = None,
    lost: Callable[[Item, Loss], Result | Again[Item]] | None = None,
    apart: bool = False,
) -> Generator[Result, None, None]:
    """Yield `function(item)` for each item in order, computed by `workers` processes.

    Args:
        function: Must be importable by name, as processes are spawned.
        items: What to work on; an iterator is asked for the next one only when a process is free for it, and
            may answer `LATER` until more results have been taken.
        workers: Number of processes; 1 works in this one, None uses all processors.
        label: Title of a progress bar on standard error; no bar if None.
        lost: What to yield for an item of which two processes died, or what to do `Again` instead; without
            it, that is an error.
        apart: Work in a process of its own also where one is enough, so that whatever dies is not this one.
    """
    if workers is not None and workers < 1:
        raise HousematesError(f"--workers: expected 1 or more, found {workers}.")
    total = len(items) if isinstance(items, Sized) else None
    count = workers or workers_available()
    if total is not None:
        count = min(count, max(total, 1))
    if count == 1 and not apart:
        results: Iterator[Result] = (function(item) for item in items if not isinstance(item, Later))
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
