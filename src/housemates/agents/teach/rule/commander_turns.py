"""What the rule-based Commanders have in common: their turns."""

from __future__ import annotations

from abc import abstractmethod

from housemates.agents.teach.rule.action_language import instruction
from housemates.benchmarks.teach.world.agent_camera import SIDE_PX
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept


class CheckingCommander(Agent):
    """In each of its turns: a Progress Check, then one instruction in low-level actions."""

    def __init__(self) -> None:
        self._size = (SIDE_PX, SIDE_PX)
        self._forget()

    def reset(self, brief: Brief) -> None:
        """Forget the last home; take the picture's size from the brief."""
        self._size = (brief.data["width"], brief.data["height"])
        self._forget()

    def _forget(self) -> None:
        self._checked = False

    def act(self, percept: Percept) -> Act:
        """Check progress first, then speak; stop when all is done or nothing more can be done."""
        self._checked = not self._checked
        if self._checked:
            return Act("ProgressCheck")
        assert percept.last is not None
        acts = None if percept.last.data.get("success") else self._next(percept)
        return Act("Say", {"text": instruction(acts)}) if acts else Act("Stop")

    @abstractmethod
    def _next(self, percept: Percept) -> list[Act] | None:
        """The acts that come next, after a check; None if nothing can be done."""
