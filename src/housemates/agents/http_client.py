"""Asking another program over HTTP: one connection that is kept, one deadline, a bounded answer."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from housemates.errors import HousematesError

CONNECT_S = 10.0
"""How long it may take until somebody answers at all."""
LONGEST = 16_000_000
"""Bytes of an answer."""
HUNG_UP = (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError)
"""What a connection that was kept says when the other side has given it up: worth another try."""


class CallFailed(HousematesError):
    """Nothing that could be used came back."""


class Unreachable(CallFailed):
    """Nobody is there, or hangs up without a word."""


class Answer(NamedTuple):
    """Status, headers and body that came back."""

    status: int
    headers: Mapping[str, str]
    """By names in small letters."""
    body: bytes


class Endpoint:
    """An address that takes POST requests; for one thread at a time.

    Args:
        url: Where it is; `http` or `https`.
        timeout: Seconds from a request to the end of its answer.
        headers: Sent with each request.
        longest: Bytes that an answer may have.
    """

    def __init__(
        self, url: str, timeout: float, headers: Mapping[str, str] | None = None, longest: int = LONGEST
    ) -> None:
        self.url, self._timeout, self._longest = url, timeout, longest
        self._headers = {"Content-Type": "application/json", **(headers or {})}
        try:
            parts = urlsplit(url)
            self._host, self._port = parts.hostname or "", parts.port
        except ValueError:
            raise HousematesError(f"{url}: expected an address such as http://localhost:8000/.") from None
        if parts.scheme not in ("http", "https") or not self._host:
            raise HousematesError(f"{url}: expected an address such as http://localhost:8000/.")
        self._secure = parts.scheme == "https"
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._connection: http.client.HTTPConnection | None = None

    def post(self, body: bytes) -> Answer:
        """Send a request and wait for its answer.

        Raises:
            Unreachable: Nobody is there.
            CallFailed: No whole answer came in time.
        """
        while True:
            kept = self._connection is not None
            try:
                return self._posted(body)
            except HUNG_UP:
                self.close()
                if not kept:
                    raise Unreachable(f"{self.url}: hung up without an answer.") from None
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Close the connection, if one is open."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _posted(self, body: bytes) -> Answer:
        connection = self._connected()
        with _deadline(connection.sock, self._timeout) as late:
            try:
                connection.request("POST", self._path, body, self._headers)
                response = connection.getresponse()
                found = response.read(self._longest + 1)
                cut = bool(response.length)
            except (http.client.HTTPException, OSError) as error:
                if late.is_set() or isinstance(error, TimeoutError):
                    raise self._late() from None
                if isinstance(error, HUNG_UP):
                    raise
                found, cut = b"", True
        if late.is_set():
            raise self._late()
        if len(found) > self._longest:
            self.close()
            raise CallFailed(f"{self.url}: expected an answer of at most {self._longest} bytes, found more.")
        if cut:
            raise CallFailed(f"{self.url}: expected an answer, found a part of one.")
        if response.will_close:
            self.close()
        headers = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, headers, found)

    def _connected(self) -> http.client.HTTPConnection:
        if self._connection is not None:
            return self._connection
        made: http.client.HTTPConnection
        wait = min(CONNECT_S, self._timeout)
        if self._secure:
            made = http.client.HTTPSConnection(
                self._host, self._port, timeout=wait, context=ssl.create_default_context()
            )
        else:
            made = http.client.HTTPConnection(self._host, self._port, timeout=wait)
        try:
            made.connect()
        except (OSError, UnicodeError) as error:
            why = getattr(error, "strerror", None) or "no answer"
            raise Unreachable(f"{self.url}: cannot be reached ({why}).") from None
        made.sock.settimeout(self._timeout)
        self._connection = made
        return made

    def _late(self) -> CallFailed:
        return CallFailed(f"{self.url}: no answer within {self._timeout:g} s.")


@contextlib.contextmanager
def _deadline(connected: socket.socket, seconds: float) -> Iterator[threading.Event]:
    """Cut a connection off after some time, however slowly it drips; the event says whether that happened."""
    late = threading.Event()

    def cut() -> None:
        late.set()
        with contextlib.suppress(OSError):
            connected.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()
