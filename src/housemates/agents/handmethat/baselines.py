"""The paper's hand-coded models: random commands, and the heuristic."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from housemates.benchmarks.handmethat.generate.demonstrate import robot_plan
from housemates.benchmarks.handmethat.session import View
from housemates.benchmarks.handmethat.tasks.english import read_instruction
from housemates.benchmarks.handmethat.tasks.meanings import Grounded, Meaning, fitting
from housemates.benchmarks.handmethat.world.catalog import LOCATIONS
from housemates.benchmarks.handmethat.world.commands import FREE, Commands
from housemates.benchmarks.handmethat.world.dynamics import World
from housemates.benchmarks.handmethat.world.operators import Action
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept


class RandomAgent(Agent):
    """Gives a random valid command until the episode ends; it neither looks around nor asks."""

    def reset(self, brief: Brief) -> None:
        """Begin anew, with randomness of the episode's own."""
        self._rng = np.random.default_rng(brief.seed)

    def act(self, percept: Percept) -> Act:
        """Any valid command that is not free."""
        commands = percept.offers[0].arguments[0].choices[len(FREE) :]
        return Act("Command", {"command": commands[int(self._rng.integers(len(commands)))]})


class HeuristicAgent(Agent):
    """The paper's Heuristic: an object that fits the words, of a category that the human has picked up.

    It reads the words and the state of what it knows of the home, guesses once, and stops.
    """

    def reset(self, brief: Brief) -> None:
        """Forget the last guess."""
        self._rng = np.random.default_rng(brief.seed)
        self._plan: list[str] | None = None

    def act(self, percept: Percept) -> Act:
        """The next command of the plan for the guess."""
        if self._plan is None:
            self._plan = self._guessed(percept.data)
        return Act("Command", {"command": self._plan.pop(0)}) if self._plan else Act("Stop")

    def _guessed(self, view: View) -> list[str]:
        world = view.memory.world()
        actions = view.memory.actions(world)
        utterance = read_instruction(view.instruction)
        number = self._object(world, actions, utterance)
        if number is None:
            return []
        subgoal = Grounded(number, self._target(world, actions, utterance))
        commands = Commands(world)
        return [commands.write(action) for action in robot_plan(world, utterance.quest, subgoal) or []]

    def _object(self, world: World, actions: Sequence[Action], utterance: Meaning) -> int | None:
        """Any unused object of a used category that fits; otherwise any that fits."""
        fits = fitting(world, utterance.spec)
        kinds = world.scene.kinds
        used = {action.args[0] for action in actions if action.name.startswith("pick-up")}
        used_kinds = {kinds[number].name for number in used}
        alike = [number for number in fits if kinds[number].name in used_kinds and number not in used]
        chosen = alike or fits
        return chosen[int(self._rng.integers(len(chosen)))] if chosen else None

    def _target(self, world: World, actions: Sequence[Action], utterance: Meaning) -> str | None:
        """The target that was said, or the last place where the human put something."""
        if utterance.quest != "move_to" or utterance.arg is not None:
            return utterance.arg
        places = [action.args[1] for action in actions if action.name.startswith("put")]
        number = places[-1] if places else int(self._rng.integers(len(LOCATIONS)))
        return world.scene.names[number]
