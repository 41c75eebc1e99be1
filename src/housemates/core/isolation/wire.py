"""What passes between an isolated agent and its seat: messages on a socket, pictures in shared memory.

The seat's side is trusted, so what it sends is pickled and keeps its types; what the agent's side answers is
JSON, is looked at with suspicion, and is never unpickled.
"""

from __future__ import annotations

import io
import json
import pickle
import socket
import struct
import time
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

LONGEST = 8_000_000
"""Bytes of an answer; a longer one is not read."""
SLICE_S = 0.25
"""How often one looks up while waiting, so that Ctrl-C is heard."""
_HEAD = struct.Struct("!I")


class Late(Exception):
    """No whole message came in time."""


class Gone(Exception):
    """Nobody is at the other end."""


class Wire:
    """One end of a socket on which messages pass.

    Args:
        connected: The socket.
        longest: Bytes that a message from the other end may have; None if anything is believed.
    """

    def __init__(self, connected: socket.socket, longest: int | None = None) -> None:
        self._socket, self._longest = connected, longest

    def send(self, message: bytes, until: float | None = None) -> None:
        """Send a message whole, by a moment of `time.monotonic` if one is named."""
        left = memoryview(_HEAD.pack(len(message)) + message)
        while left:
            left = left[self._attempt(self._socket.send, left, until) :]

    def receive(self, until: float | None = None) -> bytes:
        """The next message, by a moment of `time.monotonic` if one is named."""
        (length,) = _HEAD.unpack(self._read(_HEAD.size, until))
        if self._longest is not None and length > self._longest:
            raise Gone(f"answered with {length} bytes, and {self._longest} are allowed")
        return self._read(length, until)

    def close(self) -> None:
        """Hang up, so that the other end hears no more."""
        self._socket.close()

    def _read(self, length: int, until: float | None) -> bytes:
        found = bytearray()
        while len(found) < length:
            piece = self._attempt(self._socket.recv, min(length - len(found), 1 << 20), until)
            if not piece:
                raise Gone
            found += piece
        return bytes(found)

    def _attempt(self, call: Callable[[Any], Any], argument: Any, until: float | None) -> Any:
        while True:
            if until is not None:
                left = until - time.monotonic()
                if left <= 0:
                    raise Late
                self._socket.settimeout(min(left, SLICE_S))
            try:
                return call(argument)
            except TimeoutError:
                continue
            except OSError as error:
                raise Gone from error


def as_json(message: dict[str, Any]) -> bytes:
    """A message of the agent's side; what is neither plain nor an array is shown in short."""
    return json.dumps(message, default=_plain).encode()


def from_json(message: bytes) -> dict[str, Any]:
    """A message of the agent's side as the seat's side reads it.

    Raises:
        ValueError: If it is none.
    """
    try:
        found = json.loads(message)
    except RecursionError:
        found = None
    if not isinstance(found, dict):
        raise ValueError("it answered with something else than a message")
    return found


def _plain(value: Any) -> Any:
    import numpy as np

    from housemates.core.actions import Act, shown
    from housemates.core.masks import runs_of

    if isinstance(value, Act):
        return value.plain()
    if isinstance(value, np.ndarray) and value.ndim == 2 and value.size and value.dtype != object:
        return runs_of(value)
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    return dict(value) if isinstance(value, MappingProxyType) else [shown(value)]


def frozen(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    """A mapping that cannot be changed."""
    return MappingProxyType(values)


def pickled(message: Any, replaced: Callable[[Any], Any]) -> bytes:
    """A message of the seat's side.

    Args:
        message: What is sent.
        replaced: Makes of an object what stands for it on the other side, as `object.__reduce__` says it;
            NotImplemented for what goes as it is.
    """
    stream = io.BytesIO()
    _Pickler(stream, replaced).dump(message)
    return stream.getvalue()


class _Pickler(pickle.Pickler):
    def __init__(self, stream: io.BytesIO, replaced: Callable[[Any], Any]) -> None:
        super().__init__(stream, pickle.HIGHEST_PROTOCOL)
        self._replaced = replaced

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, MappingProxyType):
            return frozen, (dict(value),)
        return self._replaced(value)
