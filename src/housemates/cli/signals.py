"""Being told to stop: what Ctrl-C does, SIGTERM does too, and it does not take long."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

LAST_S = 1.5
"""How long everything may take to come to an end after SIGTERM; whatever has not by then is cut off."""


class Stop(KeyboardInterrupt):
    """This process was told to end."""


@contextmanager
def stoppable() -> Iterator[None]:
    """Have SIGTERM raise `Stop` in the main thread; elsewhere it does what it did before."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL if before is None else before)


def _stop(number: int, frame: FrameType | None) -> None:
    last = threading.Timer(LAST_S, os._exit, [128 + number])
    last.daemon = True
    last.start()
    raise Stop
