"""The side of a process that works for another: it takes pieces of work, and says what it was at."""

from __future__ import annotations

import contextlib
import faulthandler
import io
import multiprocessing
import os
import pickle
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import IO, Any

from housemates.parallel.ordered_map import Answer, Task

SPENT = 86
"""The exit code of a process whose memory is used up."""
_last_words: IO[bytes] | None = None
"""A file that the parent reads if this process dies; none in a process that is nobody's worker."""


def is_worker() -> bool:
    """Whether this process works for another one."""
    return _last_words is not None


def note(text: str) -> None:
    """Say what this process is at, in one line: if it dies, `Loss.at` tells it.

    One that is at several things at once says nothing: if it dies, each is done again by one of its own.
    """
    if _last_words is not None and threading.current_thread() is threading.main_thread():
        with contextlib.suppress(OSError):
            os.ftruncate(_last_words.fileno(), 0)
            _last_words.write(f"{text}\n".encode())


@contextlib.contextmanager
def doomed(seconds: float) -> Iterator[None]:
    """End this worker, whatever it is doing, if the block takes longer; nothing in other processes."""
    if _last_words is None:
        yield
        return
    key = object()
    with _arming:
        _dooms[key] = time.monotonic() + seconds
        _arm()
    try:
        yield
    finally:
        with _arming:
            del _dooms[key]
            _arm()


_dooms: dict[object, float] = {}
"""When this process is to end."""
_arming = threading.Lock()


def _arm() -> None:
    """Set the one alarm that needs no Python to ring to the first of all dooms."""
    assert _last_words is not None
    if _dooms:
        left = max(0.001, min(_dooms.values()) - time.monotonic())
        faulthandler.dump_traceback_later(left, exit=True, file=_last_words)
    else:
        faulthandler.cancel_dump_traceback_later()


def limit_memory(megabytes: int) -> None:
    """Let this worker have no more memory than this, where the system can do that."""
    if is_worker() and sys.platform == "linux":
        import resource

        most = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (megabytes * 2**20, most))


def exhausted() -> None:
    """End this worker, as there is no memory left for the next piece of work; nothing in other processes."""
    if _last_words is not None:
        os._exit(SPENT)


def serve(
    connection: Connection,
    packed: bytes,
    slots: int,
    words: str,
    parent: int,
    mortal: bool,
) -> None:
    """Answer each task that comes with what the function makes of its item, until there are no more.

    Args:
        connection: Where tasks come from and answers go.
        packed: The pickled function that is called with an item; what it imports, which takes long, is
            imported only when this process can no longer outlive its parent.
        slots: How many tasks are worked on at once: more than one, in threads.
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
    function = pickle.loads(packed)
    with contextlib.suppress(EOFError, OSError):
        connection.send(None)
        if slots > 1:
            _work_in_threads(connection, function, slots)
        while True:
            task = connection.recv()
            note("")
            connection.send_bytes(_answered(function, task))


def _work_in_threads(connection: Connection, function: Callable[[Any], Any], slots: int) -> None:
    """Take tasks until there are no more; threads answer them as they are done."""
    tasks: queue.SimpleQueue[Task] = queue.SimpleQueue()
    answering = threading.Lock()

    def work() -> None:
        with contextlib.suppress(OSError):
            while True:
                answer = _answered(function, tasks.get())
                with answering:
                    connection.send_bytes(answer)

    for _ in range(slots):
        threading.Thread(target=work, daemon=True).start()
    while True:
        tasks.put(connection.recv())


def _answered(function: Callable[[Any], Any], task: Task) -> bytes:
    """What comes of a task, with its number."""
    number, item = task
    try:
        return pickle.dumps((number, Answer(function(item))))
    except BaseException as error:
        trail = traceback.format_exc()
        try:
            assert isinstance(error, Exception)
            error.add_note(f"In a process of its own:\n{trail}")
            packed = pickle.dumps((number, Answer(None, error)))
            pickle.loads(packed)
        except Exception:
            return pickle.dumps((number, Answer(None, RuntimeError(f"In a process of its own:\n{trail}"))))
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
