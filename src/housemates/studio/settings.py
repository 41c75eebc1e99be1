"""How a studio is run: where it listens, where it keeps things, and what it bounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from housemates.guard.names import Network, is_loopback
from housemates.guard.policy import SHARES as SHARES_OF_SERVERS
from housemates.guard.policy import Policy
from housemates.guard.shares import Flow, Shares

SHARES: Shares = {
    **SHARES_OF_SERVERS,
    "address": {**SHARES_OF_SERVERS["address"], "starts": Flow(0.5, 60)},
    "seat": {
        "connections": 4,
        "openings": Flow(0.5, 20),
        "acts": Flow(20, 80),
        "points": Flow(60, 60),
        "messages": Flow(100, 400),
        "bytes": Flow(100_000, 1_000_000),
    },
    "visitor": {"starts": Flow(1 / 6, 30), "connections": 12},
    "demo": {
        "starts": Flow(1, 40),
        "starts at once": 8,
        "connections": 80,
        "messages": Flow(500, 2000),
        "sessions": 60,
    },
    "study": {
        "starts": Flow(5, 200),
        "connections": 600,
        "messages": Flow(5000, 20_000),
        "sessions": 300,
    },
    "studies": {"sessions": 500},
}
"""What an address, a seat, an address in the demo, the demo, a study and all studies may have.

Points are questions about what is under the pointer; sessions are those in memory at once.
"""


@dataclass(frozen=True)
class Bounds:
    """What people and programs may do to the server; more is refused."""

    message_bytes: int = 64_000
    """Of one message over a WebSocket."""
    body_bytes: int = 256_000
    """Of one HTTP request."""
    text_chars: int = 2000
    """Of one thing that is said, or one answer of a form."""
    shares: Shares = field(default_factory=lambda: SHARES)
    logins_per_minute: float = 5.0
    """Wrong passwords of one address."""
    idle_s: float = 900.0
    """After so long without an act of anybody a play is given up."""
    parked_s: float = 120.0
    """After so long with nobody there a play leaves memory; it comes back from its journal."""
    lingering_s: float = 60.0
    """So long people may look at a play that is over until their connections are closed."""
    calls: int = 256
    """That may wait for one process."""
    finding_s: float = 60.0
    """That looking for an instance may take."""
    watched_bytes: int = 64_000_000
    """Of pictures that were drawn again for those who watch, in memory."""
    films: int = 20
    """That are kept."""
    screenings: int = 8
    """Parts and films that are drawn or wait to be drawn at once."""
    drawing_s: float = 300.0
    """That a part or a film may take."""
    connections: int = 2000


@dataclass(frozen=True)
class Settings:
    """What `housemates studio` was told."""

    db: str
    """The address of the database, as SQLAlchemy has it."""
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 2
    """Number of worker processes, which hold worlds and draw pictures."""
    demo: bool = True
    """Whether anybody may begin a play of the demo project."""
    store: Path | None = None
    """Store of imported data that projects may use."""
    runs: Path | None = None
    """Folder of evaluation results that may be watched."""
    origins: tuple[str, ...] = ()
    """Other origins than the server's own that pages may come from, such as that of a proxy."""
    agents: tuple[str, ...] = ()
    """Agents besides the known ones that projects may seat: modules, files, addresses."""
    password: str = ""
    """The administrator's, as an argon2 hash; without one there is no administrator."""
    proxies: tuple[Network, ...] = ()
    """Who is believed when they say for whom they ask."""
    step_s: float = 60.0
    """That an agent may think about one act; then its process is ended, and its session with it."""
    bounds: Bounds = field(default_factory=Bounds)
    projects: tuple[str, ...] = ()
    """Names of `study/protocols.toml` that are opened if they are not there."""

    @property
    def loopback(self) -> bool:
        """Whether only programs of this machine can connect."""
        return is_loopback(self.host)

    @property
    def policy(self) -> Policy:
        """What the guard lets through."""
        bounds = self.bounds
        return Policy(
            origins=self.origins,
            proxies=self.proxies,
            pages=True,
            body_bytes=bounds.body_bytes,
            message_bytes=bounds.message_bytes,
            connections=bounds.connections,
            shares=bounds.shares,
        )

    def is_secure(self, scheme: str) -> bool:
        """Whether cookies may be kept to HTTPS: it is spoken now, or an origin that speaks it is named."""
        return scheme == "https" or any(each.startswith("https://") for each in self.origins)


def default_db(folder: Path) -> str:
    """The address of the SQLite file of a folder."""
    return f"sqlite:///{(folder / 'studio.sqlite').absolute()}"
