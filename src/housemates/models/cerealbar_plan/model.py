"""CerealBar's follower, all of it: words and hexes to a plan with LingUNet, the plan to actions with an LSTM.

The map is a square egocentric window of hexes, flattened to cells. A plan is four distributions over the
cells (`DISTRIBUTIONS`). The action generator sees the crop of the plan around the follower.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from housemates.benchmarks.cerealbar.world.tensors import PROPERTIES
from housemates.models.cerealbar_plan.config import PlanConfig
from housemates.models.cerealbar_plan.data import (
    ACTIONS,
    DISTRIBUTIONS,
    START,
    Example,
    blank,
    gold_plan,
    scene_of,
)
from housemates.models.cerealbar_plan.geometry import CROP, NEAR, crops
from housemates.models.checkpoints import Card, read_config
from housemates.models.networks import EntryPoint, Exportable

ACTION_SIZE = 32
"""Of the embedding of an action."""
HEX_DEVIATION = 0.3
"""Of initial hex embeddings: with far smaller ones, words are grounded ten times more slowly."""
CROP_CHANNELS, CROP_WIDTH = 8, 64


class World(NamedTuple):
    """The fields of a `data.Scene` as tensors."""

    planes: Tensor
    hexes: Tensor
    cards: Tensor
    on_map: Tensor
    tokens: Tensor
    lengths: Tensor


class Batch(NamedTuple):
    """Instructions, their gold plans, and the recorded actions."""

    world: World
    plan: Tensor
    """(batch, 4, cells): the gold plan."""
    crops: Tensor
    """(batch, actions, cells of a crop): the window's cells around the follower before each action."""
    previous_actions: Tensor
    """(batch, actions)."""
    actions: Tensor
    """(batch, actions); -1 is padding."""
    implicit: Tensor
    """(batch,): 1.0 for a recovery that begins far from the recorded start."""


def world_of(examples: Sequence[Example], reach: int) -> World:
    """Pad examples to a batch, each with the window around its first pose."""
    return World(*(torch.from_numpy(each) for each in scene_of(examples, reach)))


def collate(examples: Sequence[Example], reach: int) -> Batch:
    """Pad examples to a batch with gold plans and actions."""
    most = max(len(each.actions) for each in examples)
    near = np.full((len(examples), most, CROP), (2 * reach + 1) ** 2)
    actions = np.full((len(examples), most), -1)
    previous = np.full((len(examples), most), START)
    for number, each in enumerate(examples):
        count = len(each.actions)
        near[number, :count] = crops([ACTIONS[action] for action in each.actions], reach)
        actions[number, :count], previous[number, 1:count] = each.actions, each.actions[:-1]
    implicit = torch.tensor([float(each.implicit) for each in examples])
    plan = np.stack([gold_plan(each, each.pose, reach) for each in examples])
    arrays = (plan, near, previous, actions)
    gold, cells_near, previous_actions, targets = (torch.from_numpy(each) for each in arrays)
    return Batch(world_of(examples, reach), gold, cells_near, previous_actions, targets, implicit)


def moved_to(batch: Batch, device: torch.device) -> Batch:
    """The batch on another device."""
    world = World(*(each.to(device) for each in batch.world))
    return Batch(world, *(each.to(device) for each in batch[1:]))


class Grounding(NamedTuple):
    """An instruction and the map before LingUNet."""

    instruction: Tensor
    """(batch, size)."""
    window: Tensor
    """(batch, channels, side, side): hex embeddings, and what the instruction makes of them."""
    early_goal: Tensor
    """(batch, cells): logits of goal cards by grounding alone."""


class PlanLogits(NamedTuple):
    """What LingUNet predicts, before softmax and sigmoid."""

    distributions: Tensor
    """(batch, 4, cells)."""
    early_goal: Tensor
    """(batch, cells): goal cards predicted before LingUNet."""
    implicit: Tensor
    """(levels, batch): whether the example is an implicit recovery."""


