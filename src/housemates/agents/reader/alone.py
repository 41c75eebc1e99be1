"""The reader on its own in TEACh: does what a dialogue was about, and stops."""

from __future__ import annotations

from typing import Literal

from housemates.agents.reader.chores import Chores
from housemates.agents.reader.household import Household
from housemates.agents.reader.seeking import Seeker
from housemates.benchmarks.base import Act, Agent, Brief, Instance, Percept, Session
from housemates.benchmarks.embodied.body import Body, Doing
from housemates.benchmarks.embodied.hands import Hands, Stuck
from housemates.benchmarks.teach.world.senses import FollowerSenses

TRIES = 3
"""How often it begins a task anew after it got stuck."""
PATIENCE = 0.7
"""The share of all turns after which it opens no more cupboards."""


class ReaderAlone(Agent):
    """Follows a dialogue that is over.

    Args:
        intent: Whether it reads what is wanted or, to measure all else, is told.
    """

    def __init__(self, intent: Literal["read", "true"] = "read") -> None:
        self.privileged = intent == "true"
        self._told: tuple[str, list[str]] | None = None

    def reset(self, brief: Brief) -> None:
        """Forget the last home."""
        self.body = Body(FollowerSenses())
        hands = Hands(self.body)
        self.seeker = Seeker(hands, int(PATIENCE * brief.limits.steps))
        self.household = Household(Chores(hands, self.seeker))
        self._living: Doing[None] | None = None
        self._told = None
        self.troubles: list[str] = []

    def witness(self, instance: Instance, session: Session) -> None:
        """Be told the task."""
        definition = instance.data.definition
        self._told = (definition["task_name"], [str(each) for each in definition["task_params"]])

    def act(self, percept: Percept) -> Act:
        """Go on with what it is doing."""
        try:
            if self._living is None:
                self.body.perceive(percept)
                self._living = self._live()
                return next(self._living)
            return self._living.send(percept)
        except StopIteration:
            return Act("Stop")

    def _live(self) -> Doing[None]:
        assert self._told is not None
        name, params = self._told
        yield from self.seeker.survey()
        for _ in range(TRIES):
            try:
                yield from self.household.carry_out(name, params)
                return
            except Stuck as trouble:
                self.troubles.append(f"{trouble.kind} {trouble.type} {trouble.place}")
