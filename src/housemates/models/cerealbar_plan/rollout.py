"""Rolls out the follower on static maps, a batch of instructions at once, for validation and aggregation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch

from housemates.benchmarks.cerealbar.tasks.recorded import MOST_ACTIONS
from housemates.benchmarks.cerealbar.world.hexmap import STANDARD, neighbour_table
from housemates.models.cerealbar_plan.data import ACTIONS, START, Example
from housemates.models.cerealbar_plan.geometry import Cells, crop, moved
from housemates.models.cerealbar_plan.model import LstmState, PlanNet, World, world_of

DONE = ACTIONS.index("DONE")


@dataclass
class Walker:
    """A follower on a map where nobody else moves: pose, cards flipped and actions so far."""

    example: Example
    actions: list[int] = field(default_factory=list)
    changed: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.pose = self.example.pose
        self.relative = (0, 0, 0)
        self.done = False
        self._cards = self.example.cards

    def legal(self) -> list[bool]:
        """Which of `ACTIONS` are possible now."""
        return [self._ahead(0) >= 0, self._ahead(3) >= 0, True, True, True]

    def act(self, action: int) -> None:
        """Take a possible action, by its index."""
        self.actions.append(action)
        name = ACTIONS[action]
        if name == "DONE":
            self.done = True
        elif name in ("RL", "RR"):
            turned = (self.pose + (1 if name == "RR" else -1)) % 6
            self.pose = self.pose // 6 * 6 + turned
        else:
            at = self._ahead(0 if name == "MF" else 3)
            self.pose = at * 6 + self.pose % 6
            if self._cards[at]:
                self.changed ^= {at}
        self.relative = moved(*self.relative, name)

    def near(self, reach: int) -> Cells:
        """The crop around it, as cells of the window of its first pose."""
        return crop(*self.relative, reach)

    def _ahead(self, turn: int) -> int:
        at = int(neighbour_table(STANDARD)[self.pose // 6, (self.pose % 6 + turn) % 6])
        return -1 if at < 0 or self.example.blocked[at] else at


@torch.no_grad()
def follow(net: PlanNet, examples: Sequence[Example], gold: torch.Tensor | None = None) -> list[Walker]:
    """Follow instructions greedily.

    Args:
        net: In evaluation mode.
        examples: Whose instructions are followed, by the likeliest possible action at each step.
        gold: Plans, (batch, 4, cells), to act by instead of the network's own.
    """
    device = next(net.parameters()).device
    world = World(*(each.to(device) for each in world_of(examples, net.config.reach)))
    plan = (
        net.probabilities(net.plan(world).distributions, world)
        if gold is None
        else net.ablated(gold.to(device))
    )
    walkers = [Walker(each) for each in examples]
    previous = torch.full((len(walkers), 1), START, device=device)
    state: LstmState = None
    for _ in range(MOST_ACTIONS):
        near = np.stack([each.near(net.config.reach) for each in walkers])[:, None]
        logits, state = net.action_generator(plan, torch.from_numpy(near).to(device), previous, state)
        for number, walker in enumerate(walkers):
            if not walker.done:
                legal = torch.tensor(walker.legal(), device=device)
                action = int(logits[number, 0].masked_fill(~legal, -1e9).argmax())
                walker.act(action)
                previous[number] = action
        if all(walker.done for walker in walkers):
            break
    return walkers
