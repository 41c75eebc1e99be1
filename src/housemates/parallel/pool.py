"""The side that hands out work to processes, and knows which piece each of them is at."""

from __future__ import annotations

import atexit
import contextlib
import multiprocessing
import os
import pickle
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from itertools import takewhile
from multiprocessing import connection
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import Any, TypeVar

from housemates.errors import HousematesError
from housemates.parallel.crew import workers_available
from housemates.parallel.ordered_map import AHEAD, Again, Answer, Later, Loss, Ordered, Task
from housemates.parallel.worker import SPENT, serve

Item = TypeVar("Item")
Result = TypeVar("Result")

STILLBORN = 3
"""Processes in a row that may die before they are ready to work."""
CLOSING_S = 5.0
"""How long processes may take to end by themselves when there is no more work."""
ENDING_S = 1.0
"""How long they may take once they are told to end."""


class Pool(Ordered[Item, Result]):
    """Processes that are started as they are needed and replaced when they die.

    What a process was at that did several things at once is done again by processes that do one at a time.

    Args:
        function: Must be importable by name.
        workers: How many processes.
        lost: What to do about an item of which two processes died.
        slots: How many items each works on at once, in threads.
    """

    def __init__(
        self,
        function: Callable[[Item], Result],
        workers: int,
        lost: Callable[[Item, Loss], Result | Again[Item]] | None = None,
        slots: int = 1,
    ) -> None:
        super().__init__(AHEAD * workers * slots, lost)
        self._function, self._slots = function, slots
        self._most = {1: min(workers * slots, workers_available()), slots: workers}
        """Slots -> how many processes may have so many."""
        self._workers: list[Worker] = []
        self._stillborn = 0

    def _start(self) -> None:
        atexit.register(self._stop, 0.0)

    def _finish(self, at_ease: bool) -> None:
        with _undisturbed():
            self._stop(CLOSING_S if at_ease else 0.0)
        atexit.unregister(self._stop)

    def _hand_out(self, rest: Iterator[Item | Later]) -> None:
        while self._again and self._has_room(1):
            self._least_busy(1).give(self._again.popleft())
        while self._has_room(self._slots) and (task := self._next(rest)) is not None:
            self._least_busy(self._slots).give(task)

    def _has_room(self, slots: int) -> bool:
        there = [each for each in self._workers if each.slots == slots]
        return len(there) < self._most[slots] or any(len(each.tasks) < slots for each in there)

    def _least_busy(self, slots: int) -> Worker:
        """A process with room for one more; a new one, if all are at work and there may be more."""
        there = sorted(
            (each for each in self._workers if each.slots == slots), key=lambda each: len(each.tasks)
        )
        if there and (not there[0].tasks or len(there) == self._most[slots]):
            return there[0]
        self._workers.append(Worker(self._function, slots))
        return self._workers[-1]

    def _listen(self) -> None:
        connections = [each.connection for each in self._workers]
        connection.wait([*connections, *(each.process.sentinel for each in self._workers)])
        for worker in list(self._workers):
            gone = not worker.process.is_alive()
            try:
                while worker.connection.poll():
                    self._hear(worker)
            except (EOFError, OSError):
                gone = True
            if gone:
                self._bury(worker)

    def _hear(self, worker: Worker) -> None:
        heard = worker.hear()
        if heard is None:
            self._stillborn = 0
        else:
            number, self._done[number] = heard

    def _bury(self, worker: Worker) -> None:
        """Find out what is lost with a process that died."""
        self._workers.remove(worker)
        loss = worker.loss()
        if not worker.ready:
            self._stillborn += 1
            if self._stillborn >= STILLBORN:
                raise HousematesError(f"A process {loss.reason} before it could begin to work.")
        for task in worker.tasks.values():
            if not worker.ready or worker.slots > 1:
                self._again.append(task)
            else:
                self._died(task, loss)

    def _stop(self, patience: float) -> None:
        """End all processes: those that have nothing to do may take their time to close what they hold."""
        for worker in self._workers:
            if worker.tasks or not patience:
                worker.process.terminate()
            worker.connection.close()
        until = time.monotonic() + max(patience, ENDING_S)
        for worker in self._workers:
            worker.process.join(max(0.0, until - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
            worker.loss()
        self._workers.clear()


class Worker:
    """A process, and what it is at."""

    def __init__(self, function: Callable[[Any], Any], slots: int = 1) -> None:
        spawning = multiprocessing.get_context("spawn")
        self.connection, there = spawning.Pipe()
        handle, name = tempfile.mkstemp(prefix="housemates-")
        self._words, self._name = os.fdopen(handle, "rb"), Path(name)
        self.slots = slots
        self.tasks: dict[int, Task] = {}
        self.ready = False
        mortal = threading.current_thread() is threading.main_thread()
        packed = bytes(ForkingPickler.dumps(function))
        self.process = spawning.Process(target=serve, args=(there, packed, slots, name, os.getpid(), mortal))
        with _without_ctrl_c():
            self.process.start()
        there.close()

    def give(self, task: Task) -> None:
        """Let it work on an item; if it is dead, that will be heard of."""
        self.tasks[task.number] = task
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.connection.send(task)

    def hear(self) -> tuple[int, Answer] | None:
        """The number of a task and what came of it; None if it says that it is ready."""
        if not self.ready:
            self.connection.recv()
            self.ready = True
            with contextlib.suppress(OSError):
                self._name.unlink()
            return None
        number, answer = pickle.loads(self.connection.recv_bytes())
        del self.tasks[number]
        return number, answer

    def loss(self) -> Loss:
        """How it ended; afterwards nothing is left of it."""
        self.connection.close()
        self.process.join()
        at, _, trail = self._words.read().decode(errors="replace").partition("\n")
        self._words.close()
        with contextlib.suppress(OSError):
            self._name.unlink()
        late = trail.startswith("Timeout (")
        code = self.process.exitcode or 0
        how = "took too long" if late else how_it_ended(code)
        return Loss(how, at, _frames(trail), late, code == SPENT)


def _frames(trail: str) -> str:
    """Of all that a dying process says, where its work was, the innermost call first."""
    threads = trail.split("\n\n")
    chosen = next((each for each in threads if each.startswith("Current thread")), threads[-1])
    lines = [line for line in chosen.splitlines() if line.startswith("  File ")]
    file = serve.__code__.co_filename.encode(
        "ascii", "backslashreplace"
    ).decode()  # as faulthandler writes it
    mine = f'"{file}"'
    return "\n".join(takewhile(lambda line: mine not in line, lines))


def how_it_ended(code: int) -> str:
    """What the exit code of a process says, in words that follow its name."""
    if code == SPENT:
        return "used up its memory"
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"was ended by {name}" + (" (is there enough memory?)" if name == "SIGKILL" else "")


@contextlib.contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Processes that are started here are born deaf to Ctrl-C, until they say what it means to them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """No second request to stop gets in between, where it would leave processes behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {each: signal.signal(each, signal.SIG_IGN) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, signal.SIG_DFL if handler is None else handler)
