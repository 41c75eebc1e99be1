"""Which agents come with the benchmarks: role -> name -> where they are."""

from __future__ import annotations

import importlib
from typing import Any

from housemates.benchmarks.base import Agent
from housemates.errors import HousematesError

_SIMPLE = f"{__package__}.baselines"
_SKILLED = f"{__package__}.skilled:SkillPlanner"
_READER = "housemates.agents.reader"
ALONE = {
    "reader": f"{_READER}.alone:ReaderAlone",
    "reader-told": f"{_READER}.alone:ToldAlone",
    "random": f"{_SIMPLE}:RandomFollower",
    "oracle": f"{_SIMPLE}:Oracle",
    "stop": f"{_SIMPLE}:Stopper",
    "plan": _SKILLED,
}
"""Followers on their own."""
NEXT = ALONE | {
    "reader": f"{_READER}.alone:ReaderNext",
    "reader-told": f"{_READER}.alone:ToldNext",
    "et": "housemates.models.teach_et.agent:EtFollower",
}
"""The same where only what comes next is asked for, which is what E.T. has learnt."""
COMMANDERS = {
    "rule": f"{__package__}.rule.commander:RuleCommander",
    "talk": f"{__package__}.talk.commander:TalkCommander",
    "idle": f"{_SIMPLE}:Idle",
    "stop": f"{_SIMPLE}:Stopper",
}
FOLLOWERS = {
    "rule": f"{__package__}.rule.follower:RuleFollower",
    "talk": f"{__package__}.talk.follower:TalkFollower",
    "reader": f"{_READER}.talking:ReaderFollower",
    "random": f"{_SIMPLE}:RandomFollower",
    "plan": _SKILLED,
    "idle": f"{_SIMPLE}:Idle",
    "stop": f"{_SIMPLE}:Stopper",
}
PAIRS = ("rule", "talk")
"""Those who were made for one another and finish tasks."""


def pair(name: str) -> dict[str, Agent]:
    """A Commander and a Follower of the same name."""
    if name not in PAIRS:
        raise HousematesError(f"Unknown pair {name!r}: expected one of {', '.join(PAIRS)}.")
    return {"commander": _made(COMMANDERS[name]), "follower": _made(FOLLOWERS[name])}


def _made(where: str) -> Any:
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(module), name)()
