"""Serving an application behind its guard, at a socket that is listened at."""

from __future__ import annotations

import socket

import uvicorn
from starlette.types import ASGIApp

from housemates.guard.connections import Doorkeeper, protocols
from housemates.guard.policy import Policy

BACKLOG = 1024
SPARE_FILES = 200
"""Files that are kept for databases, processes and data."""


def run(app: ASGIApp, listener: socket.socket, policy: Policy, last_s: int | None = None) -> None:
    """Serve an application until told to stop.

    Args:
        app: With its `Guard` around it.
        listener: Where it listens.
        policy: Of the guard.
        last_s: Seconds that answers under way may take once the server is told to stop; any by default.
    """
    http, websocket = protocols(Doorkeeper(policy, room(policy.connections)))
    config = uvicorn.Config(
        app,
        log_level="error",
        http=http,
        ws=websocket,
        ws_max_size=policy.message_bytes,
        timeout_graceful_shutdown=last_s,
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
    )
    uvicorn.Server(config).run(sockets=[listener])


def listening(host: str, port: int) -> socket.socket | OSError | OverflowError:
    """A socket that listens alone, or why it cannot; 0 is any port that is free."""
    listener = unbound(host)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        listener.close()
        return error
    return listener


def unbound(host: str) -> socket.socket:
    """A socket for an address of this machine."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    return made


def address_of(listener: socket.socket, host: str) -> str:
    """The URL of a server that listens."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}/"


def room(connections: int) -> int:
    """How many connections there can be; the system is asked for as many files as that needs."""
    try:
        import resource
    except ImportError:
        return connections
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    wanted = connections + SPARE_FILES
    if soft != unlimited and soft < wanted:
        soft = wanted if hard == unlimited else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return connections if soft == unlimited else max(1, min(connections, soft - SPARE_FILES))
