"""Doing many independent pieces of work in processes: in order, with a progress bar and Ctrl-C."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sized
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

IN_FLIGHT = 4
"""Batches that are under way or wait for each process; the rest of the items are not asked for yet."""


def workers_available() -> int:
    """How many processes this machine can run side by side."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_ordered(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    workers: int | None = None,
    label: str | None = None,
) -> Iterator[Result]:
    """Yield `function(item)` for each item in order, computed by `workers` processes.

    Args:
        function: Must be importable by name, as processes are spawned.
        items: What to work on; of an iterator only a few are held at a time.
        workers: Number of processes; 1 works in this one, None uses all processors.
        label: Title of a progress bar on standard error; no bar if None.
    """
    total = len(items) if isinstance(items, Sized) else None
    workers = workers or workers_available()
    if total is not None:
        workers = min(workers, max(total, 1))
    batch = 1 if total is None else max(1, min(16, total // (workers * 8)))
    results = map(function, items) if workers == 1 else _in_processes(function, items, workers, batch)
    yield from track(results, total, label)


def track(results: Iterator[Result], total: int | None, label: str | None) -> Iterator[Result]:
    """Pass `results` on, showing how many have come; silent without a label or a terminal."""
    if label is None or not sys.stderr.isatty():
        yield from results
        return
    from rich.console import Console
    from rich.progress import track as bar

    yield from bar(results, description=label, total=total, console=Console(stderr=True))


def _in_processes(
    function: Callable[[Item], Result], items: Iterable[Item], workers: int, batch: int
) -> Iterator[Result]:
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"), initializer=_quiet)
    waiting: deque[Future[list[Result]]] = deque()
    rest = iter(items)
    try:
        while work := list(islice(rest, batch)):
            waiting.append(pool.submit(_each, function, work))
            if len(waiting) > IN_FLIGHT * workers:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    finally:
        with _undisturbed():
            if waiting:
                for process in set(multiprocessing.active_children()) - others:
                    process.terminate()
            pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """No second Ctrl-C gets in between, where it would leave processes behind that are waited for."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _each(function: Callable[[Item], Result], items: list[Item]) -> list[Result]:
    return [function(item) for item in items]


def _quiet() -> None:
    """Leave Ctrl-C to the parent, which stops the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
