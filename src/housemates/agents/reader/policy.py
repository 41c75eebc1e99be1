"""What the reader is in every seat: somebody who lives on from percept to percept."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from housemates.agents.embodied.embodiment import Senses
from housemates.agents.embodied.locomotion import Doing
from housemates.agents.embodied.manipulation import Hands, Stuck
from housemates.agents.embodied.navigation import Body
from housemates.agents.reader.planning.object_search import Seeker
from housemates.agents.reader.planning.routines import Chores
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept

EyesOf = Literal["given", "own"]
"""Whose eyes: the simulator's segmentation and depth of the picture, or its own on the colours."""
LOST = ("where", "lost")
"""Kinds of trouble in which something is not found."""
MISSED = "missed "
"""What comes before a type in what is told of an episode, if a thing of it was not found."""
STEP_BUDGET = 0.6
"""The share of all turns after which it opens no more containers."""


def see_with(eyes: EyesOf, body: Body) -> None:
    """Give a body its own eyes, if it shall have them."""
    if eyes == "own":
        from housemates.agents.reader.perception.own_eyes import OwnEyes
        from housemates.models.segmentation.inference import shipped

        body.senses = OwnEyes(body.senses, shipped(), body.memory)


def told_of(eyes: EyesOf, troubles: Sequence[Stuck]) -> dict[str, float]:
    """Which eyes were used, how often things of each type were not found, how often others were barred."""
    missed = Counter(f"{MISSED}{each.type}" for each in troubles if each.kind in LOST)
    told = {"own eyes": eyes == "own", **missed, "barred": len(troubles) - missed.total()}
    return {name: float(count) for name, count in told.items()}


class Living(Agent):
    """Does what `live` yields, and stops when that ends."""

    def __init__(self, eyes: EyesOf = "own") -> None:
        """Choose eyes: the simulator's segmentation and depth of its picture, or its own of the colours."""
        self.eyes = eyes

    def begin(self, brief: Brief, senses: Senses, step_budget: float = STEP_BUDGET) -> None:
        """Forget the last home; `step_budget` is the share of turns after which no container is opened."""
        self.body = Body(senses)
        see_with(self.eyes, self.body)
        hands = Hands(self.body)
        limits = brief.limits
        failures = int(self.body.memory.perception.failure_budget * limits.failures)
        self.seeker = Seeker(hands, int(step_budget * limits.steps), failures)
        self.chores = Chores(hands, self.seeker)
        self.troubles: list[Stuck] = []
        """What went wrong so far."""
        self._living: Doing[None] | None = None

    @property
    def usage(self) -> dict[str, float]:
        """Which eyes it used, and what went wrong."""
        return told_of(self.eyes, self.troubles)

    @abstractmethod
    def live(self) -> Doing[None]:
        """All that it does in an episode."""

    def act(self, percept: Percept) -> Act:
        """Go on with what it is doing."""
        try:
            if self._living is None:
                self.body.perceive(percept)
                self._living = self.live()
                return next(self._living)
            return self._living.send(percept)
        except StopIteration:
            return Act("Stop")

    def tried(self, doing: Doing[None]) -> Doing[bool]:
        """Whether something could be done; if not, why is noted."""
        try:
            yield from doing
        except Stuck as trouble:
            self.troubles.append(trouble)
            if self.body.memory.perception.retries:
                self.body.memory.forgive()
                self.seeker.begin_anew(trouble.kind in LOST)
            return False
        return True
