"""The expert's plan, spoken in skills."""

from __future__ import annotations

from housemates.benchmarks.alfred.agents.guide import main_step, next_group
from housemates.benchmarks.alfred.agents.planning import Step, problem_of, solve
from housemates.benchmarks.alfred.session import AlfredSession
from housemates.benchmarks.alfred.tasks.goals import progress
from housemates.benchmarks.alfred.world.dynamics import STOP
from housemates.benchmarks.base import Act, Agent, Brief, Instance, Percept, Session
from housemates.benchmarks.skills.searching import Search
from housemates.errors import HousematesError

SPOKEN = {
    "OpenObject": "Open",
    "CloseObject": "Close",
    "PickupObject": "Take",
    "PutObject": "Put",
    "StackObject": "Put",
    "SliceObject": "Slice",
    "ToggleObject": "SwitchOn",
    "HeatObject": "Heat",
    "CoolObject": "Cool",
    "CleanObject": "Clean",
}
"""The skill for each high-level action."""
ON_THINGS = ("PickupObject", "SliceObject")
"""Actions on the thing itself; the others are on places."""


class SkillPlanner(Agent):
    """Knows the task and where everything is, but uses only what it has seen, as everybody in skills."""

    privileged = True

    def reset(self, brief: Brief) -> None:
        """Forget the last episode."""
        self._refused: frozenset[Step] = frozenset()
        self._opened: frozenset[str] = frozenset()
        self._ahead: list[Step] = []
        self._main: Step | None = None

    def witness(self, instance: Instance, session: Session) -> None:
        """Look at the session itself."""
        assert isinstance(session, AlfredSession)
        if session.hands is None or session.episode.task is None:
            raise HousematesError("plan: expected acts=skills, and a demonstration that tells its task.")
        self._session, self._search, self._task = session, Search(session.hands), session.episode.task

    def act(self, percept: Percept) -> Act:
        """The next step of the plan, or what brings its thing into sight; after a failure, another plan."""
        if percept.last is not None and not percept.last.success and self._main is not None:
            self._refused |= {self._main}
            self._ahead = []
        if not self._ahead:
            self._plan()
        if not self._ahead:
            return Act(STOP)
        step = self._ahead[0]
        target = step.thing if step.action in ON_THINGS else step.place
        search = self._search.next(target)
        if search is not None:
            return search
        self._ahead.pop(0)
        if step.action == "OpenObject":
            self._opened |= {target}
        return Act(SPOKEN[step.action], {"object": target})

    def _plan(self) -> None:
        """Think of the next sub-goal from here; of nothing if all is done, or nothing can be."""
        world, self._main = self._session.world, None
        open_still = any(world.home.things[name].open for name in self._opened)
        if progress(self._task, world).success and not open_still:
            return
        plan = solve(problem_of(world, self._task, self._refused, self._opened))
        if plan is not None and plan.steps:
            group = next_group(plan)
            self._main = main_step(group)
            self._ahead = [each for each in group if each.action in SPOKEN]
