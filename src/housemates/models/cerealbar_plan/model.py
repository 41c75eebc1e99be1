"""The network: words and hexes to a plan with LingUNet, the plan to actions with an LSTM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from housemates.benchmarks.cerealbar.world.tensors import PROPERTIES
from housemates.models.cerealbar_plan.config import PlanConfig
from housemates.models.cerealbar_plan.data import ACTIONS, START, Example, blank, scene_of
from housemates.models.cerealbar_plan.geometry import CROP, NEAR, crops, window
from housemates.models.checkpoints import Card, read_config
from housemates.models.playable import Part, Playable

PARTS = ("trajectory", "goal", "avoid", "nopass")
"""The four distributions, in the order of their channels."""
ACTION_WORDS = 32
PROPERTY_DEVIATION = 0.3
"""Of the embeddings of properties at first: far smaller ones are grounded in words ten times more slowly."""
CROP_CHANNELS, CROP_WIDTH = 8, 64


class World(NamedTuple):
    """A `data.Scene` in tensors."""

    planes: Tensor
    hexes: Tensor
    cards: Tensor
    there: Tensor
    tokens: Tensor
    lengths: Tensor


class Batch(NamedTuple):
    """Worlds, and what was done in them."""

    world: World
    plan: Tensor
    """Examples x 4 x cells, as it was."""
    crops: Tensor
    """Examples x actions x cells around the follower."""
    before: Tensor
    """The action before each."""
    actions: Tensor
    """-1 where there is none."""
    implicit: Tensor


def world_of(examples: Sequence[Example], reach: int) -> World:
    """Examples side by side, each seen from where it begins."""
    return World(*(torch.from_numpy(each) for each in scene_of(examples, reach)))


def batch_of(examples: Sequence[Example], reach: int) -> Batch:
    """Examples with all that is learnt from them."""
    most = max(len(each.actions) for each in examples)
    cells = (2 * reach + 1) ** 2
    plan = np.zeros((len(examples), len(PARTS), cells + 1), np.float32)
    near = np.full((len(examples), most, CROP), cells)
    actions = np.full((len(examples), most), -1)
    before = np.full((len(examples), most), START)
    for number, each in enumerate(examples):
        cell_of = window(each.pose, reach)[1]
        np.add.at(plan[number, 0], cell_of[each.visited], 1.0 / len(each.visited))
        plan[number, 1, cell_of[each.changed]] = 1.0
        kept = each.cards.copy()
        kept[[*each.changed, each.pose // 6]] = False
        plan[number, 2, cell_of[kept]] = 1.0
        plan[number, 3, cell_of[each.blocked]] = 1.0
        count = len(each.actions)
        near[number, :count] = crops([ACTIONS[action] for action in each.actions], reach)
        actions[number, :count], before[number, 1:count] = each.actions, each.actions[:-1]
    implicit = torch.tensor([float(each.implicit) for each in examples])
    arrays = (plan[..., :-1], near, before, actions)
    planned, around, earlier, done = (torch.from_numpy(each) for each in arrays)
    return Batch(world_of(examples, reach), planned, around, earlier, done, implicit)


def moved_to(batch: Batch, device: torch.device) -> Batch:
    """The same on another device."""
    plan, near, before, actions, implicit = (each.to(device) for each in batch[1:])
    world = World(*(each.to(device) for each in batch.world))
    return Batch(world, plan, near, before, actions, implicit)


class Predicted(NamedTuple):
    """What is predicted of a plan, as scores."""

    plan: Tensor
    """Examples x 4 x cells."""
    early: Tensor
    """Examples x cells: cards to be taken, told before LingUNet."""
    implicit: Tensor
    """Levels x examples: whether it is a recovery."""


class PlanNet(Playable):
    """Both stages; a training of one of them leaves the other as it is."""

    def __init__(self, config: PlanConfig, vocabulary: int) -> None:
        super().__init__()
        self.config = config
        self.words = nn.Embedding(vocabulary, config.words, padding_idx=0)
        self.listener = nn.LSTM(config.words, config.words, batch_first=True)
        self.properties = nn.Linear(len(PROPERTIES), config.properties, bias=False)
        nn.init.normal_(self.properties.weight, std=PROPERTY_DEVIATION)
        self.ground = nn.Linear(config.words, config.grounded * config.properties)
        self.votes = Votes(config) if config.votes else None
        self.early = nn.Linear(config.grounded + config.votes, 1)
        self.unet = LingUNet(config)
        self.actor = Actor(config)

    def plan(self, world: World) -> Predicted:
        """Predict where to walk, which cards to take and to leave alone, and what is in the way."""
        said, both, early = self.grounded(world)
        plan, implicit = self.unet(both, said)
        return Predicted(plan.flatten(2), early, implicit)

    def grounded(self, world: World) -> tuple[Tensor, Tensor, Tensor]:
        """The instruction, what it makes of each cell, and the scores of cards to be taken by that alone."""
        states, said = self._said(world)
        side = 2 * self.config.reach + 1
        hexes = self.properties(world.planes.transpose(1, 2)).transpose(1, 2)
        kernels = self.ground(said).view(len(said), self.config.grounded, -1)
        made = [hexes, functional.normalize(kernels, dim=-1) @ hexes]
        if self.votes is not None:
            made.append(self.votes(self.words(self._tokens(world)), states, world.lengths, hexes))
        known = functional.pad(torch.cat(made, 1), (0, 1))
        both = known.gather(2, world.hexes.unsqueeze(1).expand(-1, known.shape[1], -1))
        grounded = both[:, hexes.shape[1] :]
        early = self.early(grounded.transpose(1, 2)).squeeze(-1)
        return said, both.view(len(said), -1, side, side), early

    def probabilities(self, scores: Tensor, world: World) -> Tensor:
        """A plan for the action generator: what each cell is to be, as shares and probabilities."""
        walk = functional.softmax(scores[:, 0].masked_fill(~world.there, -1e9), -1)
        goal, avoid = (torch.sigmoid(scores[:, number]) * world.cards for number in (1, 2))
        nopass = torch.sigmoid(scores[:, 3]) * world.there
        return self.used(torch.stack([walk, goal, avoid, nopass], 1))

    def used(self, plan: Tensor) -> Tensor:
        """A plan without the distributions that the config leaves out."""
        kept = [float(getattr(self.config, name)) for name in PARTS]
        return plan * torch.tensor(kept, device=plan.device).view(1, -1, 1)

    def parts(self) -> Mapping[str, Part]:
        """`plan` makes a plan of an instruction; `act` scores actions by the plan around the follower."""
        world = world_of([blank(2)], self.config.reach)._asdict()
        plan = torch.zeros(1, len(PARTS), (2 * self.config.reach + 1) ** 2)
        near, before = torch.zeros(1, 1, CROP, dtype=torch.int64), torch.full((1, 1), START)
        state = {name: torch.zeros(1, 1, self.config.hidden) for name in ("hidden", "cell")}
        return {
            "plan": Part(self._planned, world, {"tokens": (1,)}),
            "act": Part(self._acted, {"plan": plan, "near": near, "before": before, **state}, {}),
        }

    def _planned(self, **world: Tensor) -> dict[str, Tensor]:
        given = World(**world)
        return {"plan": self.probabilities(self.plan(given).plan, given)}

    def _acted(
        self, plan: Tensor, near: Tensor, before: Tensor, hidden: Tensor, cell: Tensor
    ) -> dict[str, Tensor]:
        scores, state = self.actor(plan, near, before, (hidden, cell))
        hidden, cell = (hidden, cell) if state is None else state
        return {"scores": scores[0, 0], "hidden": hidden, "cell": cell}

    def _tokens(self, world: World) -> Tensor:
        return world.tokens if self.config.instructions else torch.ones_like(world.tokens)

    def _said(self, world: World) -> tuple[Tensor, Tensor]:
        """The words as they are read, and the instruction as one vector.

        What follows it is padding, which nothing before it depends on.
        """
        states: Tensor = self.listener(self.words(self._tokens(world)))[0]
        if self.config.pooled:
            shown = (world.tokens > 0).unsqueeze(-1)
            return states, (states * shown).sum(1) / world.lengths.sqrt().unsqueeze(-1)
        last = (world.lengths - 1).view(-1, 1, 1).expand(-1, 1, states.shape[-1])
        return states, states.gather(1, last).squeeze(1)


def network(folder: Path, card: Card) -> PlanNet:
    """The network of a checkpoint, without its weights."""
    return PlanNet(read_config(folder, card, PlanConfig), len(card.vocabulary["words"]))


class Votes(nn.Module):
    """What every word, read with those before and after it, makes of each hex; the strongest counts."""

    def __init__(self, config: PlanConfig) -> None:
        super().__init__()
        self.channels = config.votes
        self.listener = nn.LSTM(config.words, config.words, batch_first=True)
        self.kernels = nn.Linear(2 * config.words, config.votes * (config.properties + 1))

    def forward(self, words: Tensor, states: Tensor, lengths: Tensor, hexes: Tensor) -> Tensor:
        """Examples x channels x hexes.

        Args:
            words: Their embeddings, in order.
            states: Each read after those before it.
            lengths: How many words there are.
            hexes: Examples x properties x hexes.
        """
        place = torch.arange(words.shape[1], device=words.device).unsqueeze(0)
        shown = place < lengths.unsqueeze(1)
        turned = torch.where(shown, lengths.unsqueeze(1) - 1 - place, place).unsqueeze(-1)
        backward = self.listener(words.gather(1, turned.expand_as(words)))[0]
        backward = backward.gather(1, turned.expand_as(backward))
        kernels = self.kernels(torch.cat([states, backward], -1))
        kernels = kernels.view(len(words), -1, hexes.shape[1] + 1)
        votes: Tensor = kernels[..., :-1] @ hexes + kernels[..., -1:]
        votes = votes.view(len(words), -1, self.channels, hexes.shape[2])
        return votes.masked_fill(~shown.view(len(words), -1, 1, 1), -1e9).amax(1)


class LingUNet(nn.Module):
    """Convolutions down, kernels made of the instruction at each level, transposed convolutions up."""

    def __init__(self, config: PlanConfig) -> None:
        super().__init__()
        wide, text, depth = config.channels, config.text_channels, config.depth
        first = config.properties + config.grounded + config.votes
        self.text, self.depth = text, depth
        self.segment = config.words // depth
        self.down = nn.ModuleList(
            nn.Sequential(
                nn.Conv2d(first if level == 0 else wide, wide, 3, padding=1),
                nn.LeakyReLU(),
                nn.Conv2d(wide, wide, 3, stride=2, padding=1),
                nn.LeakyReLU(),
            )
            for level in range(depth)
        )
        self.kernels = nn.ModuleList(nn.Linear(self.segment, text * wide) for _ in range(depth))
        self.plain = nn.ModuleList(
            nn.ConvTranspose2d(text if level == depth - 1 else wide + text, wide, 3, padding=1)
            for level in range(1, depth)
        )
        self.wider = nn.ModuleList(
            nn.ConvTranspose2d(wide, wide, 3, stride=2, padding=1) for level in range(1, depth)
        )
        self.alone = nn.Conv2d(first, len(PARTS), 1) if config.shortcut else None
        self.top = nn.ConvTranspose2d(wide + text, len(PARTS), 3, stride=2, padding=1)
        self.implicit = nn.ModuleList(
            nn.Conv2d(text if level == 0 else wide, 1, 1, bias=False) for level in range(depth)
        )

    def forward(self, world: Tensor, said: Tensor) -> tuple[Tensor, Tensor]:
        """The plan's scores, and at each level whether it is a recovery."""
        sizes, heard, full = [world.shape[2:]], [], world
        for level, down in enumerate(self.down):
            world = self._normed(down(world), level)
            sizes.append(world.shape[2:])
            part = said[:, level * self.segment : (level + 1) * self.segment]
            kernel = functional.normalize(self.kernels[level](part).view(len(said), self.text, -1), dim=-1)
            heard.append(self._normed((kernel @ world.flatten(2)).view(len(said), -1, *sizes[-1]), level))
        rising = heard[-1]
        implicit = [self.implicit[0](heard[0]).mean((1, 2, 3))]
        for level in range(self.depth - 1, 0, -1):
            risen = functional.leaky_relu(self.plain[level - 1](rising))
            risen = functional.leaky_relu(self.wider[level - 1](risen, output_size=sizes[level]))
            risen = self._normed(risen, level)
            implicit.append(self.implicit[level](risen).mean((1, 2, 3)))
            rising = torch.cat([risen, heard[level - 1]], 1)
        plan = self.top(rising, output_size=sizes[0])
        return plan if self.alone is None else plan + self.alone(full), torch.stack(implicit)

    def _normed(self, maps: Tensor, level: int) -> Tensor:
        """Each channel of each map with mean 0 and deviation 1, but for the lowest level's."""
        if level == self.depth - 1:
            return maps
        centred = maps - maps.mean((2, 3), keepdim=True)
        return centred * torch.rsqrt(centred.square().mean((2, 3), keepdim=True) + 1e-5)


