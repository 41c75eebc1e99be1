"""Players that show what a number is worth: one that does nothing, and one that does what was recorded."""

from __future__ import annotations

from housemates.benchmarks.cerealbar.session import ACTS, END_TURN, FINISHED
from housemates.benchmarks.cerealbar.tasks.recorded import Entry
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance
from housemates.core.percepts import Brief, Percept
from housemates.core.session import Session


class IdlePlayer(Agent):
    """Does nothing: the leader ends its turn, the follower marks every instruction as done."""

    def reset(self, brief: Brief) -> None:
        """Only the role counts."""
        self._always = END_TURN if brief.role == "leader" else FINISHED

    def act(self, percept: Percept) -> Act:
        """Nothing."""
        return self._always


class OracleFollower(Agent):
    """Does what the recorded follower did."""

    privileged = True

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Take the recorded actions from the instance."""
        entry: Entry = instance.data
        self.actions = {number: list(gold.actions) for number, gold in entry.script().golds.items()}

    def act(self, percept: Percept) -> Act:
        """The recorded action; nothing more where the recorded follower had not come so far."""
        left = self.actions.get(len(percept.data.instructions) - 1)
        return ACTS.get(left.pop(0), FINISHED) if left else FINISHED
