"""An agent that does again what was done before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from housemates.benchmarks.base import Instance, Trace
from housemates.errors import HousematesError


class ReplayAgent:
    """Gives the recorded actions of an instance in order.

    Args:
        recorded: The actions by instance id, as `actions_of` takes them from a trace.
        then: What to do when they are used up; without it, that is an error.
    """

    def __init__(self, recorded: Mapping[str, Sequence[Any]], then: Any = None) -> None:
        self._recorded = recorded
        self._then = then
        self._rest: Iterator[Any] = iter(())

    def reset(self, instance: Instance) -> None:
        """Go to the start of this instance's recording."""
        if instance.id not in self._recorded:
            raise HousematesError(f"There is no recording of instance {instance.id!r}.")
        self._rest = iter(self._recorded[instance.id])

    def act(self, observation: Any) -> Any:
        """The next action, whatever is observed."""
        action = next(self._rest, self._then)
        if action is None:
            raise HousematesError("The recording is over.")
        return action


def actions_of(trace: Trace, role: str) -> list[Any]:
    """What one role did in a trace."""
    return [step.action for step in trace.steps if step.role == role]
