"""The rule-based Commander: checks progress, plans a subplan, and says it in low-level actions."""

from __future__ import annotations

from collections import Counter

from housemates.agents.teach.planning import PlannedStep, Subplan, closing_steps, next_subplan
from housemates.agents.teach.rule.commander_turns import CheckingCommander
from housemates.agents.teach.rule.rehearsal import Rehearsal
from housemates.benchmarks.teach.tasks.tdl.bound import BoundTask
from housemates.benchmarks.teach.world.dynamics import TeachWorld
from housemates.core.actions import Act
from housemates.core.percepts import Percept

CHANGES_OF_MIND = 16
"""Subplans rehearsed in vain after which the Commander gives up."""
REPEATS = 3
"""How often a subplan is instructed before something else is tried."""


class RuleCommander(CheckingCommander):
    """In each of its turns: a Progress Check, then one instruction for the next subplan."""

    def _forget(self) -> None:
        super()._forget()
        self._rehearsal: Rehearsal | None = None
        self._avoid: set[PlannedStep] = set()
        self._instructed: Counter[Subplan] = Counter()

    def _next(self, percept: Percept) -> list[Act] | None:
        return self.instruct(percept.data.told()[0], percept.data.world())

    def instruct(self, task: BoundTask, world: TeachWorld) -> list[Act] | None:
        """The acts that come next; None if nothing can be done.

        What turns out impossible in the rehearsal, or is told again and again in vain, is remembered, and
        another way is looked for. Where there is none, a door that may be in the way is closed.
        """
        if self._rehearsal is None:
            self._rehearsal = Rehearsal(world, *self._size)
        for _ in range(CHANGES_OF_MIND):
            subplan = next_subplan(task, world, self._avoid)
            if subplan is None:
                break
            if self._instructed[subplan] == REPEATS:
                self._avoid.add([step for step in subplan.steps if not step.optional][-1])
                continue
            acts = self._rehearsal.acts(world, subplan.steps)
            if acts is not None:
                self._tell(subplan)
                return acts
            assert self._rehearsal.blamed is not None
            self._avoid.add(self._rehearsal.blamed)
        self._avoid = set()
        closings = (self._rehearsal.acts(world, [step]) for step in closing_steps(world))
        return next((acts for acts in closings if acts is not None), None)

    def _tell(self, subplan: Subplan) -> None:
        """Count a subplan; objects that it moves may be within reach afterwards."""
        self._instructed[subplan] += 1
        moved = {step.thing for step in subplan.steps if step.action == "Place"}
        self._avoid = {step for step in self._avoid if step.thing not in moved}
