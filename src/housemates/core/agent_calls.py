"""Calling an agent: whatever it raises becomes one kind of failure, and it takes no longer than it may."""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from housemates.core.agent import Agent, Halt, Left
from housemates.errors import HousematesError, one_line
from housemates.parallel import doomed, exhausted, interrupted, is_worker

GRACE_S = 2.0
"""How much longer than it may an agent can take to give in; then its process is ended."""
LONGEST_MESSAGE = 500


class AgentFailed(HousematesError):
    """An agent raised, or took too long; the message says who and how, in one sentence."""


@contextmanager
def guarded(role: str, agent: Agent, what: str, seconds: float | None) -> Iterator[None]:
    """Whatever an agent raises, `sys.exit` included, becomes one kind of failure; Ctrl-C stays Ctrl-C."""
    try:
        if seconds is None:
            yield
        else:
            with _at_most(seconds):
                yield
    except (Left, Halt):
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and not is_worker():
            raise
        if isinstance(error, MemoryError):
            exhausted()
        who = f"{role} ({type(agent).__name__})"
        if isinstance(error, _TookTooLong):
            raise AgentFailed(f"{who} took more than {seconds:g} s to {what}.") from None
        if isinstance(error, HousematesError):
            raise AgentFailed(f"{who} cannot {what}: {_one_line(error)}") from error
        raise AgentFailed(f"{who} raised in {what}: {_one_line(error)}") from error


def _one_line(error: BaseException) -> str:
    """An exception in one line, whatever it says of itself."""
    try:
        said = " ".join(clean(str(error)).split())
    except Exception:
        said = ""
    if isinstance(error, HousematesError):
        return said[:LONGEST_MESSAGE]
    name = type(error).__name__
    return f"{name}: {said[:LONGEST_MESSAGE]}" if said else name


def clean(text: str) -> str:
    """A text that can be written to a file."""
    return text.encode(errors="replace").decode()


class _TookTooLong(BaseException):
    """Raised in the middle of whatever an agent is doing."""


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    alarm = hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread()
    with doomed(seconds + GRACE_S):
        if not alarm:
            with interrupted(seconds, _TookTooLong):
                yield
            return
        before = signal.signal(signal.SIGALRM, _ring)
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)
            try:
                yield
            finally:
                _hush(before)
        except _TookTooLong:
            _hush(before)
            raise


def _ring(*_: Any) -> None:
    raise _TookTooLong


def _hush(before: Any) -> None:
    """No alarm rings any more; one that rings at this very moment makes the caller try again."""
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL if before is None else before)


def usage_of(agent: Agent) -> dict[str, int | float]:
    """What an agent says it has used up, as far as it says it in numbers."""
    try:
        used = dict(getattr(agent, "usage", None) or {})
    except Exception:
        return {}
    return {
        one_line(str(key)): value
        for key, value in used.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    }
