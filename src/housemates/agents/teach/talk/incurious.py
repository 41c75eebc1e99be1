"""The talking Follower without its questions and reports: it asks for the next order and nothing else."""

from __future__ import annotations

from housemates.agents.reader.follower import Follower
from housemates.core.actions import Act
from housemates.core.percepts import Percept

ASKING = "What should I do next?"


class IncuriousFollower(Follower):
    """Does what it is told as far as it can; never says what is wrong, nor asks where or which."""

    def act(self, percept: Percept) -> Act:
        """The Follower's act, its utterances replaced by one and the same."""
        act = super().act(percept)
        return Act("Say", {"text": ASKING}) if act.name == "Say" else act
