"""The reader in ALFRED: decodes a task from goal and instructions, carries it out and stops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from housemates.agents.alfred.embodiment import AlfredEmbodiment
from housemates.agents.embodied.locomotion import Routine
from housemates.agents.reader.language.decoding import AlfredHypothesis, decode_directive
from housemates.agents.reader.language.network import shipped_network
from housemates.agents.reader.language.text import directive
from housemates.agents.reader.planning.alfred_tasks import AlfredTasks
from housemates.agents.reader.policy import GeneratorPolicy, PerceptionSource
from housemates.benchmarks.alfred.tasks.goals import home_type
from housemates.core.benchmark import Instance
from housemates.core.percepts import Brief
from housemates.core.session import Session
from housemates.home.things import REACH_M

HELD = "held"
"""Key of the object that is in the hand from the start."""
AGAIN = 0.3
"""Factor on a task's probability for each time that it failed."""


class AlfredReader(GeneratorPolicy):
    """Reads a directive and carries it out.

    Args:
        words: `all` to read goal and instructions, `goal` to read the goal alone.
        eyes: `given` for the simulator's segmentation and depth, `own` for predicted ones.
    """

    def __init__(self, words: Literal["all", "goal"] = "all", eyes: PerceptionSource = "own") -> None:
        super().__init__(eyes)
        self.words = words

    def reset(self, brief: Brief) -> None:
        """Begin with an empty map and memory."""
        self.begin(brief, AlfredEmbodiment(brief.data["pointing"]))
        self.tasks = AlfredTasks(self.routines)
        self.read: list[AlfredHypothesis] = []

    def run(self) -> Routine[None]:
        """Decode the task, survey the room unless its objects are surely at hand, and carry it out."""
        if not self.read:
            view, network = self.navigator.now.data, shipped_network()
            steps = view.instructions if self.words == "all" else ()
            self.read = decode_directive(network.card, network.log_probs(directive(view.goal, steps)))
        held = self.navigator.now.data.held
        if held:
            self.navigator.memory.hold(HELD, held, self.navigator.position)
        found = self.read
        if not held and not self._at_hand():
            yield from self.object_search.survey()
            found = self.tasks.fitting(self.read)
        for each in self._tries(found):
            if (yield from self.attempt(self.tasks.carry_out(each.task))):
                return

    def _tries(self, found: Sequence[AlfredHypothesis]) -> list[AlfredHypothesis]:
        """The hypotheses in the order of trying: each in turn, or the likeliest again if retries may help."""
        perception = self.navigator.memory.perception
        tries = perception.task_tries
        if not perception.retries:
            return [found[number % len(found)] for number in range(tries)]
        again = [(each.probability * AGAIN**number, each) for number in range(tries) for each in found]
        again.remove((found[0].probability, found[0]))
        rest = sorted(again, key=lambda pair: -pair[0])
        return [found[0], *(each for _, each in rest[: tries - 1])]

    def _at_hand(self) -> bool:
        """Whether an object of the likeliest task is surely within reach."""
        if not self.navigator.memory.perception.trusted_types:
            return False
        task = self.read[0].task
        things = self.navigator.memory.of((task.target, home_type(task.object_target)))
        away = [np.linalg.norm(each.points - self.navigator.position, axis=1).min() for each in things]
        return bool(away) and float(min(away)) <= REACH_M


class AlfredOracleTaskReader(AlfredReader):
    """The reader with the true task in place of its reading, to measure what reading costs."""

    privileged = True

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Take the task from the instance."""
        self.read = [AlfredHypothesis(instance.data.task, 1.0)]
