"""Agents that can sit in any seat."""

from __future__ import annotations

from typing import Any

import pytest

from housemates.agents.basic import FirstAgent, RandomAgent, ReplayAgent, acts_of, filled
from housemates.core.actions import Act, Argument, Offer
from housemates.core.benchmark import Instance
from housemates.core.episode import play
from housemates.core.outcome import Outcome, Reason
from housemates.core.trace import Step, Trace
from housemates.errors import HousematesError

POINTING = (
    Argument("object", "object", required=False),
    Argument("point", "point", required=False),
    Argument("mask", "mask", required=False),
)


def played(counting, agent: Any, name: str = "a", seed: int = 1) -> list[Any]:
    session = counting.Counting().session(Instance(name, "odd", 15, seed))
    return [step.act for step in play(session, {"counter": agent}, Instance(name, "odd", 15, seed)).steps]


@pytest.mark.parametrize(
    ("offer", "act"),
    [
        (Offer("Stop", ""), Act("Stop")),
        (Offer("Say", "", (Argument("text", "text"),)), Act("Say", {"text": "What should I do next?"})),
        (Offer("Do", "", (Argument("what", "choice", choices=("a", "b")),)), Act("Do", {"what": "a"})),
        (Offer("Do", "", (Argument("what", "choice"),)), None),
        (Offer("Pickup", "", POINTING, ("object", "point", "mask")), Act("Pickup", {"point": (0.5, 0.5)})),
        (Offer("Pickup", "", POINTING[2:], ("mask",)), None),
        (Offer("Wait", "", (Argument("how", "text", required=False),)), Act("Wait")),
    ],
)
def test_the_first_agent_fills_in_what_it_can(offer, act) -> None:
    assert filled(offer) == act


def test_the_first_agent_takes_the_first_offer_that_can_be_filled_in(counting) -> None:
    assert played(counting, FirstAgent()) == [Act("Take", {"number": 1.0})] * 15


def test_random_draws_belong_to_the_episode_and_its_seed(counting) -> None:
    agent = RandomAgent()
    first = played(counting, agent)
    assert played(counting, agent) == first
    assert all(played(counting, agent, *other) != first for other in [("b", 1), ("a", 2)])


def test_random_acts_are_of_the_menu(counting) -> None:
    acts = [act for number in range(20) for act in played(counting, RandomAgent(), str(number))]
    assert None not in acts
    assert {act.name for act in acts} == {"Take", "Stop"}


def test_replay_gives_the_acts_of_one_role_in_order() -> None:
    steps = [Step("driver", Act("Forward"), Outcome(True)), Step("commander", Act("Pass"), Outcome(True))]
    steps.append(Step("driver", Act("Pickup"), Outcome(False, Reason.BLOCKED)))
    agent = ReplayAgent(acts_of(Trace(steps), "driver"), then="Stop")
    for _ in range(2):
        agent.reset(None)
        assert [agent.act(None) for _ in range(4)] == [Act("Forward"), Act("Pickup"), "Stop", "Stop"]


def test_replay_beyond_the_recording_is_an_error() -> None:
    agent = ReplayAgent(["Stop"])
    agent.reset(None)
    assert agent.privileged
    assert agent.act(None) == "Stop"
    with pytest.raises(HousematesError, match="recording is over"):
        agent.act(None)
