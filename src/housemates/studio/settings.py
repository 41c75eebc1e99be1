"""How a studio is run: where it listens, where it keeps things, and what it bounds."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Bounds:
    """What people and programs may do to the server; more is refused."""

    message_bytes: int = 64_000
    """Of one message over a WebSocket."""
    body_bytes: int = 256_000
    """Of one HTTP request."""
    text_chars: int = 2000
    """Of one thing that is said, or one answer of a form."""
    acts_per_s: float = 20.0
    """That one seat may try for long; short bursts may be four times as many."""
    points_per_s: float = 60.0
    """Questions about what is under the pointer, of one seat; those beyond find nothing."""
    requests_per_s: float = 30.0
    """HTTP requests of one address for long; short bursts may be ten times as many."""
    logins_per_minute: float = 5.0
    """Wrong passwords of one address."""
    idle_s: float = 900.0
    """After so long without an act of anybody a play is given up."""
    parked_s: float = 120.0
    """After so long with nobody there a play leaves memory; it comes back from its journal."""
    watched_bytes: int = 64_000_000
    """Of pictures that were drawn again for those who watch, in memory."""
    films: int = 20
    """That are kept."""
    screenings: int = 8
    """Parts and films that are drawn or wait to be drawn at once."""
    drawing_s: float = 300.0
    """That a part or a film may take."""
    connections: int = 2000
    plays: int = 500
    """Plays in memory at once."""


@dataclass(frozen=True)
class Settings:
    """What `housemates studio` was told."""

    db: str
    """The address of the database, as SQLAlchemy has it."""
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 2
    """Processes that hold worlds and draw pictures."""
    demo: bool = True
    """Whether anybody may begin a play of the demo project."""
    store: Path | None = None
    """A folder of imported data that projects may use."""
    runs: Path | None = None
    """A folder of evaluation results that may be watched."""
    origins: tuple[str, ...] = ()
    """Other origins than the server's own that pages may come from, such as that of a proxy."""
    agents: tuple[str, ...] = ()
    """Agents besides the known ones that projects may seat: modules, files, addresses."""
    password: str = ""
    """The administrator's, as an argon2 hash; without one there is no administrator."""
    bounds: Bounds = field(default_factory=Bounds)

    @property
    def loopback(self) -> bool:
        """Whether only programs of this machine can connect."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def default_db(folder: Path) -> str:
    """The address of the SQLite file of a folder."""
    return f"sqlite:///{(folder / 'studio.sqlite').absolute()}"
