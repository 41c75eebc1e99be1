"""CerealBar's followers played by trained networks: what all share, and the one that plans."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.session import ACTS, FINISHED
from housemates.benchmarks.cerealbar.tasks.recorded import MOST_ACTIONS, Entry
from housemates.benchmarks.cerealbar.world.observe import Observation
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance
from housemates.core.percepts import Brief, Percept
from housemates.core.session import Session
from housemates.models.cerealbar_plan.config import PlanConfig
from housemates.models.cerealbar_plan.data import (
    ACTIONS,
    DISTRIBUTIONS,
    START,
    Example,
    blocked_of,
    example_of,
    gold_plan,
    planes_of,
    scene_of,
)
from housemates.models.cerealbar_plan.geometry import crop, moved, window
from housemates.models.checkpoints import read_card, read_config, shipped_weights
from housemates.models.networks import Arrays, open_network
from housemates.models.vocabulary import Vocabulary, words

SHIPPED = shipped_weights("cerealbar_plan")
OFTEN = 2
"""Visits of one pose during one instruction, at most."""


class InstructionFollower(Agent):
    """Follows one instruction after the other by the likeliest possible action.

    It visits no pose a third time during an instruction, and ends one after 25 actions.
    """

    def __init__(self, folder: Path, reach: int) -> None:
        """Open the network of a checkpoint, whose window of the map has a radius of `reach` hexes."""
        self._words = Vocabulary(read_card(folder).vocabulary["words"])
        self._net = open_network(folder)
        self._reach = reach

    def reset(self, brief: Brief) -> None:
        """Forget the game before."""
        self._number = -1
        self._previous, self._count = START, 0
        self._relative, self._been = (0, 0, 0), Counter[tuple[int, int, int]]()

    def act(self, percept: Percept) -> Act:
        """The likeliest possible action for the current instruction."""
        seen: Observation = percept.data
        if len(seen.instructions) != self._number:
            self.start(seen)
        if self._count >= MOST_ACTIONS:
            return FINISHED
        legal = [name in seen.legal and not self._repeats(name) for name in ACTIONS]
        self._previous = int(np.where(legal, self.logits(), -np.inf).argmax())
        name = ACTIONS[self._previous]
        self._count += 1
        self._been[self._relative] += 1
        self._relative = moved(*self._relative, name)
        return ACTS.get(name, FINISHED)

    def _repeats(self, name: str) -> bool:
        """Whether an action leads to a pose that was visited too often."""
        return name in ACTS and self._been[moved(*self._relative, name)] >= OFTEN

    def start(self, seen: Observation) -> None:
        """Begin the current instruction: encode it with the map as it is now."""
        tokens = self._words.numbers(words(seen.instruction)) or [1]
        example = Example(planes_of(seen), blocked_of(seen), seen.pose, tokens, [], [], [], seen.pose)
        self._number, self._pose = len(seen.instructions), seen.pose
        self._previous, self._count = START, 0
        self._relative, self._been = (0, 0, 0), Counter[tuple[int, int, int]]()
        self.encode(scene_of([example], self._reach)._asdict())

    @abstractmethod
    def encode(self, scene: Arrays) -> None:
        """Run the network on a new instruction and the map, the fields of a `Scene`."""

    @abstractmethod
    def logits(self) -> NDArray[np.float32]:
        """The logits of the next action, (actions,)."""


class PlanFollower(InstructionFollower):
    """Plans over the map when an instruction begins, and acts by the plan until it is done."""

    def __init__(self, folder: Path = SHIPPED) -> None:
        config = read_config(folder, read_card(folder), PlanConfig)
        super().__init__(folder, config.reach)
        self._hidden = config.hidden
        self._used = np.array([[getattr(config, name)] for name in DISTRIBUTIONS], np.float32)

    def encode(self, scene: Arrays) -> None:
        """Predict the plan and reset the action generator's state."""
        self._plan = self._net.run("plan", **scene)["plan"]
        zeros = np.zeros((1, 1, self._hidden), np.float32)
        self._state = {"hidden": zeros, "cell": zeros}

    def logits(self) -> NDArray[np.float32]:
        """One step of the action generator on the crop of the plan around the follower."""
        around = crop(*self._relative, self._reach)[None, None]
        previous = np.array([[self._previous]])
        found = self._net.run("act", plan=self._plan, crop=around, previous_action=previous, **self._state)
        self._state = {name: found[name] for name in self._state}
        return found["logits"]

    def plan(self, seen: Observation) -> NDArray[np.float32]:
        """The plan for the current instruction, (4, hexes): trajectory, goal, avoid and no-pass."""
        self.start(seen)
        return self._over_map()

    def extras(self) -> Mapping[str, Any]:
        """The `plan` to draw: per hex the larger of trajectory and goal, each scaled to at most 1."""
        if self._number < 0:
            return {}
        trajectory, goal, *_ = self._over_map()
        shares = np.maximum(*(each / (each.max() or 1.0) for each in (trajectory, goal)))
        return {"plan": shares.round(3).tolist()}

    def _over_map(self) -> NDArray[np.float32]:
        cells = window(self._pose, self._reach)[1]
        padded = np.pad(self._plan[0], ((0, 0), (0, 1)))
        return np.asarray(padded[:, cells])


class GoldPlanFollower(PlanFollower):
    """Acts by the plan of what people did with the same instruction, as the paper's row + Gold plan."""

    privileged = True

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Take the recorded instructions from the instance."""
        entry: Entry = instance.data
        texts = [each.text for each in entry.recording.instructions]
        golds = entry.script().golds.items()
        self._golds = {number: example_of(gold, texts[number], self._words) for number, gold in golds}

    def encode(self, scene: Arrays) -> None:
        """Take the recorded plan, where there is one, in place of the predicted one."""
        super().encode(scene)
        gold = self._golds.get(self._number - 1)
        if gold is not None and gold.actions:
            self._plan = (self._used * gold_plan(gold, self._pose, self._reach))[None]
