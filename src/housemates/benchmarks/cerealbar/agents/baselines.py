"""Players that show what a number is worth: a random and an idle one; the pairs known by a name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from housemates.benchmarks.base import Agent, Instance
from housemates.benchmarks.cerealbar.agents.follower import CoordinateFollower, EnglishFollower
from housemates.benchmarks.cerealbar.agents.language.speaker import EnglishSpeaker
from housemates.benchmarks.cerealbar.agents.leader import Habits, Leader
from housemates.benchmarks.cerealbar.world.observe import Observation
from housemates.benchmarks.cerealbar.world.state import DONE, LEADER, Action, say
from housemates.errors import HousematesError


class RandomPlayer:
    """Walks at random; as a leader, says so; as a follower, finishes an instruction now and then."""

    def reset(self, instance: Instance) -> None:
        """Seed from the instance."""
        self.rng = np.random.default_rng([instance.seed, 17])

    def act(self, observation: Observation) -> Action:
        """Any legal action; DONE with a chance of one in ten."""
        moves = [name for name in observation.legal if name != "DONE"]
        if moves and self.rng.random() < 0.9:
            return Action(moves[int(self.rng.random() * len(moves))])
        if observation.role == LEADER and not observation.waiting:
            return say("wander around")
        return DONE


class IdlePlayer:
    """Does nothing: the leader ends its turn, the follower marks every instruction as done."""

    def reset(self, instance: Instance) -> None:
        """Nothing to forget."""

    def act(self, observation: Observation) -> Action:
        """DONE."""
        return DONE


LEADERS: dict[str, Callable[[], Agent]] = {
    "planner": Leader,
    "talking": lambda: Leader(EnglishSpeaker(), Habits(back=False)),
    "random": RandomPlayer,
    "idle": IdlePlayer,
}
FOLLOWERS: dict[str, Callable[[], Agent]] = {
    "planner": CoordinateFollower,
    "talking": EnglishFollower,
    "random": RandomPlayer,
    "idle": IdlePlayer,
}


def pair(name: str) -> dict[str, Agent]:
    """The leader and the follower known by a name, or by two as in `talking+random`."""
    leader, _, follower = name.partition("+")
    for role, known, wanted in (("leader", LEADERS, leader), ("follower", FOLLOWERS, follower or leader)):
        if wanted not in known:
            raise HousematesError(f"cerealbar: {role}: expected one of {', '.join(known)}, found {wanted!r}.")
    return {"leader": LEADERS[leader](), "follower": FOLLOWERS[follower or leader]()}
