"""The rule-based Commander: checks progress, plans the next errand, and says it in low-level actions."""

from __future__ import annotations

from typing import Any

from housemates.benchmarks.base import Instance
from housemates.benchmarks.teach.planning import Step, close_up, next_errand
from housemates.benchmarks.teach.roles import Act
from housemates.benchmarks.teach.rule.rehearsal import Rehearsal
from housemates.benchmarks.teach.rule.wording import instruction
from housemates.benchmarks.teach.tdl.bound import BoundTask
from housemates.benchmarks.teach.world import TeachWorld

CHANGES_OF_MIND = 16
"""How many errands are rehearsed in vain before the Commander gives up."""


class RuleCommander:
    """Whenever it is its turn: a Progress Check, then one instruction for the next errand."""

    def __init__(self) -> None:
        self._rehearsal: Rehearsal | None = None
        self._avoid: set[Step] = set()
        self._checked = False

    def reset(self, instance: Instance) -> None:
        """Forget the last home."""
        self.__init__()  # type: ignore[misc]

    def act(self, observation: Any) -> Act:
        """Check progress first, then speak; stop when all is done or nothing more can be done."""
        self._checked = not self._checked
        if self._checked:
            return Act("OpenProgressCheck")
        if observation.last.data.get("success"):
            return Act("Stop")
        acts = self.instruct(observation.task, observation.world)
        return Act("Text", text=instruction(acts)) if acts else Act("Stop")

    def instruct(self, task: BoundTask, world: TeachWorld) -> list[Act] | None:
        """The acts that come next; None if nothing can be done.

        What turns out impossible in the rehearsal is remembered, and another way is looked for. Where there
        is none, a door that may be in the way is closed.
        """
        if self._rehearsal is None:
            self._rehearsal = Rehearsal(world)
        for _ in range(CHANGES_OF_MIND):
            errand = next_errand(task, world, self._avoid)
            if errand is None:
                break
            acts = self._rehearsal.acts(world, errand.steps)
            if acts is not None:
                moved = {step.thing for step in errand.steps if step.action == "Place"}
                self._avoid = {step for step in self._avoid if step.thing not in moved}
                return acts
            assert self._rehearsal.blamed is not None
            self._avoid.add(self._rehearsal.blamed)
        self._avoid = set()
        closings = (self._rehearsal.acts(world, [step]) for step in close_up(world))
        return next((acts for acts in closings if acts is not None), None)
