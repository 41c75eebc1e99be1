"""Locks on files, which the system takes back when their process ends, however it ends."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

HELD = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
"""What the system says of a file that somebody else has locked."""
LOCKED_BYTE = 2**40
"""Where in a file the lock lies on systems that lock bytes: behind everything that is read."""
PAUSE_S = 0.05


def lock(stream: IO[bytes]) -> bool:
    """Lock an open file until it is closed; False if somebody else has done so.

    Raises:
        OSError: There are no locks in its folder.
    """
    try:
        if os.name == "nt":
            import msvcrt

            stream.seek(LOCKED_BYTE)
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in HELD:
            return False
        raise
    return True


@contextmanager
def in_turn(path: Path, patience_s: float) -> Iterator[None]:
    """Do something while no other process does, or after having waited so long.

    Where nothing can be written, or nothing locked, everybody goes on at once.
    """
    with ExitStack() as held:
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            stream = held.enter_context(path.open("ab"))
            end = time.monotonic() + patience_s
            while not lock(stream) and time.monotonic() < end:
                time.sleep(PAUSE_S)
        yield
