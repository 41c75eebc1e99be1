"""Starting and stopping a studio's server."""

from __future__ import annotations

import socket

import uvicorn

from housemates.errors import HousematesError
from housemates.studio.settings import Settings
from housemates.studio.storage.database import Database
from housemates.studio.web.app import make_app

LAST_S = 3
"""Seconds that answers under way may take once the server is told to stop; agents may not think longer."""


def serve(settings: Settings) -> None:
    """Serve until told to stop; SIGTERM lets what is under way finish, and people go to who serves next."""
    database = Database(settings.db)
    listener = listen(settings.host, settings.port)
    config = uvicorn.Config(
        make_app(settings, database),
        log_level="warning",
        ws_max_size=settings.bounds.message_bytes,
        ws_max_queue=32,
        timeout_graceful_shutdown=LAST_S,
        server_header=False,
        proxy_headers=False,
    )
    print(f"The studio is at http://{_shown(settings.host)}:{listener.getsockname()[1]}/", flush=True)
    uvicorn.Server(config).run(sockets=[listener])


def listen(host: str, port: int) -> socket.socket:
    """A socket that the next server may share, so that one takes over from another without a gap."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "SO_REUSEPORT"):
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise HousematesError(f"{host}:{port}: cannot be listened at ({error}).") from None
    return listener


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host
