"""The one loop that plays an episode: evaluation, generation, demos and replays all use it."""

from __future__ import annotations

import signal
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from housemates.benchmarks.base import Agent, Instance, Left, Session, Step, Trace
from housemates.errors import HousematesError

OnStep = Callable[[Session, Step], None]
LINES = 20
"""How much of a traceback is kept, from its end."""


class AgentFailed(Exception):
    """An agent raised, or took too long."""


def play(
    session: Session,
    agents: Mapping[str, Agent],
    instance: Instance | None = None,
    on_step: OnStep | None = None,
    act_timeout: float | None = None,
) -> Trace:
    """Play an episode to its end or its limits.

    Args:
        session: A new session.
        agents: Who sits in which seat.
        instance: What privileged agents may see; without it they are not played.
        on_step: Called after each act.
        act_timeout: Seconds that an agent may think about one act; only in the main thread of a process.

    Returns:
        What happened. If an agent raised, the trace ended with `error` and says what and where.
    """
    trace = Trace()
    try:
        for role, agent in agents.items():
            with _guarded(role, agent, "reset", act_timeout):
                agent.reset(session.brief(role))
                if getattr(agent, "privileged", False):
                    _let_see(agent, role, instance, session)
        while session.role is not None and not trace.ended:
            role = session.role
            trace.ended = _turn(session, role, agents[role], trace, on_step, act_timeout)
        trace.ended = trace.ended or "done"
    except Left:
        trace.ended = "left"
    except AgentFailed as failed:
        trace.ended, trace.error = "error", str(failed)
        cause = failed.__cause__
        trace.traceback = "".join(traceback.format_exception(cause)[-LINES:]) if cause else ""
    trace.usage = {
        role: dict(used) for role, agent in agents.items() if (used := getattr(agent, "usage", None))
    }
    return trace


def _turn(
    session: Session, role: str, agent: Agent, trace: Trace, on_step: OnStep | None, act_timeout: float | None
) -> str:
    """Let one role act once; return the limit that is reached, or nothing."""
    percept = session.observe()
    with _guarded(role, agent, "act", act_timeout):
        action: Any = agent.act(percept)
    outcome = session.act(action)
    step = Step(role, session.acted, outcome, percept.read)
    trace.steps.append(step)
    trace.failures += not outcome.success
    if on_step is not None:
        on_step(session, step)
    return session.limits.reached(len(trace.steps), trace.failures) if session.role is not None else ""


def _let_see(agent: Agent, role: str, instance: Instance | None, session: Session) -> None:
    if instance is None:
        raise HousematesError(f"the {role} is privileged, and there is nothing here that it may see")
    agent.witness(instance, session)


@contextmanager
def _guarded(role: str, agent: Agent, what: str, seconds: float | None) -> Iterator[None]:
    """Whatever an agent raises, `sys.exit` included, becomes one kind of failure; Ctrl-C stays Ctrl-C."""
    try:
        with _at_most(seconds):
            yield
    except (KeyboardInterrupt, Left):
        raise
    except BaseException as error:
        who = f"{role} ({type(agent).__name__})"
        if isinstance(error, _TookTooLong):
            raise AgentFailed(f"{who} took more than {seconds:g} s to {what}.") from None
        told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise AgentFailed(f"{who} raised in {what}: {told}") from error


class _TookTooLong(BaseException):
    """Raised in the middle of whatever an agent is doing."""


@contextmanager
def _at_most(seconds: float | None) -> Iterator[None]:
    alarm = hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread()
    if seconds is None or not alarm:
        yield
        return

    def stop(*_: Any) -> None:
        raise _TookTooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
