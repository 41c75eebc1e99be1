"""Agents that serve any benchmark."""

from __future__ import annotations

import pytest

from housemates.agents.random import RandomAgent
from housemates.agents.replay import ReplayAgent, actions_of
from housemates.benchmarks.base import Agent, Instance, Outcome, Step, Trace
from housemates.errors import HousematesError


def drawn(instance: Instance, role: str = "") -> list[int]:
    agent = RandomAgent(lambda observation, rng: int(rng.integers(observation)), role)
    agent.reset(instance)
    return [agent.act(1000) for _ in range(10)]


def test_they_follow_the_protocol() -> None:
    assert isinstance(RandomAgent(lambda observation, rng: 0), Agent)
    assert isinstance(ReplayAgent({}), Agent)


def test_random_draws_belong_to_the_instance_its_seed_and_the_role() -> None:
    first = Instance("a", "task", None, seed=1)
    assert drawn(first) == drawn(first)
    others = [Instance("b", "task", None, seed=1), Instance("a", "task", None, seed=2)]
    assert all(drawn(other) != drawn(first) for other in others)
    assert drawn(first, "driver") != drawn(first, "commander")


def test_replay_gives_the_actions_of_one_role_in_order() -> None:
    steps = [Step("driver", "Forward", Outcome(True)), Step("commander", "hi", Outcome(True))]
    steps.append(Step("driver", "Pickup", Outcome(False)))
    agent = ReplayAgent({"a": actions_of(Trace(steps), "driver")}, then="Stop")
    for _ in range(2):
        agent.reset(Instance("a", "task", None))
        assert [agent.act(None) for _ in range(4)] == ["Forward", "Pickup", "Stop", "Stop"]


def test_replay_without_a_recording_says_so() -> None:
    agent = ReplayAgent({"a": []})
    with pytest.raises(HousematesError, match="no recording of instance 'b'"):
        agent.reset(Instance("b", "task", None))
    agent.reset(Instance("a", "task", None))
    with pytest.raises(HousematesError, match="recording is over"):
        agent.act(None)
