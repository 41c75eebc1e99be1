"""The database: SQLite in a file or PostgreSQL, brought up to date when it is opened."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar, cast

from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.orm import Session

from housemates.errors import HousematesError
from housemates.files import private_file
from housemates.studio.storage.tables import Refused

Value = TypeVar("Value")
PATIENCE_S = 20.0
"""How long a database that is gone may take to come back, before what was asked fails."""
AGAIN_S = 0.2
"""Between two tries."""
THREADS = 4
WRITING = ("INSERT", "UPDATE", "DELETE")
"""How statements begin that write."""
MEMORY = ":memory:"
"""What SQLite calls a database in no file."""
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
        self._turns = _Turns(self.engine)
        self.fingerprint = fingerprint(self.engine)
        """The same for whoever opens this very database."""

    async def run(self, work: Callable[[Session], Value]) -> Value:
        """Do some work in a transaction, off the event loop; what was lost on the way is done again."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self.now, work)

    def now(self, work: Callable[[Session], Value]) -> Value:
        """Do some work in a transaction, in this thread; a commit whose answer is lost is not done again."""
        until = time.monotonic() + PATIENCE_S
        value, mark = None, ""
        while True:
            try:
                if mark and is_committed(self.engine, mark):
                    return cast(Value, value)
                mark = ""
                with self._turns, Session(self.engine, expire_on_commit=False) as session, session.begin():
                    value = work(session)
                    session.flush()
                    session.expunge_all()
                    mark = mark_of(session)
                return value
            except DataError as error:
                said = str(error.orig).strip().splitlines()[:1]
                raise Refused(f"The database cannot keep this: {''.join(said)}.") from None
            except LOST:
                if time.monotonic() > until or self.closing.wait(AGAIN_S):
                    raise

    def close(self) -> None:
        """Let go of all connections."""
        self.closing.set()
        self._threads.shutdown()
        self.engine.dispose()


class _Turns:
    """Lets one thread write to SQLite after the other.

    SQLite itself lets who comes second sleep and try again, up to 0.1 s at a time, however soon it is free.
    """

    def __init__(self, engine: Engine) -> None:
        self._lock = threading.Lock()
        self._mine = threading.local()
        if engine.dialect.name == "sqlite":
            event.listen(engine, "before_cursor_execute", self._begin)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        """This thread's transaction is over."""
        if getattr(self._mine, "turn", False):
            self._mine.turn = False
            self._lock.release()

    def _begin(self, _: Any, __: Any, statement: str, *___: Any) -> None:
        if statement.startswith(WRITING) and not getattr(self._mine, "turn", False):
            self._lock.acquire()
            self._mine.turn = True


def read_url(told: str) -> URL:
    """The address of a database; only SQLite and PostgreSQL are known."""
    try:
        url = make_url(told)
    except ArgumentError:
        raise HousematesError(
            f"--db: expected sqlite:///FILE or postgresql://USER@HOST/NAME, found {told!r}."
        ) from None
    kind = url.get_backend_name()
    if kind == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if kind != "sqlite":
        raise HousematesError(f"--db: expected sqlite or postgresql, found {kind!r}.")
    if url.database and url.database != MEMORY:
        private_file(url.database)
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


def mark_of(session: Session) -> str:
    """By what PostgreSQL knows a transaction that writes; empty where a commit that fails is not done."""
    if session.get_bind().dialect.name != "postgresql":
        return ""
    return session.execute(text("SELECT CAST(pg_current_xact_id_if_assigned() AS text)")).scalar() or ""


def is_committed(engine: Engine, mark: str) -> bool:
    """Whether a transaction was committed; OperationalError while that is not decided."""
    asked = text("SELECT pg_xact_status(CAST(:mark AS xid8))")
    with engine.connect() as connection:
        status = connection.execute(asked, {"mark": mark}).scalar()
    if status == "in progress":
        raise OperationalError(str(asked), {"mark": mark}, ConnectionError("It is still being committed."))
    return bool(status == "committed")


def upgrade(engine: Engine, version: str = "head") -> None:
    """Bring the tables to a version, the newest if none is named."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)


def fingerprint(engine: Engine) -> str:
    """What tells a database from every other one."""
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            cluster = connection.execute(text("SELECT system_identifier FROM pg_control_system()")).scalar()
            oid = "SELECT oid FROM pg_database WHERE datname = current_database()"
            known = f"{cluster} {connection.execute(text(oid)).scalar()}"
        else:
            file = Path(engine.url.database or MEMORY)
            known = f"{file.stat().st_dev} {file.stat().st_ino}" if file.is_file() else secrets.token_hex()
    return hashlib.sha256(known.encode()).hexdigest()[:16]


def _careful(connection: Any, _: Any) -> None:
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")
