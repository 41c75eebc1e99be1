"""The side that hands out work to processes, and knows which piece each of them is at."""

from __future__ import annotations

import atexit
import contextlib
import enum
import multiprocessing
import os
import pickle
import signal
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from multiprocessing import connection
from pathlib import Path
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from housemates.errors import HousematesError
from housemates.parallel.worker import Answer, serve

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 16
"""Results for each process that may wait for an earlier one that takes long."""
STILLBORN = 3
"""Processes in a row that may die before they are ready to work."""
CLOSING_S = 5.0
"""How long processes may take to end by themselves when there is no more work."""
ENDING_S = 1.0
"""How long they may take once they are told to end."""


class Later(enum.Enum):
    """Instead of an item: ask again when more results have been taken."""

    LATER = enum.auto()


LATER: Literal[Later.LATER] = Later.LATER


class Loss(NamedTuple):
    """What is known of a process that died in the middle of its work."""

    reason: str
    """How it ended, such as `was ended by SIGKILL`."""
    at: str
    """What it said that it was at (`note`)."""
    trail: str
    """Where in the code it was, the innermost call first, if it could still tell."""
    late: bool
    """Whether it was ended because it took too long (`doomed`)."""


class Again(NamedTuple, Generic[Item]):
    """A piece of work to be done in the place of one that was lost."""

    item: Item


class Pool(Generic[Item, Result]):
    """Processes that are started as they are needed and replaced when they die.

    An item whose process died is done once more by a new one, as somebody may have killed it; an item of
    which two died in the same place is lost.
    """

    def __init__(
        self,
        function: Callable[[Item], Result],
        workers: int,
        lost: Callable[[Item, Loss], Result | Again[Item]] | None = None,
    ) -> None:
        self._function = function
        self._most = workers
        self._lost = lost
        self._workers: list[_Worker] = []
        self._done: dict[int, Answer] = {}
        self._again: deque[tuple[int, Item]] = deque()
        self._deaths: set[tuple[int, str]] = set()
        """At which items processes have died, and what they were at."""
        self._drawn = self._taken = self._stillborn = 0

    def results(self, items: Iterable[Item | Later]) -> Iterator[Result]:
        """What the function makes of each item, in order."""
        rest = iter(items)
        atexit.register(self._stop, 0.0)
        patience = 0.0
        try:
            while True:
                self._hand_out(rest)
                if self._taken == self._drawn:
                    break
                if self._taken not in self._done:
                    self._listen()
                    continue
                answer = self._done.pop(self._taken)
                self._taken += 1
                if answer.error is not None:
                    raise answer.error
                yield answer.value
            patience = CLOSING_S
        except GeneratorExit:
            patience = CLOSING_S
            raise
        finally:
            with _undisturbed():
                self._stop(patience)
            atexit.unregister(self._stop)

    def _hand_out(self, rest: Iterator[Item | Later]) -> None:
        """Give each process that has nothing to do something to do."""
        while sum(each.task is not None for each in self._workers) < self._most:
            if self._again:
                number, item = self._again.popleft()
            elif self._drawn - self._taken >= AHEAD * self._most:
                return
            else:
                found = next(rest, LATER)
                if found is LATER:
                    return
                number, item = self._drawn, found
                self._drawn += 1
            worker = next((each for each in self._workers if each.task is None), None)
            if worker is None:
                worker = _Worker(self._function)
                self._workers.append(worker)
            worker.give(number, item)

    def _listen(self) -> None:
        """Wait until a process answers or dies."""
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

    def _hear(self, worker: _Worker) -> None:
        if not worker.ready:
            worker.connection.recv()
            worker.begin()
            self._stillborn = 0
            return
        answer = pickle.loads(worker.connection.recv_bytes())
        assert worker.task is not None
        self._done[worker.task[0]] = answer
        worker.task = None

    def _bury(self, worker: _Worker) -> None:
        """Find out what is lost with a process that died."""
        self._workers.remove(worker)
        loss = worker.loss()
        if not worker.ready:
            self._stillborn += 1
            if self._stillborn >= STILLBORN:
                raise HousematesError(f"A process {loss.reason} before it could begin to work.")
        if worker.task is None:
            return
        number, item = worker.task
        if not worker.ready or self._is_first(number, loss):
            self._again.append((number, item))
            return
        found = self._replaced(item, loss)
        if isinstance(found, Again):
            self._again.append((number, found.item))
        else:
            self._done[number] = found

    def _is_first(self, number: int, loss: Loss) -> bool:
        """Whether a process died of something else than the item, for all one can know so far."""
        death = (number, loss.at)
        first = not loss.late and death not in self._deaths
        self._deaths.add(death)
        return first

    def _replaced(self, item: Item, loss: Loss) -> Answer | Again[Item]:
        if self._lost is None:
            return Answer(None, HousematesError(f"A process {loss.reason} in the middle of its work."))
        try:
            found = self._lost(item, loss)
        except Exception as error:
            return Answer(None, error)
        return found if isinstance(found, Again) else Answer(found)

    def _stop(self, patience: float) -> None:
        """End all processes: those that have nothing to do may take their time to close what they hold."""
        for worker in self._workers:
            if worker.task is not None or not patience:
                worker.process.terminate()
            worker.connection.close()
        until = time.monotonic() + max(patience, ENDING_S)
        for worker in self._workers:
            worker.process.join(max(0.0, until - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
            worker.loss()
        self._workers.clear()


class _Worker:
    """A process, and what it is at."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        spawning = multiprocessing.get_context("spawn")
        self.connection, there = spawning.Pipe()
        handle, name = tempfile.mkstemp(prefix="housemates-")
        self._words, self._name = os.fdopen(handle, "rb"), Path(name)
        self.task: tuple[int, Any] | None = None
        self.ready = False
        mortal = threading.current_thread() is threading.main_thread()
        self.process = spawning.Process(target=serve, args=(there, function, name, os.getpid(), mortal))
        with _without_ctrl_c():
            self.process.start()
        there.close()

    def begin(self) -> None:
        """It has opened the file of its last words, which needs no name any more."""
        self.ready = True
        with contextlib.suppress(OSError):
            self._name.unlink()

    def give(self, number: int, item: Any) -> None:
        """Let it work on an item; if it is dead, that will be heard of."""
        self.task = (number, item)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.connection.send(item)

    def loss(self) -> Loss:
        """How it ended; afterwards nothing is left of it."""
        self.connection.close()
        self.process.join()
        at, _, trail = self._words.read().decode(errors="replace").partition("\n")
        self._words.close()
        with contextlib.suppress(OSError):
            self._name.unlink()
        late = trail.startswith("Timeout (")
        how = "took too long" if late else _how(self.process.exitcode or 0)
        return Loss(how, at, _frames(trail), late)


def _frames(trail: str) -> str:
    """Of all that a dying process says, where its work was, the innermost call first."""
    threads = trail.split("\n\n")
    chosen = next((each for each in threads if each.startswith("Current thread")), threads[-1])
    lines = [line for line in chosen.splitlines() if line.startswith("  File ")]
    mine = f'"{serve.__code__.co_filename}"'
    return "\n".join(takewhile(lambda line: mine not in line, lines))


def _how(code: int) -> str:
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
