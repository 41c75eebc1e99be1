"""A server behind its guard: slow and half-open clients are dropped, and nobody keeps out another."""

from __future__ import annotations

import contextlib
import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ME, OTHER = "127.0.0.1", "127.0.0.2"
EACH = 20
CODE = """
import sys
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from housemates.guard import http_server
from housemates.guard.middleware import Guard
from housemates.guard.policy import Policy

async def echo(request):
    return PlainTextResponse(str(len(await request.body())))

async def long(request):
    return PlainTextResponse("x" * 50_000_000)

times = {"header_s": 1.0, "body_s": 1.0, "stall_s": 1.0}
policy = Policy(body_bytes=1_000_000, connections_each=int(sys.argv[2]), **times)
app = Guard(Starlette(routes=[Route("/", echo, methods=["GET", "POST"]), Route("/long", long)]), policy)
http_server.run(app, http_server.listening("127.0.0.1", int(sys.argv[1])), policy)
"""


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[int, int]]:
    """The port of a server, and its process."""
    with socket.create_server((ME, 0)) as found:
        free = int(found.getsockname()[1])
    with subprocess.Popen([sys.executable, "-c", CODE, str(free), str(EACH)]) as process:
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with contextlib.suppress(OSError), connected(free):
                break
            time.sleep(0.05)
        yield free, process.pid
        process.terminate()


@pytest.fixture
def port(server: tuple[int, int]) -> int:
    """Where it listens."""
    return server[0]


def connected(port: int, source: str = ME) -> socket.socket:
    """A connection from an address."""
    return socket.create_connection((ME, port), timeout=10, source_address=(source, 0))


def asked(port: int, source: str = ME, body: bytes = b"") -> tuple[int, bytes]:
    """What is answered to a whole request."""
    connection = http.client.HTTPConnection(ME, port, timeout=10, source_address=(source, 0))
    with contextlib.closing(connection):
        connection.request("POST" if body else "GET", "/", body or None)
        answer = connection.getresponse()
        return answer.status, answer.read()


def is_dropped(connection: socket.socket, within_s: float = 5.0) -> bool:
    """Whether the server ends a connection without an answer."""
    connection.settimeout(within_s)
    try:
        return connection.recv(1000) == b""
    except ConnectionError:
        return True


def test_a_head_that_does_not_come_in_time_ends_its_connection(port: int) -> None:
    with connected(port) as silent, connected(port) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        assert is_dropped(slow)
        assert is_dropped(silent)


def test_a_second_head_that_does_not_come_in_time_ends_its_connection(port: int) -> None:
    with connected(port) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = b""
        while not answer.endswith(b"\r\n\r\n0"):
            answer += slow.recv(1000)
        slow.sendall(b"GET")
        began = time.monotonic()
        assert is_dropped(slow)
        assert time.monotonic() - began < 4.0


def test_a_body_that_does_not_come_in_time_or_is_too_long_is_refused(port: int) -> None:
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
    with connected(port) as slow:
        slow.sendall(head % 100 + b"x")
        assert b" 408 " in slow.recv(1000)
    with connected(port) as long:
        long.sendall(head % 2_000_000)
        answer = b""
        while data := long.recv(1000):
            answer += data
        assert b" 413 " in answer
    assert asked(port, body=b"x" * 500_000) == (200, b"500000")


def test_one_address_with_half_heads_keeps_out_neither_itself_nor_another(port: int) -> None:
    with contextlib.ExitStack() as stack:
        half = [stack.enter_context(connected(port)) for _ in range(3 * EACH)]
        for each in half[-EACH:]:
            with contextlib.suppress(OSError):
                each.sendall(b"GET / HTTP/1.1\r\nHost: local")
        began = time.monotonic()
        assert asked(port, OTHER) == (200, b"0")
        assert asked(port) == (200, b"0")
        assert time.monotonic() - began < 0.9
        assert is_dropped(half[0], 0.1)


def test_one_address_has_no_more_connections_than_its_share(port: int) -> None:
    with contextlib.ExitStack() as stack:
        busy = [stack.enter_context(connected(port)) for _ in range(EACH)]
        for each in busy:
            each.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
        time.sleep(0.3)
        assert is_dropped(stack.enter_context(connected(port)), 0.3)
        assert asked(port, OTHER) == (200, b"0")


def test_who_takes_nothing_of_the_answer_is_dropped(server: tuple[int, int]) -> None:
    port, process = server
    files = Path(f"/proc/{process}/fd")
    time.sleep(1.2)  # whoever came before is gone
    before = len(list(files.iterdir()))
    with connected(port) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.sendall(b"GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(0.5)
        assert len(list(files.iterdir())) == before + 1
        time.sleep(1.5)
        assert len(list(files.iterdir())) == before
