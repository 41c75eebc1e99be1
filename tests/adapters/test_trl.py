"""The plain class for TRL: what it looks like to `GRPOTrainer`, and that it plays."""

from __future__ import annotations

import copy
import inspect

import pytest

from housemates.adapters.trl import environment, fork
from housemates.errors import HousematesError


def public(kind: type) -> set[str]:
    """What TRL takes for tools, `reset` and `get_reward` apart."""
    members = inspect.getmembers(kind, predicate=inspect.isfunction)
    return {name for name, _ in members if not name.startswith("_")} - {"reset", "get_reward"}


def test_its_public_methods_are_the_offers(counting) -> None:
    made = environment("counting", options={"start": 3})
    assert public(made) == {"Take", "Stop"}
    assert "number: How much; only 1 works." in made.Take.__doc__
    assert list(inspect.signature(made().Take).parameters) == ["number"]


def test_an_episode_is_played_by_calling_them(counting) -> None:
    env = environment("counting", options={"start": 2}, split="generated")()
    with pytest.raises(HousematesError, match="reset first"):
        env.Take(number=1)
    assert env.get_reward() == 0.0
    tales = {seed: env.reset(seed=seed, prompt="whatever else the row has") for seed in range(40)}
    numbers = {seed: int(told.rpartition("is ")[2].rstrip(".")) for seed, told in tales.items()}
    seed = min(numbers, key=numbers.__getitem__)
    number, told = numbers[seed], env.reset(seed=seed)
    assert "Take 1 away until nothing is left." in told
    assert env.Take(number=7).startswith("7 is not 1.")
    assert env.reason == "not_possible"
    for _ in range(number):
        said = env.Take(number=1)
    assert env.reason == "done"
    assert said.endswith("The episode is over.")
    assert env.get_reward() == 0.0, "nothing is to be earned here"
    assert env.reset(seed=seed) == told


@pytest.mark.parametrize(("name", "role"), [("teach-tatc", "commander"), ("cerealbar", "follower")])
def test_every_seat_is_such_a_class(name, role) -> None:
    made = environment(name, role=role)
    assert len(public(made)) >= 4
    assert "Say" in public(made) or "Done" in public(made)
    assert made().reset(seed=1)


def test_an_environment_is_forked_without_a_tool_for_it(counting) -> None:
    env = environment("counting", options={"start": 3})()
    env.reset(seed=1)
    env.Take(number=1)
    twin, other = fork(env), copy.deepcopy(env)
    said = twin.Take(number=1)
    assert env.Take(number=1) == other.Take(number=1) == said
    assert public(type(env)) == {"Take", "Stop"}
