"""The reader in ALFRED: does what a goal and instructions say, and stops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from housemates.agents.alfred.embodiment import AgentSenses
from housemates.agents.embodied.locomotion import Doing
from housemates.agents.reader.language.decoding import ReadTask, decide_directive
from housemates.agents.reader.language.network import shipped_network
from housemates.agents.reader.language.text import directive
from housemates.agents.reader.planning.alfred_tasks import Directives
from housemates.agents.reader.policy import EyesOf, Living
from housemates.benchmarks.alfred.tasks.goals import home_type
from housemates.core.benchmark import Instance
from housemates.core.percepts import Brief
from housemates.core.session import Session
from housemates.home.things import REACH_M

HELD = "held"
"""The key of what is in the hand from the start."""
AGAIN = 0.3
"""How much less likely a task is to be the right one each time that it could not be done."""
TRIES, HAZY_TRIES = 3, 10
"""How often it begins a task anew, or one that may be meant instead, after it got stuck; if eyes may err."""


class ReaderAgent(Living):
    """Follows a directive.

    Args:
        words: Whether it reads the instructions too, or the goal alone.
        eyes: Whether it is given segmentation and depth of its picture, or uses its own eyes.
    """

    def __init__(self, words: Literal["all", "goal"] = "all", eyes: EyesOf = "own") -> None:
        super().__init__(eyes)
        self.words = words

    def reset(self, brief: Brief) -> None:
        """Forget the last home."""
        self.begin(brief, AgentSenses(brief.data["pointing"]))
        self.directives = Directives(self.chores)
        self.read: list[ReadTask] = []

    def live(self) -> Doing[None]:
        """Read, look around, and do it; where eyes may err one looks around with empty hands first."""
        if not self.read:
            view, network = self.body.now.data, shipped_network()
            steps = view.instructions if self.words == "all" else ()
            self.read = decide_directive(network.card, network.odds(directive(view.goal, steps)))
        held = self.body.now.data.held
        if held:
            self.body.memory.hold(HELD, held, self.body.position)
        found = self.read
        if not held and (self.body.memory.hazy or not self._at_hand()):
            yield from self.seeker.survey()
            found = self.directives.fitting(self.read)
        for each in self._tries(found):
            if (yield from self.tried(self.directives.carry_out(each.task))):
                return

    def _tries(self, found: Sequence[ReadTask]) -> list[ReadTask]:
        """What it tries one after the other; who may have seen wrong tries again what is surely meant."""
        if not self.body.memory.hazy:
            return [found[number % len(found)] for number in range(TRIES)]
        again = [(each.odds * AGAIN**number, each) for number in range(HAZY_TRIES) for each in found]
        again.remove((found[0].odds, found[0]))
        rest = sorted(again, key=lambda pair: -pair[0])
        return [found[0], *(each for _, each in rest[: HAZY_TRIES - 1])]

    def _at_hand(self) -> bool:
        """Whether it stands before what the task is about, as one does in the middle of it."""
        task = self.read[0].task
        things = self.body.memory.of((task.target, home_type(task.object_target)))
        away = [np.linalg.norm(each.points - self.body.position, axis=1).min() for each in things]
        return bool(away) and float(min(away)) <= REACH_M


class ToldAgent(ReaderAgent):
    """The same without reading: it is told the task, which shows what reading costs."""

    privileged = True

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Be told the task."""
        self.read = [ReadTask(instance.data.task, 1.0)]
