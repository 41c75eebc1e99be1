"""Starting and stopping a studio's server."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import time

from housemates.errors import HousematesError
from housemates.guard import http_server
from housemates.studio.settings import Settings
from housemates.studio.storage.database import Database
from housemates.studio.web.app import make_app

LAST_S = 3
"""Seconds that answers under way may take once the server is told to stop; agents may not think longer."""
ASKING_S = 10.0
"""How long a server that listens already may take to say what its database is."""
LONGEST = 1000
"""Bytes that it may take for that."""
ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Where a server that listens everywhere is asked."""


def serve(settings: Settings) -> None:
    """Serve until told to stop; SIGTERM lets what is under way finish, and people go to who serves next."""
    database = Database(settings.db)
    listener = listen(settings.host, settings.port, database.fingerprint)
    print(f"The studio is at {http_server.address_of(listener, settings.host)}", flush=True)
    http_server.run(make_app(settings, database), listener, settings.policy, LAST_S)


def listen(host: str, port: int, fingerprint: str) -> socket.socket:
    """A socket that the next server may share if it has the same database, so that it can take over.

    Whoever is first listens alone and only then lets others in; whoever comes later asks for the database.
    """
    listener = http_server.listening(host, port)
    if isinstance(listener, Exception):
        if not hasattr(socket, "SO_REUSEPORT") or not _has_database(host, port, fingerprint):
            raise HousematesError(f"{host}:{port}: cannot be listened at ({listener}).")
        listener = http_server.unbound(host)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listener.bind((host, port))
    elif hasattr(socket, "SO_REUSEPORT"):
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    return listener


def _has_database(host: str, port: int, fingerprint: str) -> bool:
    """Whether a studio with the same database listens there; one with another database is named."""
    until = time.monotonic() + ASKING_S
    while (told := _database_at(host, port)) is None and time.monotonic() < until:
        time.sleep(0.2)
    if told and told != fingerprint:
        raise HousematesError(f"{host}:{port}: a studio with another database listens there.")
    return bool(told)


def _database_at(host: str, port: int) -> str | None:
    """The fingerprint of a studio's database; empty if it is no studio, None if nobody answers yet."""
    asked = http.client.HTTPConnection(ANYWHERE.get(host, host), port, timeout=ASKING_S)
    try:
        with contextlib.closing(asked):
            asked.request("GET", "/health")
            answer = asked.getresponse().read(LONGEST)
    except http.client.HTTPException:
        return ""
    except OSError:
        return None
    try:
        return str(json.loads(answer)["database"])
    except (ValueError, LookupError, TypeError):
        return ""
