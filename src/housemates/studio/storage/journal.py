"""The journal: acts are on disk before anybody is told of them, many plays' in one commit."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from housemates.errors import HousematesError
from housemates.studio.storage.database import Database
from housemates.studio.storage.tables import Entry, Refused
from housemates.studio.worlds.table import Written

MOST = 256
"""Appends that go into one commit."""


class NotKept(HousematesError):
    """What was done could not be written down, so it has not happened."""


class _Append(NamedTuple):
    play: str
    entries: Sequence[Written]
    done: asyncio.Future[None]
    loop: asyncio.AbstractEventLoop

    def rows(self) -> list[Entry]:
        return [
            Entry(
                play_id=self.play,
                number=each.number,
                role=each.role,
                by=each.by,
                act={"act": each.act},
                success=each.success,
                message=each.message,
                at=each.at,
            )
            for each in self.entries
        ]

    def answer(self, error: Exception | None = None) -> None:
        with contextlib.suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self._settle, error)

    def _settle(self, error: Exception | None) -> None:
        if self.done.done():
            return
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)


class Journal:
    """One thread that commits whatever has been handed to it meanwhile."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: queue.Queue[_Append | None] = queue.Queue()
        self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()

    async def append(self, play: str, entries: Sequence[Written]) -> None:
        """Come back when the entries are on disk; NotKept if they cannot be, now or at this number."""
        loop = asyncio.get_running_loop()
        append = _Append(play, entries, loop.create_future(), loop)
        self._waiting.put(append)
        await append.done

    def close(self) -> None:
        """Write what is waiting, and end."""
        self._waiting.put(None)
        self._thread.join()

    def _work(self) -> None:
        while True:
            first = self._waiting.get()
            batch = [] if first is None else [first]
            stop = first is None
            while not stop and len(batch) < MOST and not self._waiting.empty():
                following = self._waiting.get()
                stop = following is None
                batch += [] if following is None else [following]
            if batch:
                self._commit(batch)
            if stop:
                return

    def _commit(self, batch: list[_Append]) -> None:
        try:
            self._database.now(lambda session: session.add_all(row for each in batch for row in each.rows()))
        except (IntegrityError, Refused) as error:
            if len(batch) > 1:
                for each in batch:
                    self._commit([each])
            elif isinstance(error, Refused):
                batch[0].answer(NotKept(str(error)))
            elif self._there(batch[0]):
                batch[0].answer()
            else:
                batch[0].answer(NotKept("Somebody else has acted in this play meanwhile."))
            return
        except Exception as error:
            for each in batch:
                each.answer(NotKept(f"What was done could not be written down ({type(error).__name__})."))
            return
        for each in batch:
            each.answer()

    def _there(self, append: _Append) -> bool:
        """Whether it is these very entries that are there: the answer to an earlier commit was lost."""
        kept = self._database.now(lambda session: read(session, append.play))
        numbers = {each.number for each in append.entries}
        return [each for each in kept if each.number in numbers] == list(append.entries)


def read(session: Session, play: str) -> list[Written]:
    """All that was done in a play, in order."""
    rows = session.scalars(select(Entry).where(Entry.play_id == play).order_by(Entry.number))
    return [
        Written(each.number, each.role, each.by, each.act["act"], each.success, each.message, each.at)
        for each in rows
    ]
