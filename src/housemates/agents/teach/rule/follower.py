"""The rule-based Follower: keeps a queue of actions, does them, and asks for more."""

from __future__ import annotations

from collections import deque

from housemates.agents.teach.rule.action_language import ASKING, parse_instruction
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept


class RuleFollower(Agent):
    """Does the acts of the last instruction; drops the rest of them when one fails."""

    def __init__(self) -> None:
        self._queue: deque[Act] = deque()
        self._heard = 0

    def reset(self, brief: Brief) -> None:
        """Empty the queue of acts."""
        self._queue.clear()
        self._heard = 0

    def act(self, percept: Percept) -> Act:
        """The next action of the queue; a question when there is none left or the last one failed."""
        news = percept.said[self._heard :]
        self._heard = len(percept.said)
        told = [utterance.text for utterance in news if utterance.role == "commander"]
        if told:
            acts = parse_instruction(told[-1])
            self._queue = deque(() if isinstance(acts, str) else acts)
            if isinstance(acts, str):
                return Act("Say", {"text": f"I do not understand {acts!r}. {ASKING}"})
        elif percept.last is not None and not percept.last.success:
            self._queue.clear()
            return Act("Say", {"text": f"{percept.last.message} {ASKING}".strip()})
        return self._queue.popleft() if self._queue else Act("Say", {"text": ASKING})
