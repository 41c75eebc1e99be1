"""Generator policy: a whole episode as one coroutine that yields acts and is sent percepts."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from housemates.agents.embodied.embodiment import Embodiment
from housemates.agents.embodied.locomotion import Routine
from housemates.agents.embodied.manipulation import Manipulator, Stuck
from housemates.agents.embodied.navigation import Navigator
from housemates.agents.reader.planning.object_search import ObjectSearch
from housemates.agents.reader.planning.routines import Routines
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept

PerceptionSource = Literal["given", "own"]
"""`given`: the simulator's segmentation and depth; `own`: predicted from colours."""
LOST = ("where", "lost")
"""Kinds of `Stuck` in which something is not found."""
MISSED = "missed "
"""Prefix of usage entries that count objects of a type that were not found."""
STEP_BUDGET = 0.6
"""The share of all turns after which it opens no more containers."""


def equip(eyes: PerceptionSource, navigator: Navigator) -> None:
    """Give a navigator predicted perception, if its source is `own`."""
    if eyes == "own":
        from housemates.agents.reader.perception.own_eyes import PredictedVision
        from housemates.models.segmentation.inference import shipped

        navigator.embodiment = PredictedVision(navigator.embodiment, shipped(), navigator.memory)


def usage_of(eyes: PerceptionSource, troubles: Sequence[Stuck]) -> dict[str, float]:
    """Usage entries: the source of perception, objects not found by type, and other failures."""
    missed = Counter(f"{MISSED}{each.type}" for each in troubles if each.kind in LOST)
    told = {"own eyes": eyes == "own", **missed, "barred": len(troubles) - missed.total()}
    return {name: float(count) for name, count in told.items()}


class GeneratorPolicy(Agent):
    """Does what the coroutine `run` yields, and stops when it ends."""

    def __init__(self, eyes: PerceptionSource = "own") -> None:
        """`eyes`: `given` for the simulator's segmentation and depth, `own` for predicted ones."""
        self.eyes = eyes

    def begin(self, brief: Brief, embodiment: Embodiment, step_budget: float = STEP_BUDGET) -> None:
        """Begin anew; `step_budget` is the share of steps after which no container is opened."""
        self.navigator = Navigator(embodiment)
        equip(self.eyes, self.navigator)
        manipulator = Manipulator(self.navigator)
        limits = brief.limits
        failures = int(self.navigator.memory.perception.failure_budget * limits.failures)
        self.object_search = ObjectSearch(manipulator, int(step_budget * limits.steps), failures)
        self.routines = Routines(manipulator, self.object_search)
        self.troubles: list[Stuck] = []
        """Failures so far."""
        self._generator: Routine[None] | None = None

    @property
    def usage(self) -> dict[str, float]:
        """Perception and failures of the episode, for the results."""
        return usage_of(self.eyes, self.troubles)

    @abstractmethod
    def run(self) -> Routine[None]:
        """The whole episode as a coroutine of acts."""

    def act(self, percept: Percept) -> Act:
        """Send the percept to the coroutine; returns the act that it yields, or Stop when it ends."""
        try:
            if self._generator is None:
                self.navigator.perceive(percept)
                self._generator = self.run()
                return next(self._generator)
            return self._generator.send(percept)
        except StopIteration:
            return Act("Stop")

    def attempt(self, doing: Routine[None]) -> Routine[bool]:
        """Whether a routine succeeds; a failure is noted, and may be prepared to be retried."""
        try:
            yield from doing
        except Stuck as trouble:
            self.troubles.append(trouble)
            if self.navigator.memory.perception.retries:
                self.navigator.memory.clear_failures()
                self.object_search.restart(trouble.kind in LOST)
            return False
        return True
