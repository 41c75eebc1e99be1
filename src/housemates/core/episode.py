"""The one loop that plays an episode: evaluation, generation, demos and replays all use it."""

from __future__ import annotations

import math
import signal
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from housemates.core.actions import shown
from housemates.core.agent import Agent, Halt, Left
from housemates.core.benchmark import Instance
from housemates.core.session import Session
from housemates.core.trace import Step, Trace
from housemates.errors import HousematesError
from housemates.parallel import doomed, exhausted, interrupted, is_worker

OnStep = Callable[[Session, Step], None]
LINES = 20
"""How much of a traceback is kept, from its end."""
GRACE_S = 2.0
"""How much longer than it may an agent can take to give in; then its process is ended."""
LONGEST_MESSAGE, LONGEST_ANSWER = 500, 2000


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
        act_timeout: Seconds that an agent may think about one act. In a worker, an agent that does not give
            in is ended with its process.

    Returns:
        What happened. If an agent raised, the trace ended with `error` and says what and where.

    Raises:
        Halt: An agent says that nobody can go on.
    """
    trace = Trace()
    try:
        begin(session, agents, trace, instance, act_timeout)
        while session.role is not None and not trace.ended:
            role = session.role
            if role not in agents:
                raise HousematesError(f"Nobody is the {role}, whose turn it is.")
            trace.ended = turn(session, role, agents[role], trace, on_step, act_timeout)
        trace.ended = trace.ended or "done"
    except Left:
        trace.ended = "left"
    except AgentFailed as failed:
        trace.ended, trace.error = "error", str(failed)
        cause = failed.__cause__
        trace.traceback = _clean("".join(traceback.format_exception(cause)[-LINES:])) if cause else ""
    trace.usage = {role: used for role, agent in agents.items() if (used := _usage(agent))}
    return trace


def begin(
    session: Session,
    agents: Mapping[str, Agent],
    trace: Trace,
    instance: Instance | None = None,
    act_timeout: float | None = None,
) -> None:
    """Let all agents get ready for an episode; the trace keeps what they were told."""
    for role, agent in agents.items():
        trace.briefs[role] = session.brief(role)
        with _guarded(role, agent, "reset", act_timeout):
            agent.reset(trace.briefs[role])
            if getattr(agent, "privileged", False):
                _let_see(agent, role, instance, session)


def turn(
    session: Session,
    role: str,
    agent: Agent,
    trace: Trace,
    on_step: OnStep | None = None,
    act_timeout: float | None = None,
) -> str:
    """Let an agent act once in its role; return the limit that is reached, or nothing."""
    percept = session.observe()
    with _guarded(role, agent, "act", act_timeout):
        action: Any = agent.act(percept)
    return take(session, role, action, trace, percept.read, on_step)


def others(session: Session, role: str, agents: Mapping[str, Agent], trace: Trace) -> tuple[str, float]:
    """Let the others act until it is a role's turn.

    Returns:
        The limit that is reached, or nothing; and what their acts brought the role.
    """
    limit, brought = "", 0.0
    while not limit and (acting := session.role) not in (None, role):
        limit = turn(session, acting, agents[acting], trace)
        brought += session.reward(role)
    return limit, brought


def take(
    session: Session,
    role: str,
    action: Any,
    trace: Trace,
    text: str | None = None,
    on_step: OnStep | None = None,
) -> str:
    """Do what a role has answered and write it down; return the limit that is reached, or nothing."""
    outcome = session.act(action)
    step = Step(role, session.acted, outcome, text)
    if session.acted is None:
        step.answer = _clean(action if isinstance(action, str) else shown(action))[:LONGEST_ANSWER]
    trace.steps.append(step)
    trace.failures += not outcome.success
    if on_step is not None:
        on_step(session, step)
    return session.limits.reached(len(trace.steps), trace.failures) if session.role is not None else ""


def _let_see(agent: Agent, role: str, instance: Instance | None, session: Session) -> None:
    if instance is None:
        raise HousematesError(f"the {role} is privileged, and there is nothing here that it may see")
    agent.witness(instance, session)


def _usage(agent: Agent) -> dict[str, int | float]:
    """What an agent says it has used up, as far as it says it in numbers."""
    try:
        used = dict(getattr(agent, "usage", None) or {})
    except Exception:
        return {}
    return {
        _clean(str(key)): value
        for key, value in used.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    }


@contextmanager
def _guarded(role: str, agent: Agent, what: str, seconds: float | None) -> Iterator[None]:
    """Whatever an agent raises, `sys.exit` included, becomes one kind of failure; Ctrl-C stays Ctrl-C."""
    try:
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
            raise AgentFailed(f"{who} cannot {what}: {_told(error)}") from error
        raise AgentFailed(f"{who} raised in {what}: {_told(error)}") from error


def _told(error: BaseException) -> str:
    """An exception in one line, whatever it says of itself."""
    try:
        said = " ".join(_clean(str(error)).split())
    except Exception:
        said = ""
    if isinstance(error, HousematesError):
        return said[:LONGEST_MESSAGE]
    name = type(error).__name__
    return f"{name}: {said[:LONGEST_MESSAGE]}" if said else name


def _clean(text: str) -> str:
    """A text that can be written to a file."""
    return text.encode(errors="replace").decode()


class _TookTooLong(BaseException):
    """Raised in the middle of whatever an agent is doing."""


@contextmanager
def _at_most(seconds: float | None) -> Iterator[None]:
    alarm = hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread()
    if seconds is None:
        yield
        return
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
