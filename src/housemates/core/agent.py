"""Whoever acts: the one class that agents may derive from, and how an agent leaves or stops a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from housemates.core.percepts import Brief, Percept
from housemates.errors import HousematesError

if TYPE_CHECKING:
    from housemates.core.benchmark import Instance
    from housemates.core.session import Session


class Agent:
    """Whoever acts: a script, a planner, a network, a language model or a person.

    An agent is made once and plays many episodes. To derive from this class is convenient, not needed:
    `reset` and `act` are what counts.
    """

    privileged: ClassVar[bool] = False
    """Whether it sees what its role may not know, by `observe_privileged`; results say so."""

    def reset(self, brief: Brief) -> None:
        """Forget the last episode and get ready for the next one."""

    def act(self, percept: Percept) -> Any:
        """Answer what is perceived with an `Act`, a name, a mapping, a tool call or a line of text."""
        raise NotImplementedError(f"{type(self).__name__} has no act(percept)")

    def extras(self) -> Mapping[str, Any]:
        """What it shows beside its acts, as plain values, such as its `plan`; nobody needs it to play."""
        return {}

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """For privileged agents, after `reset`: the whole instance and the session itself."""

    def close(self) -> None:
        """Let go of what it holds; there are no more episodes."""


class Left(Exception):
    """Raised by an agent that leaves: the episode ends there."""


class Halt(HousematesError):
    """Raised by an agent when nobody can go on: the run stops, and what is not finished does not count."""
