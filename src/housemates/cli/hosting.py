"""What commands that serve a seat to other programs have in common."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import tyro

from housemates.cli.seats import OtherSeats
from housemates.errors import HousematesError

if TYPE_CHECKING:
    from housemates.adapters.hosting import Host


@dataclass(kw_only=True)
class Hosting(OtherSeats):
    """A seat served to other programs, and the agents in the other seats."""

    benchmark: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="BENCHMARK")]
    """The benchmark, for example teach-tatc, alfred, handmethat or cerealbar."""
    most: int = 64
    """Maximum number of concurrent episodes."""

    def host(self) -> Host:
        """The host of the seat."""
        from housemates.adapters.hosting import Host
        from housemates.core.isolation.agent import Isolation
        from housemates.core.options import pairs

        agent_options = pairs(self.agent_option, "--agent-option")
        options = pairs(self.option, "--option")
        return Host(
            self.benchmark,
            self.role,
            self.agents,
            agent_options,
            self.split,
            self.seed,
            self.most,
            options,
            isolation=Isolation() if self.isolate else None,
        )


def listen(flag: str, address: str, port: int) -> socket.socket:
    """A socket that listens, at any free port for 0; what cannot be had is refused, naming the flag."""
    from housemates.guard import http_server

    listener = http_server.listening(address, port)
    if isinstance(listener, Exception):
        raise HousematesError(f"{flag} {port}: nobody can listen there ({listener}).")
    return listener


def announce(hosting: Hosting, host: Host, listener: socket.socket, path: str = "") -> None:
    """Say on standard output who can take which seat where, and how to stop."""
    from housemates.guard import http_server

    url = http_server.address_of(listener, listener.getsockname()[0])
    print(f"{hosting.benchmark}, the {host.role}: {url}{path} (Ctrl-C stops it)", flush=True)
