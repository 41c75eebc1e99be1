"""An expert that is told the task as ALFRED's files have it, and which things can be had."""

from __future__ import annotations

from collections.abc import Sequence

from housemates.agents.eb_alfred.routines import RoutineAgent
from housemates.benchmarks.alfred.tasks.goals import Task
from housemates.benchmarks.eb_alfred.session import EBAlfredSession, View
from housemates.core.benchmark import Instance
from housemates.core.session import Session


class EBAlfredExpert(RoutineAgent):
    """Carries out the true task, and tries first what is at hand and not shut in."""

    privileged = True

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Take note of the task and the home."""
        assert isinstance(session, EBAlfredSession)
        self._session = session
        self._task: Task = instance.data.task

    def instances(self, kind: str) -> list[str]:
        """Those first that are not shut in, and of these the largest."""
        home, robot = self._session.world.home, self._session.robot

        def worse(name: str) -> tuple[bool, float]:
            thing = home.things.get(robot.instances.get(name, ""))
            if thing is None:
                return (False, 0.0)
            return (home.enclosing(thing) is not None, -thing.size[0] * thing.size[2])

        return sorted(super().instances(kind), key=worse)

    def tasks(self, view: View) -> Sequence[Task]:
        """The true task, again if it could not be done at once."""
        return [self._task] * 2
