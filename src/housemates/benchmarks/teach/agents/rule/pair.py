"""The rule-based pair by its roles."""

from __future__ import annotations

from collections.abc import Mapping

from housemates.benchmarks.base import Agent
from housemates.benchmarks.teach.agents.rule.commander import RuleCommander
from housemates.benchmarks.teach.agents.rule.follower import RuleFollower


def agents() -> Mapping[str, Agent]:
    """The Commander and the Follower."""
    return {"commander": RuleCommander(), "follower": RuleFollower()}
