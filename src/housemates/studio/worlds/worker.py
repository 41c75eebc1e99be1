"""The side of a process that holds tables: it takes requests in order and answers each."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from housemates.errors import HousematesError
from housemates.studio.demo import DEMOS
from housemates.studio.pages import page_of
from housemates.studio.worlds import instances, reels
from housemates.studio.worlds.table import Spec, Table, Written

IDLE_S = 1.0
"""Without requests for so long after its start, a process has time to prepare itself."""


class WorkerLost(HousematesError):
    """The process that held a table is gone; the table can be laid again from its journal."""

    def __init__(self, sentence: str = "The process that held this play is gone.") -> None:
        super().__init__(sentence)


class Worker:
    """The tables of one process, by the id of their play."""

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}
        self.projector = reels.Projector()

    def open(self, play: str, spec: Spec, entries: Sequence[Written], thinking: bool) -> dict[str, Any]:
        """Lay a table, or lay it anew, with its agents if they are still to think; people's briefs."""
        self.close(play)
        table = self.tables[play] = Table(spec, entries, thinking, key=play)
        people = [role for role, agent in spec.seats.items() if not agent]
        moved = table.moved([], ())
        return {"briefs": {role: table.brief(role) for role in people}, "moved": moved, "turns": len(entries)}

    def warm(self) -> None:
        """Lay a table for nobody and draw it, so that the first people do not wait for what is compiled."""
        demo = DEMOS[0]
        name, seats = page_of(demo.benchmark).name, dict.fromkeys(demo.seats, "")
        options = dict(demo.options)
        chosen = instances.find(name, demo.benchmark, options, seats, "generated", 0, (), 0)
        table = Table(Spec(name, demo.benchmark, options, chosen.reference, chosen.number, seats))
        for role in seats:
            table.view(role)

    def close(self, play: str) -> None:
        """Close the table of a play, if there is one."""
        if play in self.tables:
            self.tables.pop(play).close()

    def act(self, play: str, role: str, action: Any, watching: Sequence[str]) -> Any:
        """Let a person act."""
        table = self._table(play)
        return table.moved(table.act(role, action), watching)

    def expire(self, play: str, role: str, action: Any, watching: Sequence[str]) -> Any:
        """Do for a role what is done when its time is up."""
        table = self._table(play)
        return table.moved(table.expire(role, action), watching)

    def step(self, play: str, watching: Sequence[str]) -> Any:
        """Let an agent act."""
        table = self._table(play)
        return table.moved(table.step(), watching)

    def view(self, play: str, role: str) -> Any:
        """All that a role is shown now."""
        return self._table(play).view(role, fresh=True)

    def pointed(self, play: str, role: str, picture: str, x: float, y: float) -> Any:
        """What is under somebody's pointer."""
        return self._table(play).pointed(role, picture, x, y)

    def ending(self, play: str) -> Any:
        """The numbers of a play."""
        return self._table(play).ending()

    def settle(self, _: str, spec: Spec, entries: Sequence[Written]) -> Any:
        """The numbers of a play whose agents are gone, from its journal."""
        return Table(spec, entries, thinking=False).ending()

    def official(self, _: str, source: reels.Source) -> Any:
        """A play in the official formats, from its journal."""
        return reels.official(source)

    def frames(self, _: str, source: reels.Source, chunk: int) -> Any:
        """What was to be seen in a part of an episode."""
        return self.projector.frames(source, chunk)

    def briefs(self, _: str, source: reels.Source) -> Any:
        """What the roles of an episode were told."""
        return reels.briefs(source)

    def film(self, _: str, source: reels.Source, path: Path) -> None:
        """Write a film of an episode."""
        reels.film(source, path)

    def find(self, _: str, *arguments: Any) -> Any:
        """A reference of a project."""
        return instances.find(*arguments)

    def _table(self, play: str) -> Table:
        """The table of a play; WorkerLost if it was laid in a process before this one."""
        if play not in self.tables:
            raise WorkerLost
        return self.tables[play]

    def memory(self, _: str) -> int:
        """Bytes of this process."""
        return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")  # noqa: PTH123


def serve(connection: Connection, parent: int, nice: int, warming: bool) -> None:
    """Answer `(id, method, play, arguments)` with `(id, value, error)` until the other side is gone.

    Args:
        connection: To the other side.
        parent: The process that started this one.
        nice: How far to stand back where others want the processor.
        warming: Whether to load what is compiled before people come, if nobody is there at once.
    """
    if hasattr(os, "nice"):
        os.nice(nice)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    worker = Worker()
    if warming and not connection.poll(IDLE_S):
        worker.warm()
    answer(connection, worker)


def answer(connection: Connection, worker: Worker) -> None:
    """Answer one request after the other until the other side is gone."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            number, method, play, arguments = connection.recv()
            value, refusal = None, None
            try:
                value = getattr(worker, method)(play, *arguments)
            except HousematesError as error:
                refusal = error
            except Exception as error:
                traceback.print_exc(file=sys.stderr)
                refusal = HousematesError(f"{type(error).__name__} in {method}.")
            connection.send((number, value, refusal))


def _end_with(parent: int) -> None:
    """No worker outlives the server that started it."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(0)
