"""The server's side of the processes that hold tables: calls that can be awaited."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import threading
import zlib
from multiprocessing.connection import Connection
from typing import Any

from housemates.errors import HousematesError
from housemates.studio.worlds.worker import serve

ENDING_S = 3.0
"""How long processes may take to end."""


class WorkerLost(HousematesError):
    """The process that held a table is gone; the table can be laid again from its journal."""


class Pool:
    """So many processes; a play is always at the same one, and those with agents of others have their own."""

    def __init__(self, workers: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._workers = {str(number): _Process(self._loop) for number in range(workers)}
        self._shared = workers

    async def call(self, method: str, play: str, *arguments: Any, apart: bool = False) -> Any:
        """What a table's process answers; HousematesError if it refuses, WorkerLost if it is gone.

        Args:
            method: Of `worker.Worker`.
            play: The id of the table's play.
            arguments: Of the method.
            apart: Whether somebody's own code sits at the table, which may hang or crash.
        """
        place = play if apart else str(zlib.crc32(play.encode()) % self._shared)
        worker = self._workers.get(place)
        if worker is None or not worker.alive:
            worker = self._workers[place] = _Process(self._loop)
        return await worker.call(method, play, arguments)

    def dismiss(self, play: str) -> None:
        """End the process of a table that has one of its own."""
        worker = self._workers.pop(play, None)
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


class _Process:
    """One process, the calls that wait for it, and a thread that hears its answers."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        spawning = multiprocessing.get_context("spawn")
        self._connection, there = spawning.Pipe()
        self.process = spawning.Process(target=serve, args=(there, os.getpid()), daemon=True)
        self.process.start()
        there.close()
        self.alive = True
        self._loop = loop
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._number = 0
        threading.Thread(target=self._listen, args=(self._connection,), daemon=True).start()

    async def call(self, method: str, play: str, arguments: tuple[Any, ...]) -> Any:
        self._number += 1
        number, future = self._number, self._loop.create_future()
        self._waiting[number] = future
        try:
            self._connection.send((number, method, play, arguments))
        except OSError:
            self._lost()
        try:
            return await future
        finally:
            self._waiting.pop(number, None)

    def stop(self) -> None:
        self.alive = False
        self.process.terminate()

    def _listen(self, connection: Connection) -> None:
        with contextlib.suppress(EOFError, OSError, RuntimeError):
            while True:
                self._loop.call_soon_threadsafe(self._answered, *connection.recv())
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._lost)

    def _answered(self, number: int, value: Any, error: Exception | None) -> None:
        future = self._waiting.get(number)
        if future is None or future.done():
            return
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)

    def _lost(self) -> None:
        self.alive = False
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(WorkerLost("The process that held this play is gone."))
