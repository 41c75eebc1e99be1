"""What a benchmark, an instance, an agent and a trace are; the runner knows no more than this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from housemates.home.outcome import Outcome

__all__ = ["Agent", "Benchmark", "Instance", "Limits", "Outcome", "Session", "Step", "Trace"]


@dataclass(frozen=True)
class Limits:
    """When an episode is cut off."""

    steps: int = 1000
    """Actions of all roles together."""
    failures: int = 30
    """Actions that did not succeed."""

    def reached(self, trace: Trace) -> str:
        """Which limit an episode has come to, `failures` or `steps`; empty if none."""
        if trace.failures >= self.failures:
            return "failures"
        return "steps" if len(trace.steps) >= self.steps else ""


@dataclass
class Instance:
    """One thing to be scored: an id, the task it belongs to, and the benchmark's own data."""

    id: str
    task: str
    data: Any
    seed: int = 0


@dataclass
class Step:
    """One action of one role and what came of it."""

    role: str
    action: Any
    outcome: Outcome


@dataclass
class Trace:
    """Everything that happened in one episode, in order, and how it ended."""

    steps: list[Step] = field(default_factory=list)
    failures: int = 0
    ended: str = ""
    """`done`, `steps` or `failures` (a limit was reached), or `error: ...`."""

    def note(self, role: str, action: Any, outcome: Outcome) -> None:
        """Add a step."""
        self.steps.append(Step(role, action, outcome))
        self.failures += not outcome.success


@runtime_checkable
class Agent(Protocol):
    """Whoever acts: a script, a planner, a network, a language model or a person."""

    def reset(self, instance: Instance) -> None:
        """Forget the last episode and get ready for this one."""

    def act(self, observation: Any) -> Any:
        """Answer an observation with an action of the benchmark."""


class Session(Protocol):
    """One running episode: whose turn it is, what they perceive, and what their action does."""

    @property
    def role(self) -> str | None:
        """The role whose turn it is; None when the episode is over."""

    def observe(self) -> Any:
        """What the role whose turn it is perceives."""

    def act(self, action: Any) -> Outcome:
        """Carry out the action; an action that makes no sense is a failed one, never an exception."""


class Benchmark(Protocol):
    """Gives instances, makes a session for one, and scores a trace."""

    name: str
    """As on the command line: `teach-tatc`."""
    id: str
    """With its version: `housemates/teach-tatc-v1`. Whatever could change a score changes the version."""
    roles: tuple[str, ...]
    limits: Limits

    def instances(self, split: str, episodes: int | None, seed: int) -> Sequence[Instance]:
        """The instances of a split; `generated` makes new ones from the seed."""

    def session(self, instance: Instance) -> Session:
        """Begin an episode."""

    def agents(self, name: str) -> Mapping[str, Agent]:
        """The agents known by this name, one for each role."""

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """The numbers of one finished episode."""

    def summarise(self, scores: Sequence[tuple[Instance, dict[str, float]]]) -> dict[str, Any]:
        """The table of a whole run."""
