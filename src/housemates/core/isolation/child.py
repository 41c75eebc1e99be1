"""The process of an isolated agent: it shuts itself in before it loads anybody's code, and then serves it.

Nothing but the standard library is imported before that, as threads that are there already would stay out.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import socket
import sys
from typing import Any

from housemates.core.isolation import sandbox
from housemates.core.isolation.wire import Gone, Wire, as_json


def main(handed: str) -> None:
    """Serve one agent on the socket that the parent handed over.

    Args:
        handed: The number of its file; on Windows it comes on standard input.
    """
    connected = (
        socket.socket(fileno=int(handed)) if handed else socket.fromshare(sys.stdin.buffer.read())  # type: ignore[attr-defined,unused-ignore]
    )
    connected.setblocking(True)
    wire = Wire(connected)
    setup: dict[str, Any] = json.loads(wire.receive())
    sys.argv[:] = [""]
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    if setup["mortal"]:
        sandbox.end_with(setup["parent"])
    os.chdir(setup["folder"])
    sandbox.shut_in(setup["folder"], setup["readable"], setup["memory"], setup["file_bytes"])
    if not setup["mortal"]:
        sandbox.watch(setup["parent"])
    found = sandbox.tried(setup["outside"], setup["parent"], setup["memory"])
    wire.send(as_json({"isolated": found}))
    from housemates.core.isolation.server import serve

    with contextlib.suppress(Gone):
        serve(wire, setup["pictures"], setup["picture_bytes"])
    os._exit(0)
