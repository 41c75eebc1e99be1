"""Rows for the demonstration: the reader follows three dialogues as people would hold them."""

from __future__ import annotations

from typing import Any

from housemates.agents.reader.policy import PerceptionSource
from housemates.agents.reader.teach import TfdReader
from housemates.benchmarks.teach.formats.starts import Given
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.session import LIMITS, FollowerSession
from housemates.core.benchmark import Instance
from housemates.core.episode import play
from housemates.core.percepts import Utterance

ABOUT = "One agent reads what people say in their own words, and does it."
SEED = 11
EYES: PerceptionSource = "given"
"""Its own perception is trained in people's homes and fails in generated ones."""
DIALOGUES = {
    "Coffee": (
        ("follower", "hi, what can i do for you today?"),
        ("commander", "i need a cofee pls"),
        ("follower", "sure, should i rinse the mug?"),
        ("commander", "yes, wash it first. thanks"),
    ),
    "Plate Of Toast": (
        ("commander", "hello, lets make some toast"),
        ("commander", "slice the bread and toast 1 slice"),
        ("follower", "ok, where should I put it"),
        ("commander", "put it on a clean plate please"),
    ),
    "Boil X": (
        ("follower", "How can I help?"),
        ("commander", "could you boil a potatoe for me"),
        ("follower", "where is the pot?"),
        ("commander", "have a look around. it needs to boil in water"),
    ),
}
"""What was said, by the name of the task that is meant."""


def rows() -> list[dict[str, Any]]:
    """The result of each dialogue in a generated kitchen."""
    return [_row(name) for name in DIALOGUES]


def _row(name: str) -> dict[str, Any]:
    (drawn,) = sampling.draws(SEED, 1, [name])
    start = sampling.start(drawn)
    said = tuple(Utterance(role, text) for role, text in DIALOGUES[name])
    instance = Instance(drawn.id, name, Given(start.scene, start.definition, dialogue=said), SEED)
    session, agent = FollowerSession(instance, LIMITS), TfdReader(EYES)
    trace = play(session, {"follower": agent}, instance)
    return {
        "said": " / ".join(each.text for each in said if each.role == "commander"),
        "read": " ".join((agent.heard[0].task.name, *agent.heard[0].task.params)),
        "acts": len(trace.steps),
        "done": "yes" if session.complete else "no",
        "eyes": agent.eyes,
    }
