"""The follower that plays with what was trained."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.session import ACTS, FINISHED
from housemates.benchmarks.cerealbar.tasks.recorded import MOST_ACTIONS
from housemates.benchmarks.cerealbar.world.observe import Observation
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept
from housemates.models.cerealbar_plan.config import PlanConfig
from housemates.models.cerealbar_plan.data import ACTIONS, START, Example, blocked_of, planes_of, scene_of
from housemates.models.cerealbar_plan.geometry import crop, moved, window
from housemates.models.checkpoints import read_card, read_config, shipped_weights
from housemates.models.networks import Arrays, open_network
from housemates.models.vocabulary import Vocabulary, words

SHIPPED = shipped_weights("cerealbar_plan")
OFTEN = 2
"""How often it comes to the same place with the same heading for one instruction."""


class InstructionFollower(Agent):
    """Follows instructions one after the other, always with the likeliest action that is possible."""

    def __init__(self, folder: Path, reach: int) -> None:
        """Take the network of a checkpoint, which sees so many hexes to each side."""
        self._words = Vocabulary(read_card(folder).vocabulary["words"])
        self._net = open_network(folder)
        self._reach = reach

    def reset(self, brief: Brief) -> None:
        """No instruction has begun."""
        self._number = -1
        self._before, self._count = START, 0
        self._relative, self._been = (0, 0, 0), Counter[tuple[int, int, int]]()

    def act(self, percept: Percept) -> Act:
        """Begin an instruction that is new, and do the likeliest thing."""
        seen: Observation = percept.data
        if len(seen.instructions) != self._number:
            self.start(seen)
        if self._count >= MOST_ACTIONS:
            return FINISHED
        legal = [name in seen.legal and not self._circles(name) for name in ACTIONS]
        self._before = int(np.where(legal, self.scores(), -np.inf).argmax())
        name = ACTIONS[self._before]
        self._count += 1
        self._been[self._relative] += 1
        self._relative = moved(*self._relative, name)
        return ACTS.get(name, FINISHED)

    def _circles(self, name: str) -> bool:
        """Whether an action leads to where it was too often."""
        return name in ACTS and self._been[moved(*self._relative, name)] >= OFTEN

    def start(self, seen: Observation) -> None:
        """Take up the current instruction."""
        tokens = self._words.numbers(words(seen.instruction)) or [1]
        example = Example(planes_of(seen), blocked_of(seen), seen.pose, tokens, [], [], [], seen.pose)
        self._number, self._pose = len(seen.instructions), seen.pose
        self._before, self._count = START, 0
        self._relative, self._been = (0, 0, 0), Counter[tuple[int, int, int]]()
        self.begin(scene_of([example], self._reach)._asdict())

    @abstractmethod
    def begin(self, scene: Arrays) -> None:
        """Read the instruction and the world."""

    @abstractmethod
    def scores(self) -> NDArray[np.float32]:
        """How good each action is now."""


class PlanFollower(InstructionFollower):
    """Makes a plan when an instruction begins, and acts by it until it is done."""

    def __init__(self, folder: Path = SHIPPED) -> None:
        config = read_config(folder, read_card(folder), PlanConfig)
        super().__init__(folder, config.reach)
        self._hidden = config.hidden

    def begin(self, scene: Arrays) -> None:
        """Make the plan."""
        self._plan = self._net.run("plan", **scene)["plan"]
        nothing = np.zeros((1, 1, self._hidden), np.float32)
        self._state = {"hidden": nothing, "cell": nothing}

    def scores(self) -> NDArray[np.float32]:
        """Look at the plan around, and remember."""
        near = crop(*self._relative, self._reach)[None, None]
        before = np.array([[self._before]])
        found = self._net.run("act", plan=self._plan, near=near, before=before, **self._state)
        self._state = {name: found[name] for name in self._state}
        return found["scores"]

    def plan(self, seen: Observation) -> NDArray[np.float32]:
        """The four distributions over the map for the current instruction: 4 x hexes."""
        self.start(seen)
        return self._over_map()

    def extras(self) -> Mapping[str, Any]:
        """The `plan`: for each hex how likely it is a goal or on the way; 1 is the likeliest of each."""
        if self._number < 0:
            return {}
        trajectory, goal, *_ = self._over_map()
        shares = np.maximum(*(each / (each.max() or 1.0) for each in (trajectory, goal)))
        return {"plan": shares.round(3).tolist()}

    def _over_map(self) -> NDArray[np.float32]:
        cells = window(self._pose, self._reach)[1]
        padded = np.pad(self._plan[0], ((0, 0), (0, 1)))
        return np.asarray(padded[:, cells])
