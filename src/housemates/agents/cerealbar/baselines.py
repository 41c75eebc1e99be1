"""Baselines of CerealBar: an idle player, and the recorded follower."""

from __future__ import annotations

from housemates.benchmarks.cerealbar.session import ACTS, END_TURN, FINISHED
from housemates.benchmarks.cerealbar.tasks.recorded import Entry
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance
from housemates.core.percepts import Brief, Percept
from housemates.core.session import Session


class IdlePlayer(Agent):
    """Ends its turn as leader, finishes every instruction as follower."""

    def reset(self, brief: Brief) -> None:
        """Choose the act by the role."""
        self._always = END_TURN if brief.role == "leader" else FINISHED

    def act(self, percept: Percept) -> Act:
        """End the turn or finish the instruction."""
        return self._always


class OracleFollower(Agent):
    """Repeats the recorded follower's actions."""

    privileged = True

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Take the recorded actions from the instance."""
        entry: Entry = instance.data
        self.actions = {number: list(gold.actions) for number, gold in entry.script().golds.items()}

    def act(self, percept: Percept) -> Act:
        """The recorded action, or Finished where there is none."""
        left = self.actions.get(len(percept.data.instructions) - 1)
        return ACTS.get(left.pop(0), FINISHED) if left else FINISHED
