"""What learners see of the robot's seat: spaces, and the way between them and the session."""

from __future__ import annotations

from typing import Any

import pytest

from housemates.benchmarks.handmethat.env import HandMeThatEncoding
from housemates.core import registry
from housemates.core.actions import Act
from housemates.errors import HousematesError


@pytest.fixture(scope="module")
def benchmark() -> Any:
    return registry.benchmark("handmethat", observability="partial", questions=1)


def test_observations_are_elements_of_their_space(benchmark: Any) -> None:
    encoding = HandMeThatEncoding(benchmark)
    session = benchmark.session(benchmark.open(next(benchmark.references("generated", 0)))[0])
    space = encoding.observation_space("robot")
    for command in ("examine", "move to sofa", "fly"):
        observation = encoding.observation(session, "robot")
        assert space.contains(observation)
        session.act(encoding.act("robot", command))
    assert encoding.observation(session, "robot")["success"] == 0
    session.act(encoding.act("robot", "stop"))
    assert session.role is None and space.contains(encoding.observation(session, "robot"))


def test_every_offered_choice_is_an_element_of_the_action_space(benchmark: Any) -> None:
    encoding = HandMeThatEncoding(benchmark)
    session = benchmark.session(benchmark.open(next(benchmark.references("generated", 1)))[0])
    space = encoding.action_space("robot")
    for offer in session.offers("robot"):
        for choice in (choice for argument in offer.arguments for choice in argument.choices):
            assert space.contains(choice)
            assert encoding.act("robot", choice) == Act("Command", {"command": choice})


@pytest.mark.parametrize("action", ["x" * 201, "öffne", 3, None, -1])
def test_what_is_no_command_is_refused(benchmark: Any, action: Any) -> None:
    with pytest.raises(HousematesError, match="Expected a command"):
        HandMeThatEncoding(benchmark).act("robot", action)
