"""What the reader does in generated homes, by its own pictures alone."""

from __future__ import annotations

import pytest

from housemates.agents.reader.alfred import AlfredReader
from housemates.agents.reader.follower import Follower
from housemates.agents.reader.teach import TfdReader
from housemates.agents.teach.talk.commander import TalkCommander
from housemates.core import registry
from housemates.core.episode import play

pytestmark = pytest.mark.slow


def test_it_finishes_what_a_goal_and_instructions_ask_for() -> None:
    benchmark = registry.benchmark("alfred")
    (instance,) = benchmark.open(next(iter(benchmark.references("generated", seed=0))))
    session = benchmark.session(instance)
    play(session, {"agent": AlfredReader(eyes="given")}, instance)
    assert session.progress.success


def test_it_does_what_a_commander_asks_for() -> None:
    benchmark = registry.benchmark("teach-tatc")
    (instance,) = benchmark.open(next(iter(benchmark.references("generated", seed=0))))
    session = benchmark.session(instance)
    play(session, {"commander": TalkCommander(), "follower": Follower()}, instance)
    assert session.complete


def test_nothing_said_is_no_reason_to_fail() -> None:
    benchmark = registry.benchmark("teach-tfd")
    (instance,) = benchmark.open(next(iter(benchmark.references("generated", seed=0))))
    session = benchmark.session(instance)
    session.dialogue = []
    trace = play(session, {"follower": TfdReader(eyes="own")}, instance)
    assert trace.ended in ("done", "steps", "failures")
