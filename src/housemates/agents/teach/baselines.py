"""Agents that need no plan."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from housemates.benchmarks.teach.formats.starts import Done
from housemates.benchmarks.teach.session import HomeSession
from housemates.benchmarks.teach.world.actions import MOVES, TOUCHES
from housemates.benchmarks.teach.world.dynamics import HOME_ACTIONS
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance
from housemates.core.percepts import Brief, Percept
from housemates.core.session import Session

DRAWN = ("Stop", *HOME_ACTIONS)


class RandomFollower(Agent):
    """Does anything at all, anywhere on its picture; the paper's."""

    def reset(self, brief: Brief) -> None:
        """Begin anew, with randomness of the episode's own."""
        self.rng = np.random.default_rng(brief.seed)

    def act(self, percept: Percept) -> Act:
        """One of the actions, each as likely as the next, at a random place of the picture."""
        name = DRAWN[int(self.rng.integers(len(DRAWN)))]
        if name not in TOUCHES:
            return Act(name)
        return Act(name, {"point": tuple(self.rng.random(2).tolist())})


class Oracle(Agent):
    """Does what people did, on the same objects."""

    privileged = True

    def reset(self, brief: Brief) -> None:
        """Learn how things may be pointed at."""
        self.ways = {each.name for offer in brief.offers for each in offer.arguments}
        self.rest: Iterator[Done] = iter(())

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Take the recorded actions, which are done as they are replayed."""
        self.rest = iter(instance.data.future)
        assert isinstance(session, HomeSession)
        session.follower.replays = True

    def act(self, percept: Percept) -> Act:
        """The next one, at last Stop."""
        for each in self.rest:
            if each.action in MOVES:
                return Act(each.action)
            if each.action in TOUCHES:
                told = each.arguments()
                return Act(each.action, {key: told[key] for key in told if key in self.ways})
        return Act("Stop")


class Idle(Agent):
    """Says and does nothing."""

    def act(self, percept: Percept) -> Act:
        """Leave the turn to the other."""
        return Act("Pass")


class Stopper(Agent):
    """Stops at once."""

    def act(self, percept: Percept) -> Act:
        """Stop."""
        return Act("Stop")
