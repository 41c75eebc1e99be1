"""Agents that know ALFRED: at random, by templates, and the expert with and without full knowledge."""

from __future__ import annotations

from collections.abc import Callable
from zlib import crc32

import numpy as np

from housemates.benchmarks.alfred.agents.expert import Deed, Expert
from housemates.benchmarks.alfred.agents.seen import SeenExpert
from housemates.benchmarks.alfred.agents.template import TemplateFollower
from housemates.benchmarks.alfred.session import Act, AlfredSession, Observation
from housemates.benchmarks.alfred.tasks.goals import Task
from housemates.benchmarks.alfred.world.dynamics import ACTIONS, INTERACTIONS, STOP
from housemates.benchmarks.alfred.world.sight import SIDE_PX
from housemates.benchmarks.base import Agent, Instance
from housemates.errors import HousematesError


class RandomAgent:
    """Draws an action and, where it needs one, a mask of random pixels, as the paper's does."""

    def __init__(self, by: str) -> None:
        self._rng = np.random.default_rng(0)

    def reset(self, instance: Instance) -> None:
        """Begin anew, with randomness of the instance's own."""
        self._rng = np.random.default_rng([instance.seed, crc32(instance.id.encode())])

    def act(self, observation: Observation) -> Act:
        """Any of the actions but to stop."""
        action = str(self._rng.choice([name for name in ACTIONS if name != STOP]))
        mask = self._rng.random((SIDE_PX, SIDE_PX)) < 0.5 if action in INTERACTIONS else None
        return Act(action, mask)


class ExpertAgent:
    """Knows the world and the task, and points by id or by mask."""

    def __init__(self, by: str) -> None:
        self.by = by
        self._expert: Expert | None = None

    def reset(self, instance: Instance) -> None:
        """Forget the last episode."""
        self._expert = None

    def act(self, observation: Observation) -> Act:
        """What the expert advises."""
        session = observation.session
        if self._expert is None:
            if session.episode.task is None:
                raise HousematesError("The expert needs a task, and this episode does not tell it.")
            self._expert = self.make(session, session.episode.task)
        return pointed(session, self._expert.advise(session.world), self.by)

    def make(self, session: AlfredSession, task: Task) -> Expert:
        """The expert of a session."""
        prefix = session.episode.prefix
        opened = [act.target for act in prefix if act.action == "OpenObject" and act.target]
        return Expert(task, session.sight if self.by == "mask" else None, opened)


class SeenAgent(ExpertAgent):
    """The expert that knows of things only what it has seen."""

    def make(self, session: AlfredSession, task: Task) -> Expert:
        """The limited expert of a session."""
        return SeenExpert(task, session.sight)


def pointed(session: AlfredSession, deed: Deed, by: str) -> Act:
    """A deed as an act: with the id of its target, or with the mask of it."""
    if deed.target is None or by == "id":
        return Act(deed.action, target=deed.target)
    mask = session.mask(deed.target)
    return Act(deed.action, mask.copy())


AGENTS: dict[str, Callable[[str], Agent]] = {
    "random": RandomAgent,
    "expert": ExpertAgent,
    "seen": SeenAgent,
    "template": TemplateFollower,
}
"""Agents by name; each is made for a way of pointing."""
