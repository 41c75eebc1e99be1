"""The protocol of version 3 and later: messages of fields through two named pipes."""

from __future__ import annotations

import contextlib
import os
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

import msgspec

from housemates.errors import HousematesError
from housemates.thor.server import Answer, Backend

HEADER = struct.Struct("!BI")
"""Before each field: its kind and the number of its bytes."""
METADATA, ACTION, END = 1, 2, 255
PICTURES = {"rgb": 4, "depth": 5, "classes": 8, "instances": 9}
ADDED = {"rgb": 10, "depth": 12, "instances": 14, "classes": 15}
"""The same of the cameras that nobody carries."""
LONGEST = 1 << 26
"""Bytes of a message from the client."""
PIPE_BYTES = 1 << 20
F_SETPIPE_SZ = 1031
"""Linux's number for changing what a pipe holds."""


def run(backend: Backend) -> None:
    """Answer the client until it closes its pipe."""
    client = backend.client
    there, here = (Path(client.told(f"FIFO_{end}_PIPE_PATH")) for end in ("SERVER", "CLIENT"))
    try:
        with there.open("wb", buffering=0) as outgoing:
            with contextlib.suppress(OSError, ImportError):
                import fcntl

                fcntl.fcntl(outgoing, F_SETPIPE_SZ, PIPE_BYTES)
            send(outgoing, backend.begin())
            with here.open("rb") as incoming:
                while (text := receive(incoming)) is not None:
                    answer = backend.perform(text)
                    if answer is None:
                        return
                    send(outgoing, answer)
    except FileNotFoundError as error:
        raise HousematesError(
            f"{error.filename}: no such pipe; the client makes it before it starts this."
        ) from None


def send(pipe: BinaryIO, answer: Answer) -> None:
    """Write one message to the pipe, with its type and length."""
    parts = [field(METADATA, msgspec.msgpack.encode(answer.metadata))]
    for kind, added, data in answer.images:
        parts.append(field((ADDED if added else PICTURES)[kind], data))
    parts.append(field(END, b""))
    _write(pipe, b"".join(parts))


def field(kind: int, body: bytes) -> bytes:
    """One field of a message."""
    return HEADER.pack(kind, len(body)) + body


def _write(pipe: BinaryIO, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(pipe.fileno(), left) :]


def receive(pipe: BinaryIO) -> bytes | None:
    """Read one message; None if the client has closed the pipe, also in the middle of one.

    Raises:
        HousematesError: if it is none of the messages that clients send.
    """
    action = None
    for kind, body in _fields(pipe):
        if kind == END:
            return action if action is not None else b""
        if kind != ACTION:
            raise HousematesError(f"The client sent a field of kind {kind}: expected {ACTION}, an action.")
        action = body
    return None


def _fields(pipe: BinaryIO) -> Iterable[tuple[int, bytes]]:
    while len(header := pipe.read(HEADER.size)) == HEADER.size:
        kind, length = HEADER.unpack(header)
        if length > LONGEST:
            raise HousematesError(f"The client sent a field of {length} bytes: expected at most {LONGEST}.")
        body = pipe.read(length)
        if len(body) < length:
            return
        yield kind, body
