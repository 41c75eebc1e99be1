"""An agent that does again what was done before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from housemates.benchmarks.base import Agent, Brief, Percept, Trace
from housemates.errors import HousematesError


class ReplayAgent(Agent):
    """Gives recorded acts in order, whatever is perceived.

    Args:
        recorded: What one role did: acts, or their `plain` form.
        then: What to do when they are used up; without it, that is an error.
    """

    privileged = True

    def __init__(self, recorded: Sequence[Any], then: Any = None) -> None:
        self._recorded = recorded
        self._then = then
        self._rest: Iterator[Any] = iter(())

    def reset(self, brief: Brief) -> None:
        """Go to the start of the recording."""
        self._rest = iter(self._recorded)

    def act(self, percept: Percept) -> Any:
        """The next act."""
        action = next(self._rest, self._then)
        if action is None:
            raise HousematesError("The recording is over.")
        return action


def acts_of(trace: Trace, role: str) -> list[Any]:
    """What one role did in a trace."""
    return [step.act for step in trace.steps if step.role == role]