class PlanNet(nn.Module, Exportable):
    """Plan prediction and action generation; training one stage leaves the other's weights as they are."""

    def __init__(self, config: PlanConfig, vocabulary: int) -> None:
        super().__init__()
        self.config = config
        self.word_embedding = nn.Embedding(vocabulary, config.words, padding_idx=0)
        size = config.words >> 1 if config.bidirectional else config.words
        self.word_encoder = nn.LSTM(config.words, size, batch_first=True, bidirectional=config.bidirectional)
        self.hex_embedding = nn.Linear(len(PROPERTIES), config.properties, bias=False)
        nn.init.normal_(self.hex_embedding.weight, std=HEX_DEVIATION)
        self.grounding_kernels = nn.Linear(config.words, config.grounded * config.properties)
        self.word_votes = WordVotes(config) if config.votes else None
        self.early_goal = nn.Linear(config.grounded + config.votes, 1)
        self.unet = LingUNet(config)
        self.action_generator = ActionGenerator(config)

    def plan(self, world: World) -> PlanLogits:
        """Predict the four distributions of a plan."""
        found = self.ground(world)
        distributions, implicit = self.unet(found.window, found.instruction)
        return PlanLogits(distributions.flatten(2), found.early_goal, implicit)

    def ground(self, world: World) -> Grounding:
        """Encode the instruction, and apply 1x1 kernels made of it to the embeddings of hexes."""
        words, instruction = self._encode_words(world)
        side = 2 * self.config.reach + 1
        hexes = self.hex_embedding(world.planes.transpose(1, 2)).transpose(1, 2)
        kernels = self.grounding_kernels(instruction).view(len(words), self.config.grounded, -1)
        channels = [hexes, functional.normalize(kernels, dim=-1) @ hexes]
        if self.word_votes is not None:
            embedded = self.word_embedding(self._tokens(world))
            channels.append(self.word_votes(embedded, words, world.lengths, hexes))
        known = functional.pad(torch.cat(channels, 1), (0, 1))
        cells = known.gather(2, world.hexes.unsqueeze(1).expand(-1, known.shape[1], -1))
        grounded = cells[:, hexes.shape[1] :]
        early_goal = self.early_goal(grounded.transpose(1, 2)).squeeze(-1)
        return Grounding(instruction, cells.view(len(words), -1, side, side), early_goal)

    def probabilities(self, distributions: Tensor, world: World) -> Tensor:
        """The plan that the action generator gets, (batch, 4, cells), of logits of the same shape.

        The trajectory is a softmax over the map; goal and avoid are sigmoids on cards, no-pass on the map.
        """
        walk = functional.softmax(distributions[:, 0].masked_fill(~world.on_map, -1e9), -1)
        goal, avoid = (torch.sigmoid(distributions[:, number]) * world.cards for number in (1, 2))
        no_pass = torch.sigmoid(distributions[:, 3]) * world.on_map
        return self.ablated(torch.stack([walk, goal, avoid, no_pass], 1))

    def ablated(self, plan: Tensor) -> Tensor:
        """A plan, (batch, 4, cells), with zeros for the distributions that the config leaves out."""
        used = [float(getattr(self.config, name)) for name in DISTRIBUTIONS]
        return plan * torch.tensor(used, device=plan.device).view(1, -1, 1)

    def entry_points(self) -> Mapping[str, EntryPoint]:
        """`plan` makes a plan of an instruction; `act` gives the logits of the next action."""
        world = world_of([blank(2)], self.config.reach)._asdict()
        plan = torch.zeros(1, len(DISTRIBUTIONS), (2 * self.config.reach + 1) ** 2)
        crop, previous = torch.zeros(1, 1, CROP, dtype=torch.int64), torch.full((1, 1), START)
        state = {name: torch.zeros(1, 1, self.config.hidden) for name in ("hidden", "cell")}
        inputs = {"plan": plan, "crop": crop, "previous_action": previous, **state}
        return {
            "plan": EntryPoint(self._run_plan, world, {"tokens": (1,)}),
            "act": EntryPoint(self._run_act, inputs, {}),
        }

    def _run_plan(self, **inputs: Tensor) -> dict[str, Tensor]:
        world = World(**inputs)
        return {"plan": self.probabilities(self.plan(world).distributions, world)}

    def _run_act(
        self, plan: Tensor, crop: Tensor, previous_action: Tensor, hidden: Tensor, cell: Tensor
    ) -> dict[str, Tensor]:
        logits, state = self.action_generator(plan, crop, previous_action, (hidden, cell))
        hidden, cell = (hidden, cell) if state is None else state
        return {"logits": logits[0, 0], "hidden": hidden, "cell": cell}

    def _tokens(self, world: World) -> Tensor:
        return world.tokens if self.config.instructions else torch.ones_like(world.tokens)

    def _encode_words(self, world: World) -> tuple[Tensor, Tensor]:
        """Word states, (batch, words, size), and the instruction's vector, (batch, size).

        Words before the padding do not depend on it: an LSTM in one direction reads forwards, one in both
        gets packed sequences.
        """
        embedded = self.word_embedding(self._tokens(world))
        words: Tensor
        if self.config.bidirectional and len(embedded) > 1:
            lengths = world.lengths.cpu().long()
            packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
            words = pad_packed_sequence(self.word_encoder(packed)[0], True, total_length=embedded.shape[1])[0]
        else:
            words = self.word_encoder(embedded)[0]
        if self.config.pooled:
            shown = (world.tokens > 0).unsqueeze(-1)
            return words, (words * shown).sum(1) / world.lengths.sqrt().unsqueeze(-1)
        last = (world.lengths - 1).view(-1, 1, 1).expand(-1, 1, words.shape[-1])
        ends = words.gather(1, last).squeeze(1)
        if self.config.bidirectional:
            half = words.shape[-1] >> 1
            ends = torch.cat([ends[:, :half], words[:, 0, half:]], 1)
        return words, ends