State = tuple[Tensor, Tensor] | None


class Actor(nn.Module):
    """The action generator: sees the plan around the follower, remembers, and chooses."""

    def __init__(self, config: PlanConfig) -> None:
        super().__init__()
        inner = CROP_CHANNELS * (2 * NEAR - 1) ** 2
        self.near = nn.Conv2d(len(PARTS), CROP_CHANNELS, 3)
        self.first = nn.Linear(inner, CROP_WIDTH)
        self.second = nn.Linear(inner + CROP_WIDTH, CROP_WIDTH)
        self.acted = nn.Embedding(len(ACTIONS) + 1, ACTION_WORDS)
        self.recurrence = config.recurrence
        sizes = (ACTION_WORDS + CROP_WIDTH, config.hidden)
        self.memory = nn.LSTM(*sizes, batch_first=True) if config.recurrence else nn.Linear(*sizes)
        self.choice = nn.Linear(config.hidden + CROP_WIDTH, len(ACTIONS))

    def forward(
        self, plan: Tensor, crop: Tensor, before: Tensor, state: State = None
    ) -> tuple[Tensor, State]:
        """Scores of actions: plans x steps x actions, and what is remembered after the last."""
        examples, steps = before.shape
        padded = functional.pad(plan, (0, 1))
        flat = crop.flatten(1).unsqueeze(1).expand(-1, plan.shape[1], -1)
        side = 2 * NEAR + 1
        seen = padded.gather(2, flat).view(examples, -1, steps, CROP).transpose(1, 2)
        near = torch.relu(self.near(seen.reshape(examples * steps, -1, side, side)))
        vector = functional.instance_norm(near).flatten(1)
        looked = torch.relu(self.second(torch.cat([vector, torch.relu(self.first(vector))], 1)))
        looked = looked.view(examples, steps, -1)
        given = torch.cat([self.acted(before), looked], -1)
        if self.recurrence:
            remembered, state = self.memory(given, state)
        else:
            remembered = torch.relu(self.memory(given))
        return self.choice(torch.cat([remembered, looked], -1)), state
