"""Baselines of TEACh: random, recorded, idle and stopping agents."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from housemates.benchmarks.teach.formats.starts import Done
from housemates.benchmarks.teach.world.actions import MOVES, TOUCHES
from housemates.benchmarks.teach.world.dynamics import HOME_ACTIONS
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance
from housemates.core.percepts import Brief, Percept
from housemates.core.session import Session

DRAWN = ("Stop", *HOME_ACTIONS)
MOST_STEPS = 120
"""After so many steps who points at random among offers stops, as nothing else ends it."""


class RandomFollower(Agent):
    """The paper's random agent: a uniform action at a uniform point of the picture."""

    def reset(self, brief: Brief) -> None:
        """Seed the generator from the brief."""
        self.rng = np.random.default_rng(brief.seed)

    def act(self, percept: Percept) -> Act:
        """A uniform action, at a uniform point if it needs one."""
        name = DRAWN[int(self.rng.integers(len(DRAWN)))]
        if name not in TOUCHES:
            return Act(name)
        return Act(name, {"point": tuple(self.rng.random(2).tolist())})


class RandomOffered(Agent):
    """A uniform action but Stop among those that are offered, on a uniform one of the objects offered for it.

    It stops after 120 steps, and is the baseline of E.T.'s rows by id.
    """

    def reset(self, brief: Brief) -> None:
        """Seed the generator from the brief."""
        self.rng = np.random.default_rng(brief.seed)
        self._steps = 0

    def act(self, percept: Percept) -> Act:
        """A uniform offer; one of its objects, if it needs one."""
        self._steps += 1
        if self._steps >= MOST_STEPS:
            return Act("Stop")
        offers = [each for each in percept.offers if each.name in HOME_ACTIONS]
        offer = offers[int(self.rng.integers(len(offers)))]
        choices = next((each.choices for each in offer.arguments if each.name == "object"), ())
        return Act(offer.name, {"object": choices[int(self.rng.integers(len(choices)))]} if choices else {})


class Oracle(Agent):
    """Repeats people's recorded actions on the same objects."""

    privileged = True

    def reset(self, brief: Brief) -> None:
        """Read from the brief how objects may be pointed at."""
        self.ways = {each.name for offer in brief.offers for each in offer.arguments}
        self.rest: Iterator[Done] = iter(())

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Take the recorded actions from the instance."""
        self.rest = iter(instance.data.future)

    def act(self, percept: Percept) -> Act:
        """The next recorded action, or Stop after the last."""
        for each in self.rest:
            if each.action in MOVES:
                return Act(each.action)
            if each.action in TOUCHES:
                told = each.arguments()
                if "point" not in told or "point" not in self.ways:
                    told = {"object": each.repeated}
                return Act(each.action, {key: told[key] for key in told if key in self.ways})
        return Act("Stop")


class Idle(Agent):
    """Passes its turn, every time."""

    def act(self, percept: Percept) -> Act:
        """The act Pass, whatever is perceived."""
        return Act("Pass")


class Stopper(Agent):
    """Ends the session at its first turn."""

    def act(self, percept: Percept) -> Act:
        """The act Stop, whatever is perceived."""
        return Act("Stop")
