"""What was told, read, done and answered in an episode, as it is kept on disk."""

from __future__ import annotations

from typing import Any

import msgspec

from housemates.core.percepts import Brief
from housemates.core.trace import Step, Trace
from housemates.core.wire import plain


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """The brief of a role; what its offers are in full follows from the version of the benchmark."""

    id: str
    rules: str
    goal: str
    offers: list[str]
    seed: int
    data: dict[str, Any] = {}


NONSENSE = object()
"""What is answered again in place of an answer that made no sense."""


class Done(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An act, as `Act.plain` writes it."""

    name: str
    arguments: dict[str, Any] = {}


class Turn(msgspec.Struct, frozen=True, omit_defaults=True):
    """One act and what came of it."""

    role: str
    act: Done | None
    """None if the answer made no sense."""
    success: bool
    reason: str = ""
    """A `Reason`; empty where it was recorded before outcomes had one."""
    message: str = ""
    data: dict[str, Any] = {}
    text: str | None = None
    """What the role had read, if it asked for the text."""
    answer: str = ""
    """What was answered, where it made no sense."""

    def again(self) -> Any:
        """What to answer to do the same."""
        return NONSENSE if self.act is None else msgspec.to_builtins(self.act)


class Transcript(msgspec.Struct, frozen=True, omit_defaults=True):
    """One episode from the briefs to the end."""

    id: str
    briefs: dict[str, Told] = {}
    steps: list[Turn] = []
    ended: str = "error"
    error: str = ""


def transcript(name: str, trace: Trace) -> Transcript:
    """The transcript of an episode."""
    briefs = {role: _told(brief) for role, brief in trace.briefs.items()}
    return Transcript(name, briefs, [_turn(step) for step in trace.steps], trace.ended, trace.error)


def _told(brief: Brief) -> Told:
    offers = [offer.name for offer in brief.offers]
    return Told(brief.id, brief.rules, brief.goal, offers, brief.seed, plain(brief.data))


def _turn(step: Step) -> Turn:
    act = None if step.act is None else Done(**step.act.plain())
    outcome = step.outcome
    data = plain(outcome.data) if outcome.data else {}
    return Turn(
        step.role, act, outcome.success, outcome.reason.value, outcome.message, data, step.text, step.answer
    )
