"""Following instructions on the map alone, many side by side: for validation, and for what went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch

from housemates.benchmarks.cerealbar.tasks.recorded import MOST_ACTIONS
from housemates.benchmarks.cerealbar.world.hexmap import STANDARD, neighbour_table
from housemates.models.cerealbar_plan.data import ACTIONS, START, Example
from housemates.models.cerealbar_plan.geometry import Cells, crop, moved
from housemates.models.cerealbar_plan.model import PlanNet, State, World, world_of

DONE = ACTIONS.index("DONE")


@dataclass
class Walker:
    """A follower on a map where nobody else moves."""

    example: Example
    actions: list[int] = field(default_factory=list)
    changed: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.pose = self.example.pose
        self.relative = (0, 0, 0)
        self.done = False
        self._cards = self.example.cards

    def legal(self) -> list[bool]:
        """Which actions are possible."""
        return [self._ahead(0) >= 0, self._ahead(3) >= 0, True, True, True]

    def act(self, action: int) -> None:
        """Do something possible."""
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
        """The cells around it, in the frame in which it began."""
        return crop(*self.relative, reach)

    def _ahead(self, turn: int) -> int:
        at = int(neighbour_table(STANDARD)[self.pose // 6, (self.pose % 6 + turn) % 6])
        return -1 if at < 0 or self.example.blocked[at] else at


@torch.no_grad()
def follow(net: PlanNet, examples: Sequence[Example], gold: torch.Tensor | None = None) -> list[Walker]:
    """Follow all instructions with the likeliest possible actions, by plans of one's own or given ones."""
    device = next(net.parameters()).device
    world = World(*(each.to(device) for each in world_of(examples, net.config.reach)))
    plan = net.probabilities(net.plan(world).plan, world) if gold is None else net.used(gold.to(device))
    walkers = [Walker(each) for each in examples]
    before = torch.full((len(walkers), 1), START, device=device)
    state: State = None
    for _ in range(MOST_ACTIONS):
        near = np.stack([each.near(net.config.reach) for each in walkers])[:, None]
        scores, state = net.actor(plan, torch.from_numpy(near).to(device), before, state)
        for number, walker in enumerate(walkers):
            if not walker.done:
                legal = torch.tensor(walker.legal(), device=device)
                action = int(scores[number, 0].masked_fill(~legal, -1e9).argmax())
                walker.act(action)
                before[number] = action
        if all(walker.done for walker in walkers):
            break
    return walkers
