"""The expert: plans from the task and the full state, from any state of a session."""

from __future__ import annotations

from housemates.agents.alfred.guide import Guide
from housemates.agents.alfred.partial import SubgoalGuide
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
"""Ways of pointing that take ids."""


class Expert(Agent):
    """Privileged; points by id unless the session wants points or masks.

    Args:
        only_seen: Touch only objects in view, even where ids are accepted.
    """

    privileged = True

    def __init__(self, only_seen: bool = False) -> None:
        self.only_seen = only_seen
        self.deeds: list[PlannedAction] = []
        """The actions advised in this session, each with the sub-goal that it serves."""
        self._session: Session | None = None
        self._guide: Guide | None = None

    def reset(self, brief: Brief) -> None:
        """Forget the last session."""
        self._session = self._guide = None

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Take the session that is advised."""
        self._session = session

    def act(self, percept: Percept) -> Act:
        """The act that `advise` gives for the session."""
        assert isinstance(self._session, AlfredSession)
        return self.advise(self._session)

    def advise(self, session: AlfredSession) -> Act:
        """The next act from the session's state, whoever acted before; `reset` is not needed."""
        if self._guide is None or session is not self._session:
            if session.episode.task is None:
                raise HousematesError(f"{session.episode.id}: does not tell its task, so no expert can help.")
            self._session, self._guide = session, self.guide(session, session.episode.task)
            self.deeds = []
        deed = self._guide.advise(session.world)
        self.deeds.append(deed)
        return pointed(session, deed)

    def guide(self, session: AlfredSession, task: Task) -> Guide:
        """The guide to a session's task, or to its sub-goal."""
        sight = session.sight if self.looks(session) else None
        target = session.episode.target
        return Guide(task, sight) if target is None else SubgoalGuide(task, target, sight)

    def looks(self, session: AlfredSession) -> bool:
        """Whether objects are touched only where they are in view."""
        return self.only_seen or session.pointing not in BY_ID


def pointed(session: AlfredSession, deed: PlannedAction) -> Act:
    """A planned action as an act, pointing as the session wants."""
    if deed.target is None:
        return Act(deed.action)
    if session.pointing in BY_ID:
        return Act(deed.action, {"object": deed.target})
    mask = session.sight.mask(deed.target)
    if session.pointing == "mask":
        return Act(deed.action, {"mask": mask})
    column, row = point_of(mask) if mask.any() else (session.sight.width // 2, session.sight.height // 2)
    return Act(deed.action, {"point": session.sight.place(column, row)})
