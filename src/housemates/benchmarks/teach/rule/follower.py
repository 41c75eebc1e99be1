"""The rule-based Follower: keeps a queue of actions, does them, and asks for more."""

from __future__ import annotations

from collections import deque
from typing import Any

from housemates.benchmarks.base import Instance
from housemates.benchmarks.teach.roles import Act
from housemates.benchmarks.teach.rule.wording import ASKING, understood


class RuleFollower:
    """Does what the Commander's last instruction says; drops the rest of it when something fails."""

    def __init__(self) -> None:
        self._queue: deque[Act] = deque()
        self._heard = 0

    def reset(self, instance: Instance) -> None:
        """Forget the last home."""
        self._queue.clear()
        self._heard = 0

    def act(self, observation: Any) -> Act:
        """The next action of the queue; a question when there is none left or the last one failed."""
        for utterance in observation.dialogue[self._heard :]:
            if utterance.role == "commander":
                acts = understood(utterance.text)
                if isinstance(acts, str):
                    self._queue.clear()
                    self._heard = len(observation.dialogue)
                    return Act("Text", text=f"I do not understand {acts!r}. {ASKING}")
                self._queue = deque(acts)
        fresh = len(observation.dialogue) > self._heard
        self._heard = len(observation.dialogue)
        if not fresh and observation.last is not None and not observation.last.success and self._queue:
            self._queue.clear()
            return Act("Text", text=f"{observation.last.message} {ASKING}".strip())
        return self._queue.popleft() if self._queue else Act("Text", text=ASKING)
