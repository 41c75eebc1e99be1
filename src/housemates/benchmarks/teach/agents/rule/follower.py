"""The rule-based Follower: keeps a queue of actions, does them, and asks for more."""

from __future__ import annotations

from collections import deque

from housemates.benchmarks.base import Instance
from housemates.benchmarks.teach.agents.rule.wording import ASKING, understood
from housemates.benchmarks.teach.world.observation import Observation
from housemates.benchmarks.teach.world.roles import Act


class RuleFollower:
    """Does what the Commander's last instruction says; drops the rest of it when something fails."""

    def __init__(self) -> None:
        self._queue: deque[Act] = deque()
        self._heard = 0

    def reset(self, instance: Instance) -> None:
        """Forget the last home."""
        self._queue.clear()
        self._heard = 0

    def act(self, observation: Observation) -> Act:
        """The next action of the queue; a question when there is none left or the last one failed."""
        news = observation.dialogue[self._heard :]
        self._heard = len(observation.dialogue)
        told = [utterance.text for utterance in news if utterance.role == "commander"]
        if told:
            acts = understood(told[-1])
            self._queue = deque(() if isinstance(acts, str) else acts)
            if isinstance(acts, str):
                return Act("Text", text=f"I do not understand {acts!r}. {ASKING}")
        elif observation.last is not None and not observation.last.success:
            self._queue.clear()
            return Act("Text", text=f"{observation.last.message} {ASKING}".strip())
        return self._queue.popleft() if self._queue else Act("Text", text=ASKING)
