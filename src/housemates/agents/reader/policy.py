"""What the reader is in every seat: somebody who lives on from percept to percept."""

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
"""Whose eyes: the simulator's segmentation and depth of the picture, or its own on the colours."""
LOST = ("where", "lost")
"""Kinds of trouble in which something is not found."""
MISSED = "missed "
"""What comes before a type in what is told of an episode, if a thing of it was not found."""
STEP_BUDGET = 0.6
"""The share of all turns after which it opens no more containers."""


def equip(eyes: PerceptionSource, navigator: Navigator) -> None:
    """Give a body its own eyes, if it shall have them."""
    if eyes == "own":
        from housemates.agents.reader.perception.own_eyes import PredictedVision
        from housemates.models.segmentation.inference import shipped

        navigator.embodiment = PredictedVision(navigator.embodiment, shipped(), navigator.memory)


def usage_of(eyes: PerceptionSource, troubles: Sequence[Stuck]) -> dict[str, float]:
    """Which eyes were used, how often things of each type were not found, how often others were barred."""
    missed = Counter(f"{MISSED}{each.type}" for each in troubles if each.kind in LOST)
    told = {"own eyes": eyes == "own", **missed, "barred": len(troubles) - missed.total()}
    return {name: float(count) for name, count in told.items()}


class GeneratorPolicy(Agent):
    """Does what `live` yields, and stops when that ends."""

    def __init__(self, eyes: PerceptionSource = "own") -> None:
        """Choose eyes: the simulator's segmentation and depth of its picture, or its own of the colours."""
        self.eyes = eyes

    def begin(self, brief: Brief, embodiment: Embodiment, step_budget: float = STEP_BUDGET) -> None:
        """Forget the last home; `step_budget` is the share of turns after which no container is opened."""
        self.navigator = Navigator(embodiment)
        equip(self.eyes, self.navigator)
        manipulator = Manipulator(self.navigator)
        limits = brief.limits
        failures = int(self.navigator.memory.perception.failure_budget * limits.failures)
        self.object_search = ObjectSearch(manipulator, int(step_budget * limits.steps), failures)
        self.routines = Routines(manipulator, self.object_search)
        self.troubles: list[Stuck] = []
        """What went wrong so far."""
        self._generator: Routine[None] | None = None

    @property
    def usage(self) -> dict[str, float]:
        """Which eyes it used, and what went wrong."""
        return usage_of(self.eyes, self.troubles)

    @abstractmethod
    def run(self) -> Routine[None]:
        """All that it does in an episode."""

    def act(self, percept: Percept) -> Act:
        """Go on with what it is doing."""
        try:
            if self._generator is None:
                self.navigator.perceive(percept)
                self._generator = self.run()
                return next(self._generator)
            return self._generator.send(percept)
        except StopIteration:
            return Act("Stop")

    def attempt(self, doing: Routine[None]) -> Routine[bool]:
        """Whether something could be done; if not, why is noted."""
        try:
            yield from doing
        except Stuck as trouble:
            self.troubles.append(trouble)
            if self.navigator.memory.perception.retries:
                self.navigator.memory.clear_failures()
                self.object_search.begin_anew(trouble.kind in LOST)
            return False
        return True
