"""Agents that come with the benchmark, by name."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping

import numpy as np

from housemates.benchmarks.base import Agent, Instance
from housemates.benchmarks.teach.world.actions import action_named, model_actions
from housemates.benchmarks.teach.world.dynamics import HOME_ACTIONS
from housemates.benchmarks.teach.world.observation import Observation
from housemates.benchmarks.teach.world.roles import Act
from housemates.errors import HousematesError


class RandomFollower:
    """Looks at its picture and does anything at all, anywhere on it."""

    def reset(self, instance: Instance) -> None:
        """Begin anew, with randomness of the instance's own."""
        self.rng = np.random.default_rng([instance.seed, *instance.id.encode()])

    def act(self, observation: Observation) -> Act:
        """One of the actions, each as likely as the next, at a random place of the picture."""
        names = model_actions()
        name = names[int(self.rng.integers(len(names)))]
        observation.frame()
        if not action_named(name).touches:
            return Act(name)
        x, y = self.rng.random(2).tolist()
        return Act(name, x=x, y=y)


class OracleFollower:
    """Does what people did, on the same objects."""

    def reset(self, instance: Instance) -> None:
        """Take the recorded actions."""
        self.rest = iter(instance.data.future)

    def act(self, observation: Observation) -> Act:
        """The next one, at last Stop."""
        for each in self.rest:
            if each.action_name in HOME_ACTIONS:
                return Act(each.action_name, each.x, each.y, each.oid)
        return Act("Stop")


class Silent:
    """Says and does nothing."""

    def reset(self, instance: Instance) -> None:
        """Nothing to forget."""

    def act(self, observation: Observation) -> Act:
        """Leave the turn to the other."""
        return Act("Pass")


class Stopper:
    """Stops at once."""

    def reset(self, instance: Instance) -> None:
        """Nothing to forget."""

    def act(self, observation: Observation) -> Act:
        """Stop."""
        return Act("Stop")


def random_pair() -> dict[str, Agent]:
    """A Commander who says nothing and a Follower who does anything."""
    return {"commander": Silent(), "follower": RandomFollower()}


def idle_pair() -> dict[str, Agent]:
    """Two who do nothing."""
    return {"commander": Silent(), "follower": Silent()}


HERE = __name__
FOLDER = __package__
PAIRS = {
    "random": f"{HERE}:random_pair",
    "idle": f"{HERE}:idle_pair",
    "rule": f"{FOLDER}.rule.pair:agents",
    "talk": f"{FOLDER}.talk.pair:agents",
}
"""Name -> the function that makes the two agents."""


FOLLOWERS: dict[str, Callable[[], Agent]] = {
    "random": RandomFollower,
    "oracle": OracleFollower,
    "stop": Stopper,
}
"""Followers on their own, by name."""


def follower(name: str) -> Agent:
    """The Follower of this name."""
    if name not in FOLLOWERS:
        raise HousematesError(f"Unknown agent {name!r}: expected one of {', '.join(FOLLOWERS)}.")
    return FOLLOWERS[name]()


def pair(name: str) -> Mapping[str, Agent]:
    """The Commander and the Follower of this name."""
    if name not in PAIRS:
        raise HousematesError(f"Unknown pair {name!r}: expected one of {', '.join(PAIRS)}.")
    module, _, function = PAIRS[name].partition(":")
    make: Callable[[], Mapping[str, Agent]] = getattr(importlib.import_module(module), function)
    return make()
