"""A small HTTP server on this machine that answers as a test says."""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

Answer = Callable[[dict[str, Any]], Any]
"""A message -> an object to answer with, bytes, a status with one of them, or what to do with the handler."""


class Handler(BaseHTTPRequestHandler):
    """Answers what `answer` of its server says."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer one message."""
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.heard.append((self.path, dict(self.headers), message))
        found = self.server.answer(message)
        if callable(found):
            self.close_connection = True
            with contextlib.suppress(OSError):
                found(self)
            return
        status, found = found if isinstance(found, tuple) else (200, found)
        body = found if isinstance(found, bytes) else json.dumps(found).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """Keeps what it has heard."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, answer: Answer) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer, self.heard = answer, []
        self.url = f"http://127.0.0.1:{self.server_address[1]}/"


@pytest.fixture
def served() -> Iterator[Callable[[Answer], Server]]:
    """Starts servers, and stops them after the test."""
    with contextlib.ExitStack() as stack:

        def serve(answer: Answer) -> Server:
            server = stack.enter_context(Server(answer))
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
            stack.callback(server.shutdown)
            return server

        yield serve


@pytest.fixture(scope="session")
def free_port() -> Callable[[], int]:
    """Finds a port that nobody listens on."""

    def find() -> int:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            return int(taken.getsockname()[1])

    return find


@pytest.fixture(scope="session")
def listening() -> Callable[[int], None]:
    """Waits until somebody listens on a port."""

    def wait(port: int) -> None:
        until = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)

    return wait
