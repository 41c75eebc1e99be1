"""Skills by chance, without ever stopping."""

from __future__ import annotations

import numpy as np

from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept


class RandomAgent(Agent):
    """Draws one of all skills; the same episode gives the same draws."""

    def reset(self, brief: Brief) -> None:
        """Start the draws that belong to this episode."""
        self._rng = np.random.default_rng(brief.seed)

    def act(self, percept: Percept) -> Act:
        """Any skill of the home."""
        skills = percept.data.skills
        return Act("Skill", {"skill": skills[int(self._rng.integers(len(skills)))]})
