"""The side of a process that works for another: it takes pieces of work, and says what it was at."""

from __future__ import annotations

import contextlib
import faulthandler
import io
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import IO, Any, NamedTuple

_last_words: IO[bytes] | None = None
"""A file that the parent reads if this process dies; none in a process that is nobody's worker."""


class Answer(NamedTuple):
    """What comes back for a piece of work: a value, or an exception."""

    value: Any
    error: Exception | None = None


def is_worker() -> bool:
    """Whether this process works for another one."""
    return _last_words is not None


def note(text: str) -> None:
    """Say what this process is at, in one line: if it dies, `Loss.at` tells it."""
    if _last_words is not None:
        with contextlib.suppress(OSError):
            os.ftruncate(_last_words.fileno(), 0)
            _last_words.write(f"{text}\n".encode())


@contextlib.contextmanager
def doomed(seconds: float) -> Iterator[None]:
    """End this worker, whatever it is doing, if the block takes longer; nothing in other processes."""
    if _last_words is None:
        yield
        return
    faulthandler.dump_traceback_later(seconds, exit=True, file=_last_words)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def serve(
    connection: Connection, function: Callable[[Any], Any], words: str, parent: int, mortal: bool
) -> None:
    """Answer each item that comes with what the function makes of it, until there are no more.

    Args:
        connection: Where items come from and answers go.
        function: What to do with an item.
        words: A file for last words.
        parent: The id of the process to work for, and not to outlive.
        mortal: Whether the system may end this process when the thread that started it ends.
    """
    global _last_words
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _end_with(parent, mortal)
    _last_words = open(words, "ab", buffering=0)  # noqa: PTH123, SIM115
    faulthandler.enable(_last_words)
    os.dup2(sys.__stderr__.fileno() if sys.__stderr__ else 2, 1)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True, write_through=False)
    with contextlib.suppress(EOFError, OSError):
        connection.send(None)
        while True:
            item = connection.recv()
            note("")
            connection.send_bytes(_answered(function, item))


def _answered(function: Callable[[Any], Any], item: Any) -> bytes:
    try:
        return pickle.dumps(Answer(function(item)))
    except BaseException as error:
        trail = traceback.format_exc()
        try:
            assert isinstance(error, Exception)
            error.add_note(f"In a process of its own:\n{trail}")
            packed = pickle.dumps(Answer(None, error))
            pickle.loads(packed)
        except Exception:
            return pickle.dumps(Answer(None, RuntimeError(f"In a process of its own:\n{trail}")))
        return packed


def _end_with(parent: int, mortal: bool) -> None:
    """End when the parent does, however it ends."""
    if mortal and sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    watched = multiprocessing.parent_process()
    if watched is None or watched.pid != parent or (os.name == "posix" and os.getppid() != parent):
        os._exit(1)

    def watch() -> None:
        watched.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
