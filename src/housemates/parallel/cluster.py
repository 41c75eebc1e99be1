"""Work on a Ray cluster: nodes may go and come, and what they were at is done by others."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from multiprocessing import connection
from pathlib import Path
from typing import Any, TypeVar

from housemates.errors import HousematesError
from housemates.parallel.crew import Crew
from housemates.parallel.ordered_map import AHEAD, Again, Answer, Later, Loss, Ordered, Task
from housemates.parallel.pool import CLOSING_S, Worker

Item = TypeVar("Item")
Result = TypeVar("Result")

MOVES = 5
"""How often an item may lose its node before that is an error."""
PATIENCE_S = 240.0
"""How long there may be nobody who works before that is an error: new nodes take minutes."""
CONNECT_S = 5.0
"""How long a cluster may take to answer."""


class Foreman:
    """An actor of the cluster: it lets one process of its own work, so that agents can do it no harm.

    Args:
        function: Must be importable by name on every node.
        folder: Where to work, if the node has such a folder.
    """

    def __init__(self, function: Callable[[Any], Any], folder: str) -> None:
        self._function = function
        self._worker: Worker | None = None
        if Path(folder).is_dir():
            os.chdir(folder)
        main = sys.modules["__main__"]
        # What a spawned process would run as its own main program is Ray's, and none of its business.
        main.__spec__, main.__file__ = None, None

    def ready(self) -> bool:
        """Whether it can be given work; asked, as it may have to wait for its node."""
        return True

    def work(self, task: Task) -> Answer | Loss:
        """What comes of an item, or how its process died."""
        worker = self._worker or Worker(self._function)
        self._worker = None
        worker.give(task)
        while True:
            connection.wait([worker.connection, worker.process.sentinel])
            gone = not worker.process.is_alive()
            try:
                while worker.connection.poll():
                    heard = worker.hear()
                    if heard is not None:
                        self._worker = worker
                        return heard[1]
            except (EOFError, OSError):
                gone = True
            if gone:
                return worker.loss()

    def close(self) -> None:
        """Let the process close what it holds."""
        if self._worker is not None:
            self._worker.connection.close()
            self._worker.process.join(CLOSING_S)


class Cluster(Ordered[Item, Result]):
    """Actors on the nodes of a Ray cluster, as many as it has processors."""

    def __init__(
        self,
        function: Callable[[Item], Result],
        crew: Crew,
        lost: Callable[[Item, Loss], Result | Again[Item]] | None = None,
    ) -> None:
        super().__init__(0, lost)
        self._function, self._crew = function, crew
        self._ray: Any = None
        self._count = 0
        self._mine = False
        """Whether the connection to the cluster is ours to close."""
        self._hired: dict[Any, Any] = {}
        """Those who have not yet said that they are ready, by what will tell it."""
        self._idle: list[Any] = []
        self._busy: dict[Any, tuple[Any, Task]] = {}
        self._moves: Counter[int] = Counter()

    def _start(self) -> None:
        self._ray, self._mine = _connected(self._crew.address)
        found = int(self._ray.cluster_resources().get("CPU", 1))
        self._count = self._crew.workers or max(1, found)
        self._ahead = AHEAD * self._count

    def _hand_out(self, rest: Iterator[Item | Later]) -> None:
        while len(self._hired) + len(self._idle) + len(self._busy) < self._count:
            made = self._ray.remote(num_cpus=1, max_restarts=0)(Foreman)
            foreman = made.remote(self._function, str(Path.cwd()))
            self._hired[foreman.ready.remote()] = foreman
        while len(self._again) + len(self._busy) < self._count and (task := self._next(rest)) is not None:
            self._again.append(task)
        while self._again and self._idle:
            foreman, task = self._idle.pop(), self._again.popleft()
            self._busy[foreman.work.remote(task)] = (foreman, task)

    def _listen(self) -> None:
        there = [*self._busy, *self._hired]
        done, _ = self._ray.wait(there, num_returns=1, timeout=PATIENCE_S)
        if not done and not self._busy:
            raise HousematesError(f"No node of the cluster had a free processor for {PATIENCE_S:g} s.")
        for reference in done:
            foreman, task = self._busy.pop(reference, (None, None))
            foreman = foreman or self._hired.pop(reference)
            try:
                found = self._ray.get(reference)
            except self._ray.exceptions.RayError as error:
                self._move(task, error)
                continue
            self._idle.append(foreman)
            if task is not None and isinstance(found, Loss):
                self._died(task, found)
            elif task is not None:
                self._done[task.number] = found

    def _move(self, task: Task | None, error: Exception) -> None:
        """Somebody is gone with their node; what they were at is for another one."""
        if task is None:
            return
        self._moves[task.number] += 1
        if self._moves[task.number] < MOVES:
            self._again.append(task)
        else:
            why = str(error).strip().splitlines()[0]
            self._done[task.number] = Answer(None, HousematesError(f"A node of the cluster was lost: {why}"))

    def _finish(self, at_ease: bool) -> None:
        if self._ray is None:
            return
        with contextlib.suppress(Exception):
            if at_ease:
                self._ray.get([each.close.remote() for each in self._idle], timeout=CLOSING_S)
            for foreman in [*self._idle, *self._hired.values(), *(each for each, _ in self._busy.values())]:
                self._ray.kill(foreman)
        if self._mine:
            self._ray.shutdown()


def _connected(address: str | None) -> tuple[Any, bool]:
    """Ray, and whether it was connected to the cluster only now."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise HousematesError("--executor ray: is not installed: pip install 'housemates[ray]'.") from None
    if ray.is_initialized():
        return ray, False
    if address is not None:
        _check_address(address)
    variables = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "NUMBA_NUM_THREADS": "1"}
    try:
        ray.init(
            address=address,
            include_dashboard=None if address else False,
            logging_level=logging.ERROR,
            runtime_env={"env_vars": variables},
        )
    except Exception as error:
        why = " ".join(str(error).split())[:200] or type(error).__name__
        raise HousematesError(f"--address {address}: no Ray cluster could be used there ({why}).") from None
    return ray, True


def _check_address(address: str) -> None:
    """Refuse an address at which nobody listens, at once."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if address == "auto":
        return
    if not host or not port.isdigit():
        raise HousematesError(f"--address {address}: expected HOST:PORT, such as 10.0.0.1:6379, or auto.")
    try:
        socket.create_connection((host, int(port)), CONNECT_S).close()
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise HousematesError(f"--address {address}: no Ray cluster answers there ({why}).") from None
