"""Doing many independent pieces of work in processes: in order, with a progress bar and Ctrl-C."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def workers_available() -> int:
    """How many processes this machine can run side by side."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_ordered(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    workers: int | None = None,
    label: str | None = None,
) -> Iterator[Result]:
    """Yield `function(item)` for each item in order, computed by `workers` processes.

    Args:
        function: Must be importable by name, as processes are spawned.
        items: What to work on.
        workers: Number of processes; 1 works in this one, None uses all processors.
        label: Title of a progress bar on standard error; no bar if None.
    """
    workers = min(workers or workers_available(), max(len(items), 1))
    results = map(function, items) if workers == 1 else _in_processes(function, items, workers)
    yield from track(results, len(items), label)


def track(results: Iterator[Result], total: int, label: str | None) -> Iterator[Result]:
    """Pass `results` on, showing how many have come; silent without a label or a terminal."""
    if label is None or not sys.stderr.isatty():
        yield from results
        return
    from rich.console import Console
    from rich.progress import track as bar

    yield from bar(results, description=label, total=total, console=Console(stderr=True))


def _in_processes(
    function: Callable[[Item], Result], items: Sequence[Item], workers: int
) -> Iterator[Result]:
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"), initializer=_quiet)
    try:
        yield from pool.map(function, items, chunksize=max(1, min(16, len(items) // (workers * 8))))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _quiet() -> None:
    """Leave Ctrl-C to the parent, which stops the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
