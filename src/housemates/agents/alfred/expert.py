"""The expert: knows the task and the world, and says at any state of a session what to do."""

from __future__ import annotations

from housemates.agents.alfred.guide import Guide
from housemates.agents.alfred.partial import PartGuide
from housemates.benchmarks.alfred.session import AlfredSession
from housemates.benchmarks.alfred.tasks.goals import Task
from housemates.benchmarks.alfred.tasks.planning import PlannedAction
from housemates.benchmarks.alfred.world.masks import point_of
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance
from housemates.core.percepts import Brief, Percept
from housemates.core.session import Session
from housemates.errors import HousematesError

BY_ID = ("any", "object")
"""Where things may be pointed at by their ids."""


class Expert(Agent):
    """Knows everything, and points by id unless a session wants points or masks.

    Args:
        only_seen: Touch things only where the picture shows them, also where ids will do.
    """

    privileged = True

    def __init__(self, only_seen: bool = False) -> None:
        self.only_seen = only_seen
        self.deeds: list[PlannedAction] = []
        """What it has advised in this session, and which sub-goal each deed serves."""
        self._session: Session | None = None
        self._guide: Guide | None = None

    def reset(self, brief: Brief) -> None:
        """Forget the last episode."""
        self._session = self._guide = None

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Look at the session itself."""
        self._session = session

    def act(self, percept: Percept) -> Act:
        """What it advises."""
        assert isinstance(self._session, AlfredSession)
        return self.advise(self._session)

    def advise(self, session: AlfredSession) -> Act:
        """What to do now in a session, whatever was done before and by whom; `reset` is not needed."""
        if self._guide is None or session is not self._session:
            if session.episode.task is None:
                raise HousematesError(f"{session.episode.id}: does not tell its task, so no expert can help.")
            self._session, self._guide = session, self.guide(session, session.episode.task)
            self.deeds = []
        deed = self._guide.advise(session.world)
        self.deeds.append(deed)
        return pointed(session, deed)

    def guide(self, session: AlfredSession, task: Task) -> Guide:
        """The guide to a session's task, or to the sub-goal that it asks for."""
        sight = session.sight if self.looks(session) else None
        target = session.episode.target
        return Guide(task, sight) if target is None else PartGuide(task, target, sight)

    def looks(self, session: AlfredSession) -> bool:
        """Whether things are touched only where the picture shows them."""
        return self.only_seen or session.pointing not in BY_ID


def pointed(session: AlfredSession, deed: PlannedAction) -> Act:
    """A deed as an act that points in the way that a session wants."""
    if deed.target is None:
        return Act(deed.action)
    if session.pointing in BY_ID:
        return Act(deed.action, {"object": deed.target})
    mask = session.sight.mask(deed.target)
    if session.pointing == "mask":
        return Act(deed.action, {"mask": mask})
    column, row = point_of(mask) if mask.any() else (session.sight.width // 2, session.sight.height // 2)
    return Act(deed.action, {"point": session.sight.place(column, row)})
