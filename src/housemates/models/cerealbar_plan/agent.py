"""The follower that plays with what was trained."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from housemates.benchmarks.base import Act, Agent, Brief, Percept
from housemates.benchmarks.cerealbar.session import ACTS, FINISHED
from housemates.benchmarks.cerealbar.tasks.recorded import MOST_ACTIONS
from housemates.benchmarks.cerealbar.world.observe import Observation
from housemates.models.cerealbar_plan.config import PlanConfig
from housemates.models.cerealbar_plan.data import ACTIONS, START, Example, blocked_of, planes_of
from housemates.models.cerealbar_plan.geometry import crop, moved, window
from housemates.models.cerealbar_plan.model import PlanNet, State, World, world_of
from housemates.models.checkpoints import load_weights, read_card, read_config, read_tensors, weights_of
from housemates.models.vocabulary import Vocabulary, words


class InstructionFollower(Agent):
    """Follows instructions one after the other, always with the likeliest action that is possible."""

    def __init__(self, vocabulary: Vocabulary, reach: int) -> None:
        torch.set_num_threads(1)
        self._words, self._reach = vocabulary, reach

    def reset(self, brief: Brief) -> None:
        """No instruction has begun."""
        self._number = -1
        self._before, self._count = START, 0
        self._relative = (0, 0, 0)

    @torch.no_grad()
    def act(self, percept: Percept) -> Act:
        """Begin an instruction that is new, and do the likeliest thing."""
        seen: Observation = percept.data
        if len(seen.instructions) != self._number:
            self.start(seen)
        if self._count >= MOST_ACTIONS:
            return FINISHED
        legal = torch.tensor([name in seen.legal for name in ACTIONS])
        self._before = int(self.scores().masked_fill(~legal, -1e9).argmax())
        name = ACTIONS[self._before]
        self._count += 1
        self._relative = moved(*self._relative, name)
        return ACTS.get(name, FINISHED)

    def start(self, seen: Observation) -> None:
        """Take up the current instruction."""
        tokens = self._words.numbers(words(seen.instruction)) or [1]
        example = Example(planes_of(seen), blocked_of(seen), seen.pose, tokens, [], [], [], seen.pose)
        self._number = len(seen.instructions)
        self._before, self._count = START, 0
        self._relative = (0, 0, 0)
        self.begin(world_of([example], self._reach))

    @abstractmethod
    def begin(self, world: World) -> None:
        """Read the instruction and the world."""

    @abstractmethod
    def scores(self) -> Tensor:
        """How good each action is now."""


class PlanFollower(InstructionFollower):
    """Makes a plan when an instruction begins, and acts by it until it is done."""

    def __init__(self, folder: Path) -> None:
        card = read_card(folder)
        config = read_config(folder, card, PlanConfig)
        super().__init__(Vocabulary(card.vocabulary["words"]), config.reach)
        path = weights_of(folder)
        self._net = load_weights(PlanNet(config, len(self._words)), read_tensors(path), path).eval()

    def begin(self, world: World) -> None:
        """Make the plan."""
        self._plan = self._net.probabilities(self._net.plan(world).plan, world)
        self._state: State = None

    def scores(self) -> Tensor:
        """Look at the plan around, and remember."""
        near = torch.from_numpy(crop(*self._relative, self._reach)).view(1, 1, -1)
        before = torch.tensor([[self._before]])
        found, self._state = self._net.actor(self._plan, near, before, self._state)
        scores: Tensor = found[0, 0]
        return scores

    @torch.no_grad()
    def plan(self, seen: Observation) -> NDArray[np.float32]:
        """The four distributions over the map for the current instruction: 4 x hexes."""
        self.start(seen)
        cells = window(seen.pose, self._reach)[1]
        padded = torch.nn.functional.pad(self._plan[0], (0, 1)).numpy()
        return np.asarray(padded[:, cells])
