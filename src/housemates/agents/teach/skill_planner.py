"""The rule-based Commander's plan, spoken in skills by a Follower who knows it."""

from __future__ import annotations

from collections import Counter

from housemates.agents.skills.planner import Planner
from housemates.agents.skills.search import Search
from housemates.agents.teach.planning import Errand, Step, close_up, next_errand
from housemates.benchmarks.teach.session import HomeSession
from housemates.core.benchmark import Instance
from housemates.core.percepts import Brief
from housemates.core.session import Session
from housemates.errors import HousematesError
from housemates.home.skills.menu import SPOKEN

CHANGES_OF_MIND = 16
"""How often another way is looked for before it gives up."""
REPEATS = 3
"""How often the same errand is done before something else is tried."""


class SkillPlanner(Planner[Step]):
    """Does one errand after the other."""

    def reset(self, brief: Brief) -> None:
        """Forget the last episode."""
        super().reset(brief)
        self._avoid: set[Step] = set()
        self._done: Counter[Errand] = Counter()
        self._last: Step | None = None
        self._changes = 0

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Look at the session itself."""
        assert isinstance(session, HomeSession)
        if session.hands is None:
            raise HousematesError("plan: expected acts=skills.")
        self._session, self.search = session, Search(session.hands)

    def target(self, step: Step) -> str:
        """The thing that it touches."""
        return step.target

    def speak(self, step: Step) -> str:
        """The skill of a step."""
        self._last = step
        return SPOKEN[step.action]

    def learn(self, success: bool) -> None:
        """What failed is not tried again, until the thing has been moved; tidiness may fail."""
        step, self._last = self._last, None
        if step is None:
            return
        if success and step.action == "Place":
            self._avoid = {each for each in self._avoid if each.thing != step.thing}
        elif not success and not step.optional:
            self._avoid.add(step)
            self.ahead = []

    def plan(self) -> None:
        """Think of the next errand; where there is none, of closing a door that may be in the way."""
        if self._session.complete:
            return
        world = self._session.world
        while self._changes < CHANGES_OF_MIND:
            errand = next_errand(self._session.task, world, self._avoid)
            if errand is None:
                break
            if self._done[errand] < REPEATS:
                self._done[errand] += 1
                self.ahead = list(errand.steps)
                return
            self._avoid.add([step for step in errand.steps if not step.optional][-1])
            self._changes += 1
        self._changes += 1
        self._avoid = set()
        if self._changes < CHANGES_OF_MIND:
            self.ahead = close_up(world)[:1]
