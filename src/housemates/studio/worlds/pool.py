"""The server's side of the processes that hold tables: awaited calls, bounded in number and time."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import queue
import threading
import zlib
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from housemates.errors import HousematesError
from housemates.guard.shares import Busy
from housemates.studio.settings import Settings
from housemates.studio.worlds.worker import WorkerLost, serve

ENDING_S = 3.0
"""How long processes may take to end."""
STARTING_S = 60.0
"""How long a process may take to start, beside its first call."""
DEMO, FINDING, DRAWING, FILMING = "demo", "finding", "watching", "filming"
"""Places of their own: the demo's tables, looking for instances, and what is drawn for those who watch."""
NICE = {DEMO: 10, FINDING: 5, DRAWING: 10, FILMING: 10}
"""Place -> how far its process stands back where others want the processor."""


class TooSlow(HousematesError):
    """A call took longer than it may, and its process was ended."""


class Pool:
    """So many processes for plays, and one for each other place that is asked for."""

    def __init__(self, settings: Settings) -> None:
        self._loop = asyncio.get_running_loop()
        bounds = settings.bounds
        drawing = dict.fromkeys(("frames", "briefs", "film", "official"), bounds.drawing_s)
        self._limits = {"find": bounds.finding_s, **drawing}
        self._step_s, self._most = settings.step_s, bounds.calls
        self._shared = settings.workers
        self._workers = {str(number): self._process(str(number)) for number in range(self._shared)}

    async def call(self, method: str, play: str, *arguments: Any, place: str = "") -> Any:
        """What a table's process answers.

        Args:
            method: Of `worker.Worker`.
            play: The id of the table's play; a play is always in the same process.
            arguments: Of the method.
            place: The process, if it is none of those that plays share, such as the play's id where
                somebody's own code sits at the table, which may hang or crash.

        Raises:
            Busy: Too many calls wait for this process.
            TooSlow: The call took longer than it may; its process was ended.
            WorkerLost: The process is gone.
            HousematesError: It refuses.
        """
        place = place or str(zlib.crc32(play.encode()) % self._shared)
        worker = self._workers.get(place)
        if worker is None or not worker.alive:
            worker = self._workers[place] = self._process(place)
        return await worker.call(method, play, arguments, self._limits.get(method, self._step_s))

    def dismiss(self, place: str) -> None:
        """End the process of a place."""
        worker = self._workers.pop(place, None)
        if worker is not None:
            worker.stop()

    def pids(self) -> list[int]:
        """The ids of the processes."""
        return [each.process.pid or 0 for each in self._workers.values()]

    def close(self) -> None:
        """End the processes of all tables and wait for them."""
        for worker in self._workers.values():
            worker.stop()
        for worker in self._workers.values():
            worker.process.join(ENDING_S)
            if worker.process.is_alive():
                worker.process.kill()

    def _process(self, place: str) -> _Process:
        return _Process(self._loop, self._most, NICE.get(place, 0), place.isdecimal())


class _Call(NamedTuple):
    """A call that waits for its answer."""

    answer: asyncio.Future[Any]
    limit_s: float


class _Process:
    """One process, the calls that wait for it in order, and threads that speak to it and hear its answers.

    The time of a call runs from when the process has answered all before it.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, most: int, nice: int, warming: bool) -> None:
        spawning = multiprocessing.get_context("spawn")
        connection, there = spawning.Pipe()
        self.process = spawning.Process(target=serve, args=(there, os.getpid(), nice, warming), daemon=True)
        self.process.start()
        there.close()
        self.alive = True
        self._loop, self._most = loop, most
        self._calls: dict[int, _Call] = {}
        self._number = 0
        self._outgoing: queue.SimpleQueue[tuple[Any, ...] | None] = queue.SimpleQueue()
        self._timer: asyncio.TimerHandle | None = None
        self._starting_s = STARTING_S
        for work in (self._speak, self._listen):
            threading.Thread(target=work, args=(connection,), daemon=True).start()

    async def call(self, method: str, play: str, arguments: tuple[Any, ...], limit_s: float) -> Any:
        if len(self._calls) >= self._most and method != "close":
            raise Busy("There is too much to do at once; try again in a moment.")
        self._number += 1
        answer = self._loop.create_future()
        self._calls[self._number] = _Call(answer, limit_s)
        if len(self._calls) == 1:
            self._watch()
        self._outgoing.put((self._number, method, play, arguments))
        return await answer

    def stop(self) -> None:
        """Tell it to end, and see that it does."""
        self.alive = False
        self.process.terminate()
        self._loop.call_later(ENDING_S, self.process.kill)

    def _speak(self, connection: Connection) -> None:
        with contextlib.suppress(OSError):
            while (message := self._outgoing.get()) is not None:
                connection.send(message)
        self._tell(self._lost)

    def _listen(self, connection: Connection) -> None:
        with contextlib.suppress(EOFError, OSError):
            while self._tell(self._answered, *connection.recv()):
                pass
        self._tell(self._lost)

    def _tell(self, what: Any, *arguments: Any) -> bool:
        """Have something done in the event loop, if that still runs."""
        try:
            self._loop.call_soon_threadsafe(what, *arguments)
        except RuntimeError:
            return False
        return True

    def _answered(self, number: int, value: Any, error: Exception | None) -> None:
        call = self._calls.pop(number, None)
        self._starting_s = 0.0
        self._watch()
        if call is None or call.answer.done():
            return
        if error is None:
            call.answer.set_result(value)
        else:
            call.answer.set_exception(error)

    def _watch(self) -> None:
        """Give the call that is next so much time."""
        if self._timer is not None:
            self._timer.cancel()
        first = next(iter(self._calls.values()), None)
        after = self._starting_s
        self._timer = first and self._loop.call_later(first.limit_s + after, self._hung, first)

    def _hung(self, call: _Call) -> None:
        if not call.answer.done():
            call.answer.set_exception(TooSlow(f"This took longer than {call.limit_s:g} seconds."))
        self.stop()
        self._lost()

    def _lost(self) -> None:
        self.alive = False
        self._outgoing.put(None)
        if self._timer is not None:
            self._timer.cancel()
        for call in self._calls.values():
            if not call.answer.done():
                call.answer.set_exception(WorkerLost())
        self._calls.clear()
