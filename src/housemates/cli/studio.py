"""`housemates studio`: people in the loop, in a browser."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import tyro

from housemates.cli import options
from housemates.errors import HousematesError
from housemates.files import read_text

if TYPE_CHECKING:
    from housemates.studio.storage.database import Database

PASSWORD = "HOUSEMATES_STUDIO_PASSWORD"
"""Where the administrator's password may be, if in no file."""
LEAST = 8
"""Characters of a password."""


@dataclass
class Serve:
    """Play, collect, annotate and watch in a browser; `studio backup` and `studio restore` keep it safe."""

    host: str = "127.0.0.1"
    """Where to listen; another host than loopback needs an administrator's password."""
    port: int = 8000
    """Where to listen."""
    db: str = "sqlite:///studio.sqlite"
    """Where everything is kept: sqlite:///FILE or postgresql://USER@HOST/NAME."""
    workers: int = 2
    """Number of worker processes, which hold worlds and draw pictures."""
    store: Path | None = None
    """Store of imported data that projects may use."""
    runs: Path | None = None
    """Folder of evaluation results that may be watched."""
    agents: list[str] = field(default_factory=list)
    """Further agents that projects may use: module:Class, file.py:Class, http://ADDRESS."""
    origins: list[str] = field(default_factory=list)
    """Further origins of pages, such as https://studio.example.org behind a proxy."""
    password_file: Path | None = None
    """File with the administrator's password; by default HOUSEMATES_STUDIO_PASSWORD is used."""
    demo: bool = True
    """Let anybody take a seat in the demo project."""
    trusted_proxy: list[str] = field(default_factory=list)
    """Addresses or networks of proxies whose X-Forwarded-For is trusted, such as 127.0.0.1."""
    projects: list[str] = field(default_factory=list)
    """Projects as the papers let people play, to be opened if they are not there: alfred-people,
    handmethat-people, handmethat-people-partial, cerealbar-live-1 (a program follows), cerealbar-live-2."""
    step_s: float = 60.0
    """Time limit of an agent's act in seconds; exceeding it ends the session."""

    def run(self) -> None:
        """Serve until told to stop."""
        with needed():
            from housemates.guard.names import read_networks
            from housemates.studio.server import serve
            from housemates.studio.settings import Settings
            from housemates.studio.study.protocols import protocol
            from housemates.studio.web.gate import hashed
        for name in self.projects:
            protocol(name)
        password = self._password()
        settings = Settings(
            *(self.db, self.host, self.port, self.workers, self.demo, self.store, self.runs),
            *(tuple(self.origins), tuple(self.agents)),
            proxies=read_networks(self.trusted_proxy, "--trusted-proxy"),
            step_s=self.step_s,
            projects=tuple(self.projects),
        )
        if not password and not settings.loopback:
            raise HousematesError(
                f"--host {self.host}: other machines can reach it, so it needs an administrator's password: "
                f"give --password-file or {PASSWORD}."
            )
        if not password:
            password = secrets.token_urlsafe(9)
            print(f"The administrator's password is {password} until the studio stops.", flush=True)
        serve(replace(settings, password=hashed(password)))

    def _password(self) -> str:
        if self.password_file is None:
            found = os.environ.get(PASSWORD, "")
        else:
            found = read_text(self.password_file).strip()
        if (found or self.password_file) and len(found) < LEAST:
            raise HousematesError(f"The administrator's password: expected {LEAST} characters or more.")
        return found


@dataclass
class Backup:
    """Back up a studio's database to one file."""

    out: tyro.conf.Positional[Path]
    """Output file."""
    db: str = "sqlite:///studio.sqlite"
    """The studio's database."""

    def run(self) -> None:
        """Write the backup to its file."""
        with opened(self.db) as database:
            from housemates.studio.study.backup import backup

            print(f"{self.out}: {backup(database, self.out)} rows.")


@dataclass
class Restore:
    """Restore a backup into an empty database."""

    backup: tyro.conf.Positional[Path]
    """Output file."""
    db: str = "sqlite:///studio.sqlite"
    """The database to restore into."""
    store: Path | None = None
    """The folder of imported data that projects of the backup may use."""
    agents: list[str] = field(default_factory=list)
    """Agents besides the known ones that projects of the backup may seat, as for the studio itself."""

    def run(self) -> None:
        """Read the backup into the database, which has to be empty."""
        with opened(self.db) as database:
            from housemates.studio.settings import Settings
            from housemates.studio.study.restore import restore

            settings = Settings(self.db, store=self.store, agents=tuple(self.agents))
            print(f"{self.db}: {restore(database, self.backup, settings)} rows.")


@contextmanager
def needed() -> Iterator[None]:
    """What is not installed is one sentence."""
    try:
        yield
    except ImportError as error:
        raise HousematesError(
            f"The studio needs more than is installed ({error.name}): pip install 'housemates[studio]'."
        ) from None


@contextmanager
def opened(db: str) -> Iterator[Database]:
    """A database, for one command."""
    with needed():
        from housemates.studio.storage.database import Database
    database = Database(db)
    try:
        yield database
    finally:
        database.close()


def main(verb: str, argv: list[str]) -> None:
    """Serve `housemates studio`, or one of its commands."""
    commands = {"backup": Backup, "restore": Restore}
    if argv and argv[0] in commands:
        options.run(commands[argv[0]], f"housemates {verb} {argv[0]}", argv[1:])
    else:
        options.run(Serve, f"housemates {verb}", argv)
