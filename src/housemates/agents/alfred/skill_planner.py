"""The planner of ALFRED's tasks, acting by skills."""

from __future__ import annotations

from housemates.agents.alfred.guide import main_step, next_group
from housemates.agents.skills.planner import Planner
from housemates.agents.skills.search import Search
from housemates.benchmarks.alfred.session import AlfredSession
from housemates.benchmarks.alfred.tasks.goals import progress
from housemates.benchmarks.alfred.tasks.planning import PlanStep, problem_of, solve
from housemates.benchmarks.alfred.world.dynamics import INTERACTIONS
from housemates.core.benchmark import Instance
from housemates.core.percepts import Brief
from housemates.core.session import Session
from housemates.errors import HousematesError
from housemates.home.skills import menu as skills

SPOKEN = {
    **{name: skills.SPOKEN[does] for name, does in INTERACTIONS.items()},
    "StackObject": "Put",
    "ToggleObject": "SwitchOn",
    "HeatObject": "Heat",
    "CoolObject": "Cool",
    "CleanObject": "Clean",
}
"""The skill for each high-level action."""
ON_THINGS = ("PickupObject", "SliceObject")
"""Actions on the object itself; all others are on its place."""


class SkillPlanner(Planner[PlanStep]):
    """Replans for each sub-goal; avoids those that failed. Privileged."""

    def reset(self, brief: Brief) -> None:
        """Forget the last plan."""
        super().reset(brief)
        self._refused: frozenset[PlanStep] = frozenset()
        self._opened: frozenset[str] = frozenset()
        self._main: PlanStep | None = None

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Take the session; raises HousematesError unless `acts=skills` and the task is known."""
        assert isinstance(session, AlfredSession)
        if session.hands is None or session.episode.task is None:
            raise HousematesError("plan: expected acts=skills, and a demonstration that tells its task.")
        self._session, self.search, self._task = session, Search(session.hands), session.episode.task

    def learn(self, success: bool) -> None:
        """Avoid a sub-goal that failed."""
        if not success and self._main is not None:
            self._refused |= {self._main}
            self.ahead = []

    def plan(self) -> None:
        """Plan the next sub-goal; nothing if all is done, or nothing can be."""
        world, self._main = self._session.world, None
        open_still = any(world.home.things[name].open for name in self._opened)
        if progress(self._task, world).success and not open_still:
            return
        plan = solve(problem_of(world, self._task, self._refused, self._opened))
        if plan is not None and plan.steps:
            group = next_group(plan)
            self._main = main_step(group)
            self.ahead = [each for each in group if each.action in SPOKEN]

    def target(self, step: PlanStep) -> str:
        """Id of the object or of its place."""
        return step.thing if step.action in ON_THINGS else step.place

    def speak(self, step: PlanStep) -> str:
        """The skill for a step; what it opens is to be closed again."""
        if step.action == "OpenObject":
            self._opened |= {step.place}
        return SPOKEN[step.action]
