"""The network: an LSTM over the words, convolutions over the map, an LSTM that attends and acts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from housemates.benchmarks.cerealbar.world.tensors import PROPERTIES
from housemates.models.cerealbar_plan.data import ACTIONS, START, blank
from housemates.models.cerealbar_plan.model import World, world_of
from housemates.models.cerealbar_seq2seq.config import Seq2SeqConfig
from housemates.models.checkpoints import Card, read_config
from housemates.models.playable import Part, Playable

LAYERS = 4


class Memory(NamedTuple):
    """What is known while an instruction is followed."""

    said: Tensor
    hidden: Tensor
    """Examples x words: whether it is padding."""
    world: Tensor
    state: Tensor
    cell: Tensor
    attended: Tensor


class Seq2Seq(Playable):
    """Reads once, then gives an action at each step."""

    def __init__(self, config: Seq2SeqConfig, vocabulary: int) -> None:
        super().__init__()
        self.config = config
        size, wide = config.words, config.properties
        self.words = nn.Embedding(vocabulary, size, padding_idx=0)
        self.listener = nn.LSTM(size, size, batch_first=True)
        self.properties = nn.Linear(len(PROPERTIES), wide, bias=False)
        self.convolutions = nn.ModuleList(
            nn.Conv2d(wide >> layer, wide >> (layer + 1), 3, stride=2, padding=1) for layer in range(LAYERS)
        )
        side = 2 * config.reach + 1
        for _ in range(LAYERS):
            side = (side + 1) // 2
        world = (wide >> LAYERS) * side * side
        self.acted = nn.Embedding(len(ACTIONS) + 1, size)
        self.decoder = nn.LSTMCell(2 * size + world, size)
        self.choice = nn.Linear(2 * size + world, len(ACTIONS))

    def read(self, world: World) -> Memory:
        """Read the instruction and the map."""
        said = self.listener(self.words(world.tokens))[0]
        hexes = functional.pad(self.properties(world.planes.transpose(1, 2)), (0, 0, 0, 1))
        index = world.hexes.unsqueeze(-1).expand(-1, -1, hexes.shape[-1])
        side = 2 * self.config.reach + 1
        seen = hexes.gather(1, index).transpose(1, 2).reshape(len(said), -1, side, side)
        for layer in self.convolutions:
            seen = functional.leaky_relu(layer(seen))
        nothing = said.new_zeros(len(said), self.config.words)
        return Memory(said, world.tokens == 0, seen.flatten(1), nothing, nothing, nothing)

    def step(self, memory: Memory, before: Tensor) -> tuple[Tensor, Memory]:
        """Scores of actions after another one, and what is known then."""
        given = torch.cat([self.acted(before), memory.world, memory.attended], -1)
        state, cell = self.decoder(given, (memory.state, memory.cell))
        weights = (memory.said @ state.unsqueeze(-1)).squeeze(-1).masked_fill(memory.hidden, -1e9)
        attended = (functional.softmax(weights, -1).unsqueeze(1) @ memory.said).squeeze(1)
        scores = self.choice(functional.leaky_relu(torch.cat([attended, state, memory.world], -1)))
        return scores, memory._replace(state=state, cell=cell, attended=attended)

    def parts(self) -> Mapping[str, Part]:
        """`read` takes in an instruction and the map; `step` scores the next action."""
        world = world_of([blank(2)], self.config.reach)
        memory = self.read(world)._asdict()
        free = dict.fromkeys(("said", "hidden"), (1,))
        return {
            "read": Part(
                lambda **given: self.read(World(**given))._asdict(), world._asdict(), {"tokens": (1,)}
            ),
            "step": Part(self._stepped, {**memory, "before": torch.tensor([START])}, free),
        }

    def _stepped(self, before: Tensor, **memory: Tensor) -> dict[str, Tensor]:
        scores, after = self.step(Memory(**memory), before)
        return {"scores": scores[0], "state": after.state, "cell": after.cell, "attended": after.attended}

    def forward(self, world: World, before: Tensor) -> Tensor:
        """Scores of all actions that follow known ones: examples x steps x actions."""
        memory = self.read(world)
        found = []
        for step in range(before.shape[1]):
            scores, memory = self.step(memory, before[:, step])
            found.append(scores)
        return torch.stack(found, 1)


def network(folder: Path, card: Card) -> Seq2Seq:
    """The network of a checkpoint, without its weights."""
    return Seq2Seq(read_config(folder, card, Seq2SeqConfig), len(card.vocabulary["words"]))