class WordVotes(nn.Module):
    """1x1 kernels made of each word in context, applied to every hex and max-pooled over the words."""

    def __init__(self, config: PlanConfig) -> None:
        super().__init__()
        self.channels = config.votes
        self.backward_encoder = nn.LSTM(config.words, config.words, batch_first=True)
        self.kernels = nn.Linear(2 * config.words, config.votes * (config.properties + 1))

    def forward(self, embedded: Tensor, words: Tensor, lengths: Tensor, hexes: Tensor) -> Tensor:
        """Votes, (batch, channels, hexes).

        Args:
            embedded: Word embeddings, (batch, words, size).
            words: States of the forward LSTM, (batch, words, size).
            lengths: (batch,).
            hexes: Hex embeddings, (batch, properties, hexes).
        """
        place = torch.arange(embedded.shape[1], device=embedded.device).unsqueeze(0)
        shown = place < lengths.unsqueeze(1)
        flipped = torch.where(shown, lengths.unsqueeze(1) - 1 - place, place).unsqueeze(-1)
        backward = self.backward_encoder(embedded.gather(1, flipped.expand_as(embedded)))[0]
        backward = backward.gather(1, flipped.expand_as(backward))
        kernels = self.kernels(torch.cat([words, backward], -1))
        kernels = kernels.view(len(embedded), -1, hexes.shape[1] + 1)
        votes: Tensor = kernels[..., :-1] @ hexes + kernels[..., -1:]
        votes = votes.view(len(embedded), -1, self.channels, hexes.shape[2])
        return votes.masked_fill(~shown.view(len(embedded), -1, 1, 1), -1e9).amax(1)


