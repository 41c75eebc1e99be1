"""Whoever has a plan and speaks it in skills, step by step, after looking for what each step is about."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, TypeVar

from housemates.agents.skills.search import Search
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept

STOP = "Stop"
Planned = TypeVar("Planned")


class Planner(Agent, Generic[Planned]):
    """Knows the task and where everything is, but uses only what it has seen, as everybody in skills."""

    privileged = True
    search: Search
    """Brings things into sight; `observe_privileged` makes it."""

    def reset(self, brief: Brief) -> None:
        """Forget the last episode."""
        self.ahead: list[Planned] = []
        """What is planned."""

    def act(self, percept: Percept) -> Act:
        """The next step of the plan, or what brings its thing into sight."""
        if percept.last is not None:
            self.learn(percept.last.success)
        if not self.ahead:
            self.plan()
        if not self.ahead:
            return Act(STOP)
        target = self.target(self.ahead[0])
        return self.search.next(target) or Act(self.speak(self.ahead.pop(0)), {"object": target})

    @abstractmethod
    def learn(self, success: bool) -> None:
        """Draw conclusions from what came of the last act."""

    @abstractmethod
    def plan(self) -> None:
        """Think of what to do next; of nothing if all is done, or nothing can be."""

    @abstractmethod
    def target(self, step: Planned) -> str:
        """The id of the thing that a step is about."""

    @abstractmethod
    def speak(self, step: Planned) -> str:
        """The skill that a step is, which is taken now."""
