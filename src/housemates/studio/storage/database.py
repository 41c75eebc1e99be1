"""The database: SQLite in a file or PostgreSQL, brought up to date when it is opened."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.orm import Session

from housemates.errors import HousematesError

Value = TypeVar("Value")
PATIENCE_S = 20.0
"""How long a database that is gone may take to come back, before what was asked fails."""
AGAIN_S = 0.2
"""Between two tries."""
THREADS = 4
LOST = (OperationalError, InterfaceError)
"""What is raised when the database is not there."""


class Database:
    """Runs small functions of a session in threads, each in a transaction of its own."""

    def __init__(self, url: str) -> None:
        """Open it and bring its tables up to date; one that is not there is refused in one sentence."""
        self.url = read_url(url)
        self.engine = make_engine(self.url)
        self.closing = threading.Event()
        """Set when nobody waits any more for a database that is gone."""
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="database")
        try:
            upgrade(self.engine)
        except DBAPIError as error:
            said = str(error.orig).strip().splitlines() or ["no answer"]
            raise HousematesError(f"{self.url.render_as_string()}: cannot be opened ({said[0]}).") from None

    async def run(self, work: Callable[[Session], Value]) -> Value:
        """Do some work in a transaction, off the event loop; what was lost on the way is done again."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self.now, work)

    def now(self, work: Callable[[Session], Value]) -> Value:
        """Do some work in a transaction, in this thread."""
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                with Session(self.engine, expire_on_commit=False) as session, session.begin():
                    return work(session)
            except LOST:
                if time.monotonic() > until or self.closing.wait(AGAIN_S):
                    raise

    def close(self) -> None:
        """Let go of all connections."""
        self.closing.set()
        self._threads.shutdown()
        self.engine.dispose()


def read_url(text: str) -> URL:
    """The address of a database; only SQLite and PostgreSQL are known."""
    try:
        url = make_url(text)
    except ArgumentError:
        raise HousematesError(
            f"--db: expected sqlite:///FILE or postgresql://USER@HOST/NAME, found {text!r}."
        ) from None
    kind = url.get_backend_name()
    if kind == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if kind != "sqlite":
        raise HousematesError(f"--db: expected sqlite or postgresql, found {kind!r}.")
    if url.database:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    return url


def make_engine(url: URL) -> Engine:
    """An engine whose commits are on disk when they return."""
    if url.get_backend_name() == "postgresql":
        return create_engine(
            url, pool_pre_ping=True, pool_size=THREADS + 2, connect_args={"connect_timeout": 5}
        )
    engine = create_engine(url, connect_args={"timeout": 10})
    event.listen(engine, "connect", _careful)
    return engine


def upgrade(engine: Engine, version: str = "head") -> None:
    """Bring the tables to a version, the newest if none is named."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)


def _careful(connection: Any, _: Any) -> None:
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")
