"""The planner of TEACh's tasks, acting by skills."""

from __future__ import annotations

from collections import Counter

from housemates.agents.skills.planner import Planner
from housemates.agents.skills.search import Search
from housemates.agents.teach.planning import PlannedStep, Subplan, closing_steps, next_subplan
from housemates.benchmarks.teach.session import HomeSession
from housemates.core.benchmark import Instance
from housemates.core.percepts import Brief
from housemates.core.session import Session
from housemates.errors import HousematesError
from housemates.home.skills.menu import SPOKEN

CHANGES_OF_MIND = 16
"""Changes of plan after which it gives up."""
REPEATS = 3
"""How often a subplan is done before something else is tried."""


class SkillPlanner(Planner[PlannedStep]):
    """Does one subplan after the other; privileged."""

    def reset(self, brief: Brief) -> None:
        """Forget the last plan."""
        super().reset(brief)
        self._avoid: set[PlannedStep] = set()
        self._done: Counter[Subplan] = Counter()
        self._last: PlannedStep | None = None
        self._changes = 0

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Take the session; raises HousematesError unless `acts=skills`."""
        assert isinstance(session, HomeSession)
        if session.hands is None:
            raise HousematesError("plan: expected acts=skills.")
        self._session, self.search = session, Search(session.hands)

    def target(self, step: PlannedStep) -> str:
        """Id of the object that the step touches."""
        return step.target

    def speak(self, step: PlannedStep) -> str:
        """The skill for a step."""
        self._last = step
        return SPOKEN[step.action]

    def learn(self, success: bool) -> None:
        """Avoid a step that failed, until its object was moved; optional ones may fail."""
        step, self._last = self._last, None
        if step is None:
            return
        if success and step.action == "Place":
            self._avoid = {each for each in self._avoid if each.thing != step.thing}
        elif not success and not step.optional:
            self._avoid.add(step)
            self.ahead = []

    def plan(self) -> None:
        """Plan the next subplan; where there is none, close a door that may block the way."""
        if self._session.complete:
            return
        world = self._session.world
        while self._changes < CHANGES_OF_MIND:
            subplan = next_subplan(self._session.task, world, self._avoid)
            if subplan is None:
                break
            if self._done[subplan] < REPEATS:
                self._done[subplan] += 1
                self.ahead = list(subplan.steps)
                return
            self._avoid.add([step for step in subplan.steps if not step.optional][-1])
            self._changes += 1
        self._changes += 1
        self._avoid = set()
        if self._changes < CHANGES_OF_MIND:
            self.ahead = closing_steps(world)[:1]
