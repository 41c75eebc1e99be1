"""The expert: repeats the episode's demonstration."""

from __future__ import annotations

from collections.abc import Iterator

from housemates.benchmarks.handmethat.tasks.episodes import Episode
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance
from housemates.core.percepts import Brief, Percept
from housemates.core.session import Session


class ExpertAgent(Agent):
    """Gives the commands of the episode's demonstration."""

    privileged = True

    def reset(self, brief: Brief) -> None:
        """Forget the last demonstration."""
        self._rest: Iterator[str] = iter(())

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Take the demonstration from the instance."""
        episode: Episode = instance.data
        self._rest = iter(episode.demo)

    def act(self, percept: Percept) -> Act:
        """The demonstration's next command, then Stop."""
        command = next(self._rest, None)
        return Act("Stop") if command is None else Act("Command", {"command": command})
