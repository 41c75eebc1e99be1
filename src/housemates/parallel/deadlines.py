"""The alarm clock of threads, as the system has one for main threads alone."""

from __future__ import annotations

import contextlib
import ctypes
import math
import threading
import time
from collections.abc import Callable, Iterator


class _Clock:
    """A thread that makes calls at their times, unless somebody takes them back."""

    def __init__(self) -> None:
        self._due: dict[object, tuple[float, Callable[[], None]]] = {}
        self._changed = threading.Condition()
        self._running = False
        self._wakes = math.inf

    def set(self, seconds: float, call: Callable[[], None]) -> object:
        """Make a call after so long; what comes back can take it back."""
        key, when = object(), time.monotonic() + seconds
        with self._changed:
            self._due[key] = (when, call)
            if not self._running:
                self._running = True
                threading.Thread(target=self._run, daemon=True).start()
            elif when < self._wakes:
                self._changed.notify()
        return key

    def unset(self, key: object) -> bool:
        """Take a call back; whether that was in time."""
        with self._changed:
            return self._due.pop(key, None) is not None

    def _run(self) -> None:
        with self._changed:
            while True:
                now = time.monotonic()
                for key, (when, call) in list(self._due.items()):
                    if when <= now:
                        del self._due[key]
                        call()
                self._wakes = min((when for when, _ in self._due.values()), default=math.inf)
                self._changed.wait(None if self._wakes == math.inf else self._wakes - now)


_clock = _Clock()


@contextlib.contextmanager
def interrupted(seconds: float, by: type[BaseException]) -> Iterator[None]:
    """Raise an exception in the middle of the block, between two lines of Python, if it takes longer."""
    thread = ctypes.c_ulong(threading.get_ident())
    raised = ctypes.pythonapi.PyThreadState_SetAsyncExc
    key = _clock.set(seconds, lambda: raised(thread, ctypes.py_object(by)))
    try:
        yield
    finally:
        late = not _clock.unset(key)
        if late:
            raised(thread, None)
    if late:
        raise by
