"""The rule-based Commander's plan, spoken in skills by a Follower who knows it."""

from __future__ import annotations

from housemates.benchmarks.base import Act, Agent, Brief, Instance, Percept, Session
from housemates.benchmarks.skills import Search
from housemates.benchmarks.teach.agents.planning import Step, close_up, next_errand
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


class SkillPlanner(Agent):
    """Knows the task and where everything is, but uses only what it has seen, as everybody in skills."""

    privileged = True

    def reset(self, brief: Brief) -> None:
        """Forget the last episode."""
        self._avoid: set[Step] = set()
        self._left: set[Step] = set()
        self._last: Step | None = None
        self._changes = 0

    def witness(self, instance: Instance, session: Session) -> None:
        """Look at the session itself."""
        assert isinstance(session, HomeSession)
        if session.hands is None:
            raise HousematesError("plan: expected acts=skills.")
        self._session, self._search = session, Search(session.hands)

    def act(self, percept: Percept) -> Act:
        """The next step from here, or what brings its thing into sight."""
        last = self._last
        if last is not None and percept.last is not None:
            self._learn(last, percept.last.success)
        step = self._last = None if self._session.complete else self._next()
        if step is None:
            return Act(STOP)
        search = self._search.next(step.target)
        if search is not None:
            self._last = None
            return search
        return Act(SPOKEN[step.action], {"object": step.target})

    def _learn(self, step: Step, success: bool) -> None:
        """What failed is not tried again, until something has been moved."""
        if not success:
            (self._left if step.optional else self._avoid).add(step)
        elif step.action == "Place":
            self._avoid = {each for each in self._avoid if each.thing != step.thing}

    def _next(self) -> Step | None:
        world = self._session.world
        errand = next_errand(self._session.task, world, self._avoid)
        if errand is None and self._changes < CHANGES_OF_MIND:
            self._changes += 1
            self._avoid = set()
            return next((step for step in close_up(world) if step not in self._left), None)
        steps = [] if errand is None else [each for each in errand.steps if each not in self._left]
        return steps[0] if steps else None
