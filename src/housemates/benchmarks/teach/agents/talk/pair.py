"""The talking pair."""

from __future__ import annotations

from housemates.benchmarks.base import Agent
from housemates.benchmarks.teach.agents.talk.commander import TalkCommander
from housemates.benchmarks.teach.agents.talk.follower import TalkFollower


def agents() -> dict[str, Agent]:
    """A Commander who speaks plain English and a Follower who understands it."""
    return {"commander": TalkCommander(), "follower": TalkFollower()}
