"""The rule-based Commander's plan, spoken in skills by a Follower who knows it."""

from __future__ import annotations

from collections import Counter

from housemates.benchmarks.base import Act, Agent, Brief, Instance, Percept, Session
from housemates.benchmarks.skills.searching import Search
from housemates.benchmarks.teach.agents.planning import Errand, Step, close_up, next_errand
from housemates.benchmarks.teach.session import STOP, HomeSession
from housemates.errors import HousematesError

SPOKEN = {
    "Pickup": "Take",
    "Place": "Put",
    "Open": "Open",
    "Close": "Close",
    "ToggleOn": "SwitchOn",
    "ToggleOff": "SwitchOff",
    "Slice": "Slice",
    "Pour": "Pour",
}
"""The skill for each action of a step."""
CHANGES_OF_MIND = 16
"""How often another way is looked for before it gives up."""
REPEATS = 3
"""How often the same errand is done before something else is tried."""


class SkillPlanner(Agent):
    """Knows the task and where everything is, but uses only what it has seen, as everybody in skills."""

    privileged = True

    def reset(self, brief: Brief) -> None:
        """Forget the last episode."""
        self._avoid: set[Step] = set()
        self._done: Counter[Errand] = Counter()
        self._ahead: list[Step] = []
        self._last: Step | None = None
        self._changes = 0

    def witness(self, instance: Instance, session: Session) -> None:
        """Look at the session itself."""
        assert isinstance(session, HomeSession)
        if session.hands is None:
            raise HousematesError("plan: expected acts=skills.")
        self._session, self._search = session, Search(session.hands)

    def act(self, percept: Percept) -> Act:
        """The next step of the errand, or what brings its thing into sight."""
        if self._last is not None and percept.last is not None:
            self._learn(self._last, percept.last.success)
        self._last = None
        if not self._ahead and not self._session.complete:
            self._plan()
        if not self._ahead:
            return Act(STOP)
        search = self._search.next(self._ahead[0].target)
        if search is not None:
            return search
        step = self._last = self._ahead.pop(0)
        return Act(SPOKEN[step.action], {"object": step.target})

    def _learn(self, step: Step, success: bool) -> None:
        """What failed is not tried again, until the thing has been moved; tidiness may fail."""
        if success and step.action == "Place":
            self._avoid = {each for each in self._avoid if each.thing != step.thing}
        elif not success and not step.optional:
            self._avoid.add(step)
            self._ahead = []

    def _plan(self) -> None:
        """Think of the next errand; where there is none, of closing a door that may be in the way."""
        world = self._session.world
        while self._changes < CHANGES_OF_MIND:
            errand = next_errand(self._session.task, world, self._avoid)
            if errand is None:
                break
            if self._done[errand] < REPEATS:
                self._done[errand] += 1
                self._ahead = list(errand.steps)
                return
            self._avoid.add([step for step in errand.steps if not step.optional][-1])
            self._changes += 1
        self._changes += 1
        self._avoid = set()
        if self._changes < CHANGES_OF_MIND:
            self._ahead = close_up(world)[:1]
