"""What happened in an episode: its steps in order, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from housemates.core.actions import Act
from housemates.core.outcome import Outcome
from housemates.core.percepts import Brief


class Step(msgspec.Struct, frozen=True):
    """One act of one role and what came of it."""

    role: str
    act: Act | None
    """None if the answer made no sense."""
    outcome: Outcome
    text: str | None = None
    """What the role had read, if it asked for the text."""
    answer: str = ""
    """What was answered, where it made no sense."""


@dataclass
class Trace:
    """Everything that happened in one episode, in order, and how it ended."""

    steps: list[Step] = field(default_factory=list)
    failures: int = 0
    ended: str = ""
    """`done`; `steps` or `failures`, which are limits; `left`; `error`."""
    error: str = ""
    """Which agent failed and how, in one sentence."""
    traceback: str = ""
    usage: dict[str, dict[str, int | float]] = field(default_factory=dict)
    """What each role's agent says it has used up since `reset`, such as tokens."""
    briefs: dict[str, Brief] = field(default_factory=dict)
    """What each role was told."""

    def pointed(self) -> tuple[str, ...]:
        """How agents pointed at things: `mask`, `object`, `point`."""
        used = {key for step in self.steps if step.act for key in step.act.arguments}
        return tuple(sorted(used & {"mask", "object", "point"}))
