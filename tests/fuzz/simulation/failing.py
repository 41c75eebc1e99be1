"""What fails in a schedule: a disk that is slow, full or gone, and lines that break."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from greenlet import getcurrent
from scheduling import Machine, World
from sqlalchemy import Engine, text
from sqlalchemy.orm import Session
from starlette.websockets import WebSocket

from housemates.studio.storage.database import Database, make_engine
from housemates.studio.storage.tables import Base

MEMORY = Path("/dev/shm")
"""A folder in memory, where there is one: no schedule is to outlive this process."""


@dataclass
class Weather:
    """How bad things are in one schedule."""

    latency_s: float = 0.02
    slow_disk_s: float = 0.0
    full: float = 0.0
    """Share of statements and commits that fail."""
    unheard: float = 0.0
    """Share of commits that are done, and whose answer is lost."""
    stalling: float = 0.0
    """Share of messages whose reader takes its time."""
    gone_until: float = field(default=0.0, compare=False)
    """When the database is there again."""

    def clear(self) -> None:
        """Have nothing fail any more."""
        self.slow_disk_s = self.full = self.unheard = self.stalling = self.gone_until = 0.0


class Disk:
    """A real SQLite database, used by one schedule after the other."""

    def __init__(self, folder: Path) -> None:
        self.url = f"sqlite:///{folder / 'studio.sqlite'}"
        database = Database(self.url)
        self.engine: Engine = make_engine(database.url)
        database.close()
        dialect: Any = self.engine.dialect
        self._execute, self._commit = dialect.do_execute, dialect.do_commit
        dialect.do_execute, dialect.do_commit = self._executed, self._committed
        self._world, self._weather = World(0), Weather()
        self._marks: dict[object, str] = {}
        """Connection -> the mark of its transaction."""
        self._committed_marks: set[str] = set()

    def mark_of(self, session: Session) -> str:
        """In place of `database.mark_of`: what PostgreSQL would tell."""
        connection: Any = session.connection().connection.dbapi_connection
        self._marks.pop(connection, None)
        if not connection.in_transaction:
            return ""
        self._marks[connection] = f"{self._world.rng.getrandbits(64)}"
        return self._marks[connection]

    def is_committed(self, engine: Engine, mark: str) -> bool:
        """In place of `database.is_committed`."""
        with engine.connect() as connection:
            connection.execute(text("SELECT 1"))
        return mark in self._committed_marks

    def begin(self, world: World, weather: Weather) -> None:
        """Be empty, for a schedule."""
        with self.engine.begin() as connection:
            for table in reversed(Base.metadata.sorted_tables):
                connection.execute(table.delete())
        self._world, self._weather = world, weather
        self._marks.clear()
        self._committed_marks.clear()

    def _executed(self, *arguments: Any) -> None:
        self._wait()
        self._execute(*arguments)

    def _committed(self, connection: Any) -> None:
        threaded = self._wait()
        self._commit(connection)
        self._committed_marks.add(self._marks.pop(connection.dbapi_connection, ""))
        if threaded and self._world.rng.random() < self._weather.unheard:
            self._world.pause(0.001)
            raise sqlite3.OperationalError("the connection was lost")

    def _wait(self) -> bool:
        world, weather = self._world, self._weather
        if getcurrent() is world.hub:
            return False
        world.pause(world.rng.random() * (weather.slow_disk_s or 1e-3))
        if world.now < weather.gone_until:
            raise sqlite3.OperationalError("the database is gone")
        if weather.full and world.rng.random() < weather.full:
            raise sqlite3.OperationalError("database or disk is full")
        return True


@contextmanager
def made_disk() -> Iterator[Disk]:
    """A disk for as long as it is needed."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        disk = Disk(Path(folder))
        yield disk
        disk.engine.dispose()


class Lost(Exception):
    """The line is broken, or the other side closed it."""

    def __init__(self, code: int = 1006) -> None:
        super().__init__(code)
        self.code = code


class Line:
    """A WebSocket between a browser and a studio: what arrives arrives in order, and late; it may break.

    Once it is broken each side learns of it in its own time, and what is under way may still arrive.
    """

    def __init__(self, world: World, weather: Weather, browser: Machine, studio: Machine) -> None:
        self._world, self._weather = world, weather
        self._browser, self._studio = browser, studio
        self._up: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._down: asyncio.Queue[str | bytes | Lost] = asyncio.Queue()
        self._up.put_nowait({"type": "websocket.connect"})
        self._up_at = self._down_at = world.now
        self.cut = self.gone = False
        """Whether it is broken; whether the studio knows."""
        self.deaf = False
        """Whether what is under way to the studio is lost."""

    def socket(self, app: Any) -> WebSocket:
        """The studio's side."""
        scope = {
            "type": "websocket",
            "app": app,
            "path": "",
            "headers": [],
            "client": ("192.0.2.1", 1),
            "subprotocols": [],
        }
        return WebSocket(scope, self._receive, self._send)  # type: ignore[arg-type]

    def say(self, text: str) -> None:
        """Send something to the studio."""
        if not self.cut:
            self._later({"type": "websocket.receive", "text": text})

    def close(self) -> None:
        """Leave."""
        if not self.cut:
            self.cut = True
            self._later({"type": "websocket.disconnect", "code": 1001})

    def tear(self) -> None:
        """Break it: both sides learn of it, some time."""
        if not self.cut:
            rng = self._world.rng
            self.cut, self.deaf = True, rng.random() < 0.4
            self._world.at(self._world.now + rng.choice((0.01, 0.5, 5.0)), self._browser, self.end)
            after = self._world.now + rng.choice((0.01, 2.0, 30.0))
            self._world.at(after, self._studio, self._break)

    def end(self, code: int = 1006) -> None:
        """The browser learns that it is over."""
        self.cut = True
        self._down.put_nowait(Lost(code))

    async def hear(self, seconds: float) -> str | bytes | None:
        """What the studio says next, None if nothing for so long; Lost if it says no more."""
        try:
            found = await asyncio.wait_for(self._down.get(), seconds)
        except TimeoutError:
            return None
        if isinstance(found, Lost):
            raise found
        return found

    def _later(self, message: dict[str, Any]) -> None:
        self._up_at = max(self._up_at, self._world.now + self._latency())
        self._world.at(self._up_at, self._studio, self._arrive, message)

    def _latency(self) -> float:
        late = 2.0 if self._world.rng.random() < 0.02 else 1.0
        return self._world.rng.random() * self._weather.latency_s * late

    def _arrive(self, message: dict[str, Any]) -> None:
        if not self.deaf and not self.gone:
            self._up.put_nowait(message)

    def _break(self) -> None:
        self.gone = True
        self._up.put_nowait({"type": "websocket.disconnect", "code": 1006})

    async def _receive(self) -> dict[str, Any]:
        return await self._up.get()

    async def _send(self, message: Any) -> None:
        if self._world.rng.random() < self._weather.stalling:
            await asyncio.sleep(self._world.rng.random() * self._world.rng.choice((0.1, 2.0, 20.0)))
        if self.gone and message["type"] != "websocket.accept":
            raise OSError
        self._down_at = max(self._down_at, self._world.now + self._latency())
        if message["type"] == "websocket.close":
            self.gone = True
            self._up.put_nowait({"type": "websocket.disconnect", "code": message["code"]})
            if not self.cut:
                self._world.at(self._down_at, self._browser, self.end, message["code"])
        elif message["type"] == "websocket.send" and not self.cut:
            said = message.get("text") or message.get("bytes")
            self._world.at(self._down_at, self._browser, self._down.put_nowait, said)
