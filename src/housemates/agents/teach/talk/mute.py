"""The talking Follower that hears and never speaks: what its questions and reports bring."""

from __future__ import annotations

from housemates.agents.reader.follower import Follower
from housemates.core.actions import Act
from housemates.core.percepts import Percept


class MuteFollower(Follower):
    """Does what it is told; passes its turn where it would speak."""

    def act(self, percept: Percept) -> Act:
        """The Follower's act, or Pass in place of an utterance."""
        act = super().act(percept)
        return Act("Pass") if act.name == "Say" else act
