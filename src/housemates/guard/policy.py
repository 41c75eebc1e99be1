"""What a server lets through, and how long it waits for it."""

from __future__ import annotations

from dataclasses import dataclass, field

from housemates.guard.names import Network
from housemates.guard.shares import Flow, Shares

SHARES: Shares = {
    "address": {
        "requests": Flow(30, 300),
        "requests at once": 64,
        "bytes": Flow(1_000_000, 16_000_000),
        "connections": 128,
    },
    "server": {"requests at once": 512},
}
"""What one address may have, and all together; a connection is one that lasts, a WebSocket."""


@dataclass(frozen=True)
class Policy:
    """What a server lets through."""

    origins: tuple[str, ...] = ()
    """Origins besides the server's own that pages may come from, and whose hosts it answers to."""
    proxies: tuple[Network, ...] = ()
    """Who is believed when they say for whom they ask."""
    pages: bool = False
    """Whether its WebSockets are for its own pages alone, which always say where they come from."""
    body_bytes: int = 256_000
    """Of one HTTP request."""
    message_bytes: int = 64_000
    """Of one message over a WebSocket."""
    header_s: float = 10.0
    """That the head of a request may take."""
    body_s: float = 20.0
    """That the body of a request may take."""
    stall_s: float = 30.0
    """After so long in which a client takes nothing of what it is sent, it is dropped."""
    connections: int = 2000
    """At once, of everybody; fewer if the system allows fewer files."""
    connections_each: int = 256
    """At once, of one address that is no proxy."""
    shares: Shares = field(default_factory=lambda: SHARES)