class LingUNet(nn.Module):
    """A U-Net whose skip connections pass through 1x1 kernels made of segments of the instruction."""

    def __init__(self, config: PlanConfig) -> None:
        super().__init__()
        channels, text, depth = config.channels, config.text_channels, config.depth
        inputs = config.properties + config.grounded + config.votes
        self.text_channels, self.depth = text, depth
        self.segment = config.words // depth
        self.down = nn.ModuleList(
            nn.Sequential(
                nn.Conv2d(inputs if level == 0 else channels, channels, 3, padding=1),
                nn.LeakyReLU(),
                nn.Conv2d(channels, channels, 3, stride=2, padding=1),
                nn.LeakyReLU(),
            )
            for level in range(depth)
        )
        self.kernels = nn.ModuleList(nn.Linear(self.segment, text * channels) for _ in range(depth))
        self.up = nn.ModuleList(
            nn.ConvTranspose2d(text if level == depth - 1 else channels + text, channels, 3, padding=1)
            for level in range(1, depth)
        )
        self.upsample = nn.ModuleList(
            nn.ConvTranspose2d(channels, channels, 3, stride=2, padding=1) for level in range(1, depth)
        )
        self.shortcut = nn.Conv2d(inputs, len(DISTRIBUTIONS), 1) if config.shortcut else None
        self.output = nn.ConvTranspose2d(channels + text, len(DISTRIBUTIONS), 3, stride=2, padding=1)
        self.implicit = nn.ModuleList(
            nn.Conv2d(text if level == 0 else channels, 1, 1, bias=False) for level in range(depth)
        )

    def forward(self, window: Tensor, instruction: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the plan, (batch, 4, side, side), and of the discriminator, (levels, batch).

        Args:
            window: (batch, channels, side, side).
            instruction: (batch, size).
        """
        sizes, skips, down = [window.shape[2:]], [], window
        for level, convolutions in enumerate(self.down):
            down = self._norm(convolutions(down), level)
            sizes.append(down.shape[2:])
            segment = instruction[:, level * self.segment : (level + 1) * self.segment]
            kernel = self.kernels[level](segment).view(len(window), self.text_channels, -1)
            skip = functional.normalize(kernel, dim=-1) @ down.flatten(2)
            skips.append(self._norm(skip.view(len(window), -1, *sizes[-1]), level))
        up = skips[-1]
        implicit = [self.implicit[0](skips[0]).mean((1, 2, 3))]
        for level in range(self.depth - 1, 0, -1):
            up = functional.leaky_relu(self.up[level - 1](up))
            up = functional.leaky_relu(self.upsample[level - 1](up, output_size=sizes[level]))
            up = self._norm(up, level)
            implicit.append(self.implicit[level](up).mean((1, 2, 3)))
            up = torch.cat([up, skips[level - 1]], 1)
        plan = self.output(up, output_size=sizes[0])
        return plan if self.shortcut is None else plan + self.shortcut(window), torch.stack(implicit)

    def _norm(self, maps: Tensor, level: int) -> Tensor:
        """Instance norm without weights, but not at the lowest level."""
        if level == self.depth - 1:
            return maps
        centred = maps - maps.mean((2, 3), keepdim=True)
        return centred * torch.rsqrt(centred.square().mean((2, 3), keepdim=True) + 1e-5)


LstmState = tuple[Tensor, Tensor] | None
"""Hidden and cell state, each (1, batch, size); None at the beginning."""


class ActionGenerator(nn.Module):
    """Convolves the crop of the plan around the follower, and decodes actions with an LSTM."""

    def __init__(self, config: PlanConfig) -> None:
        super().__init__()
        size = CROP_CHANNELS * (2 * NEAR - 1) ** 2
        self.convolution = nn.Conv2d(len(DISTRIBUTIONS), CROP_CHANNELS, 3)
        self.first = nn.Linear(size, CROP_WIDTH)
        self.second = nn.Linear(size + CROP_WIDTH, CROP_WIDTH)
        self.action_embedding = nn.Embedding(len(ACTIONS) + 1, ACTION_SIZE)
        self.recurrence = config.recurrence
        sizes = (ACTION_SIZE + CROP_WIDTH, config.hidden)
        self.decoder = nn.LSTM(*sizes, batch_first=True) if config.recurrence else nn.Linear(*sizes)
        self.action_head = nn.Linear(config.hidden + CROP_WIDTH, len(ACTIONS))

    def forward(
        self, plan: Tensor, crops: Tensor, previous_actions: Tensor, state: LstmState = None
    ) -> tuple[Tensor, LstmState]:
        """Logits of actions, (batch, steps, actions), and the LSTM's state after the last.

        Args:
            plan: (batch, 4, cells).
            crops: The window's cells around the follower, (batch, steps, cells of a crop).
            previous_actions: (batch, steps).
            state: Of the steps before.
        """
        examples, steps = previous_actions.shape
        padded = functional.pad(plan, (0, 1))
        index = crops.flatten(1).unsqueeze(1).expand(-1, plan.shape[1], -1)
        side = 2 * NEAR + 1
        cropped = padded.gather(2, index).view(examples, -1, steps, CROP).transpose(1, 2)
        maps = torch.relu(self.convolution(cropped.reshape(examples * steps, -1, side, side)))
        vector = functional.instance_norm(maps).flatten(1)
        seen = torch.relu(self.second(torch.cat([vector, torch.relu(self.first(vector))], 1)))
        seen = seen.view(examples, steps, -1)
        inputs = torch.cat([self.action_embedding(previous_actions), seen], -1)
        if self.recurrence:
            decoded, state = self.decoder(inputs, state)
        else:
            decoded = torch.relu(self.decoder(inputs))
        return self.action_head(torch.cat([decoded, seen], -1)), state


def network(folder: Path, card: Card) -> PlanNet:
    """Build the network of a checkpoint, without its weights."""
    return PlanNet(read_config(folder, card, PlanConfig), len(card.vocabulary["words"]))
