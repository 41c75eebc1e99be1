"""Agents that need no plan: chance, what people did, and doing nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from housemates.agents.teach.baselines import DRAWN, Idle, Oracle, RandomFollower, RandomOffered, Stopper
from housemates.benchmarks.teach.session import TatcSession
from housemates.benchmarks.teach.world.actions import TOUCHES
from housemates.core import registry
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.episode import Episode, play

Begin = Callable[..., TatcSession]


def acts_of(agent: Agent, session: TatcSession, count: int) -> list[Act]:
    """What an agent answers to the same percept."""
    agent.reset(session.brief("follower"))
    return [agent.act(session.observe("follower")) for _ in range(count)]


def test_chance_is_the_episodes_own_and_does_anything_anywhere(begin: Begin) -> None:
    session = begin()
    acts = acts_of(RandomFollower(), session, 600)
    assert acts == acts_of(RandomFollower(), session, 600)
    counts = Counter(act.name for act in acts)
    assert set(counts) == set(DRAWN) and max(counts.values()) < 3 * min(counts.values())
    for act in acts:
        assert set(act.arguments) == ({"point"} if act.name in TOUCHES else set())


def test_a_random_agent_by_id_touches_only_what_is_offered(begin: Begin) -> None:
    session = begin(pointing="object")
    offered = {offer.name: offer for offer in session.observe("follower").offers}
    acts = acts_of(RandomOffered(), session, 119)
    assert {act.name for act in acts} <= set(offered)
    for act in acts:
        if act.name in TOUCHES:
            assert act.arguments["object"] in offered[act.name].arguments[0].choices
    assert acts_of(RandomOffered(), session, 120)[-1].name == "Stop"


def test_the_oracle_does_what_people_did_and_stops(made: Path) -> None:
    benchmark = registry.benchmark("teach-tfd", data=made)
    (instance,) = benchmark.open(next(iter(benchmark.references("recorded", 0))))
    session, oracle = benchmark.session(instance), Oracle()
    assert oracle.privileged
    trace = play(session, {"follower": oracle}, instance)
    done = [step.act for step in trace.steps]
    assert [each.action for each in instance.data.future] == [act.name for act in done if act][:-1]
    assert done[-1] == Act("Stop") and session.complete


def test_who_is_idle_passes_and_who_stops_stops(begin: Begin) -> None:
    assert acts_of(Idle(), begin(), 2) == [Act("Pass")] * 2
    assert acts_of(Stopper(), begin(), 1) == [Act("Stop")]


@pytest.mark.parametrize("track", ["any", "object", "point"])
def test_the_acts_of_the_oracle_lead_to_the_same_world_again(track: str) -> None:
    benchmark = registry.benchmark("teach-edh", pointing=track)
    (instance, *_) = benchmark.open(next(iter(benchmark.references("generated", 0))))
    session = benchmark.session(instance)
    acts = [(step.role, step.act) for step in play(session, {"follower": Oracle()}, instance).steps]
    assert any(act.arguments for _, act in acts if act)
    assert Episode.replay(benchmark, instance, acts).session.digest() == session.digest()
