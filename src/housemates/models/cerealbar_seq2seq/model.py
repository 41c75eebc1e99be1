"""CerealBar's Seq2Seq with attention, all of it: LSTM over words, CNN over the map, LSTM decoder."""

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
from housemates.models.networks import EntryPoint, Exportable

CONVOLUTIONS = 4


class DecoderState(NamedTuple):
    """The encoded instruction and map, and the state of the decoder."""

    words: Tensor
    """(batch, words, size)."""
    padding: Tensor
    """(batch, words)."""
    map: Tensor
    """(batch, size of the map's vector)."""
    hidden: Tensor
    """(batch, size)."""
    cell: Tensor
    """(batch, size)."""
    attended: Tensor
    """(batch, size): the words attended to at the last step."""


class Seq2Seq(nn.Module, Exportable):
    """Encodes instruction and map once, then decodes actions with dot-product attention to the words."""

    def __init__(self, config: Seq2SeqConfig, vocabulary: int) -> None:
        super().__init__()
        self.config = config
        size, channels = config.words, config.properties
        self.word_embedding = nn.Embedding(vocabulary, size, padding_idx=0)
        self.word_encoder = nn.LSTM(size, size, batch_first=True)
        self.hex_embedding = nn.Linear(len(PROPERTIES), channels, bias=False)
        self.convolutions = nn.ModuleList(
            nn.Conv2d(channels >> layer, channels >> (layer + 1), 3, stride=2, padding=1)
            for layer in range(CONVOLUTIONS)
        )
        side = 2 * config.reach + 1
        for _ in range(CONVOLUTIONS):
            side = (side + 1) // 2
        map_size = (channels >> CONVOLUTIONS) * side * side
        self.action_embedding = nn.Embedding(len(ACTIONS) + 1, size)
        self.decoder = nn.LSTMCell(2 * size + map_size, size)
        self.action_head = nn.Linear(2 * size + map_size, len(ACTIONS))

    def forward(self, world: World, previous_actions: Tensor) -> Tensor:
        """Logits, (batch, steps, actions), given previous actions, (batch, steps)."""
        state = self.encode(world)
        found = []
        for step in range(previous_actions.shape[1]):
            logits, state = self.step(state, previous_actions[:, step])
            found.append(logits)
        return torch.stack(found, 1)

    def encode(self, world: World) -> DecoderState:
        """The initial state: words, and the egocentric window of the map as one vector."""
        words = self.word_encoder(self.word_embedding(world.tokens))[0]
        hexes = functional.pad(self.hex_embedding(world.planes.transpose(1, 2)), (0, 0, 0, 1))
        index = world.hexes.unsqueeze(-1).expand(-1, -1, hexes.shape[-1])
        side = 2 * self.config.reach + 1
        window = hexes.gather(1, index).transpose(1, 2).reshape(len(words), -1, side, side)
        for convolution in self.convolutions:
            window = functional.leaky_relu(convolution(window))
        zeros = words.new_zeros(len(words), self.config.words)
        return DecoderState(words, world.tokens == 0, window.flatten(1), zeros, zeros, zeros)

    def step(self, state: DecoderState, previous_action: Tensor) -> tuple[Tensor, DecoderState]:
        """Logits, (batch, actions), after previous actions, (batch,), and the state after it."""
        inputs = torch.cat([self.action_embedding(previous_action), state.map, state.attended], -1)
        hidden, cell = self.decoder(inputs, (state.hidden, state.cell))
        scores = (state.words @ hidden.unsqueeze(-1)).squeeze(-1).masked_fill(state.padding, -1e9)
        attended = (functional.softmax(scores, -1).unsqueeze(1) @ state.words).squeeze(1)
        logits = self.action_head(functional.leaky_relu(torch.cat([attended, hidden, state.map], -1)))
        return logits, state._replace(hidden=hidden, cell=cell, attended=attended)

    def entry_points(self) -> Mapping[str, EntryPoint]:
        """`encode` takes an instruction and the map; `step` gives the logits of the next action."""
        world = world_of([blank(2)], self.config.reach)
        state = self.encode(world)._asdict()
        dynamic = dict.fromkeys(("words", "padding"), (1,))
        return {
            "encode": EntryPoint(
                lambda **inputs: self.encode(World(**inputs))._asdict(), world._asdict(), {"tokens": (1,)}
            ),
            "step": EntryPoint(self._run_step, {**state, "previous_action": torch.tensor([START])}, dynamic),
        }

    def _run_step(self, previous_action: Tensor, **state: Tensor) -> dict[str, Tensor]:
        logits, after = self.step(DecoderState(**state), previous_action)
        return {"logits": logits[0], "hidden": after.hidden, "cell": after.cell, "attended": after.attended}


def network(folder: Path, card: Card) -> Seq2Seq:
    """Build the network of a checkpoint, without its weights."""
    return Seq2Seq(read_config(folder, card, Seq2SeqConfig), len(card.vocabulary["words"]))
