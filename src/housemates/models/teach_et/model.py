"""The network: dialogue, frames and actions in one sequence; at each frame an action and a type of object.

Dialogue sees dialogue. A frame, and the action before it, see the dialogue, all frames up to it, and that one
action. So what was encoded never changes, and a step costs the same late as early, but for looking back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from housemates.models.teach_et.attention import Kept, Layer, waves
from housemates.models.teach_et.config import EtConfig
from housemates.models.teach_et.data import ACTIONS, NOTHING, START, Example

IGNORED = -1


class Batch(NamedTuple):
    """Examples side by side; what was done before comes first, unseen."""

    tokens: Tensor
    seen: Tensor
    """All pictures, one example's after the other's, x channels x rows x columns."""
    unseen: Tensor
    """Examples x steps: whether there is no picture."""
    before: Tensor
    actions: Tensor
    """`IGNORED` where there is none."""
    objects: Tensor
    past: Tensor
    """Examples x steps: whether it is of what was done before."""


def batch_of(examples: Sequence[Example]) -> Batch:
    """Examples as tensors, padded."""
    count = len(examples)
    steps = [len(each.history) + len(each.actions) for each in examples]
    tokens = np.zeros((count, max(len(each.tokens) for each in examples)), np.int64)
    seen = np.concatenate([each.seen for each in examples]).astype(np.float32)
    unseen, past = np.ones((2, count, max(steps)), np.bool_)
    past[:] = False
    actions, objects = np.full((2, count, max(steps)), IGNORED)
    before = np.full((count, max(steps)), START)
    for row, (each, size) in enumerate(zip(examples, steps, strict=True)):
        start = len(each.history)
        tokens[row, : len(each.tokens)] = each.tokens
        unseen[row, start:size] = False
        actions[row, :size] = [*each.history, *each.actions]
        objects[row, start:size] = np.where(each.objects == NOTHING, IGNORED, each.objects)
        before[row, 1:size] = actions[row, : size - 1]
        past[row, :start] = True
    arrays = (tokens, seen, unseen, before, actions, objects, past)
    return Batch(*(torch.from_numpy(each) for each in arrays))


class Told(NamedTuple):
    """What the network says, as scores."""

    actions: Tensor
    objects: Tensor


class Memory(NamedTuple):
    """What an episode has been so far, for going on."""

    dialogue: list[Kept]
    """Of each layer."""
    hidden: Tensor
    """Examples x words: whether it is padding."""
    frames: list[Kept | None]
    words: int
    step: int


class EpisodicTransformer(nn.Module):
    """Reads the dialogue once and takes in frames and actions, all at once or one after another."""

    def __init__(self, config: EtConfig, vocabulary: int, shape: tuple[int, int, int]) -> None:
        super().__init__()
        self.config = config
        width = config.width
        sizes = (width, config.heads, config.inner, config.dropout)
        self.words = nn.Embedding(vocabulary, width, padding_idx=0)
        self.listeners = nn.ModuleList(Layer(*sizes) for _ in range(config.language_layers))
        self.squeeze = nn.Conv2d(shape[0], config.squeezed, 1)
        self.frame = nn.Linear(config.squeezed * shape[1] * shape[2], width)
        self.unseen = nn.Parameter(torch.zeros(width))
        self.acted = nn.Embedding(len(ACTIONS) + 1, width)
        self.kinds = nn.Embedding(3, width)
        self.layers = nn.ModuleList(Layer(*sizes) for _ in range(config.layers))
        self.choice = nn.Linear(width, width)
        self.object = nn.Linear(width, NOTHING)
        self.drop = nn.Dropout(config.dropout)

    def forward(self, batch: Batch) -> Told:
        """Scores of actions and objects at all steps: examples x steps x ..."""
        said, hidden = self._listened(batch.tokens)
        words, steps = said.shape[1], batch.before.shape[1]
        frames = self._frames(batch.seen, batch.unseen, words, 0)
        actions = self._actions(batch.before, words, 0)
        tokens = torch.cat([said, frames, actions], 1)
        allowed = self._allowed(hidden, steps)
        for layer in _stack(self.layers):
            tokens = layer(tokens, layer.kept(tokens), allowed)
        return self._told(tokens[:, words : words + steps])

    def listen(self, tokens: Tensor) -> Memory:
        """Read the dialogue, to go on from there step by step."""
        said, hidden = self._listened(tokens)
        kept = []
        allowed = (~hidden)[:, None, None]
        for layer in _stack(self.layers):
            kept.append(layer.kept(said))
            said = layer(said, kept[-1], allowed)
        return Memory(kept, hidden, [None] * len(kept), tokens.shape[1], 0)

    def step(self, memory: Memory, seen: Tensor, unseen: Tensor, before: Tensor) -> tuple[Told, Memory]:
        """Take in one frame and the action before it; `seen` has a picture for each that is not unseen."""
        frame = self._frames(seen, unseen.unsqueeze(1), memory.words, memory.step)
        tokens = torch.cat([frame, self._actions(before.unsqueeze(1), memory.words, memory.step)], 1)
        frames: list[Kept | None] = []
        shown = (~memory.hidden)[:, None, None]
        for layer, dialogue, earlier in zip(_stack(self.layers), memory.dialogue, memory.frames, strict=True):
            new = layer.kept(tokens)
            own = Kept(new.keys[:, :, :1], new.values[:, :, :1])
            now = own if earlier is None else earlier.with_more(own)
            frames.append(now)
            action = Kept(new.keys[:, :, 1:], new.values[:, :, 1:])
            kept = dialogue.with_more(now).with_more(action)
            rest = kept.keys.shape[2] - memory.words
            tokens = layer(tokens, kept, nn.functional.pad(shown, (0, rest), value=True))
        return self._told(tokens[:, :1]), memory._replace(frames=frames, step=memory.step + 1)

    def _listened(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
        hidden = tokens == 0
        places = waves(torch.arange(tokens.shape[1], device=tokens.device), self.config.width)
        said = self.drop(self.words(tokens) + places + self.kinds.weight[0])
        for layer in _stack(self.listeners):
            said = layer(said, layer.kept(said), (~hidden)[:, None, None])
        return said, hidden

    def _frames(self, seen: Tensor, unseen: Tensor, words: int, first: int) -> Tensor:
        found = self.unseen.repeat(*unseen.shape, 1)
        if self.config.vision:
            found[~unseen] = self.frame(torch.relu(self.squeeze(seen)).flatten(1))
        places = self._places(unseen.shape[1], words, first, seen.device)
        kept: Tensor = self.drop(found + places + self.kinds.weight[1])
        return kept

    def _actions(self, before: Tensor, words: int, first: int) -> Tensor:
        places = self._places(before.shape[1], words, first, before.device)
        found: Tensor = self.drop(self.acted(before) + places + self.kinds.weight[2])
        return found

    def _places(self, steps: int, words: int, first: int, device: torch.device) -> Tensor:
        """Where steps are: after the dialogue; a frame and the action before it are in the same place."""
        return waves(torch.arange(words + first, words + first + steps, device=device), self.config.width)

    def _allowed(self, hidden: Tensor, steps: int) -> Tensor:
        """Which token may look at which: examples x 1 x tokens x tokens."""
        words = hidden.shape[1]
        device = hidden.device
        earlier = torch.ones(steps, steps, dtype=torch.bool, device=device).tril()
        same = torch.eye(steps, dtype=torch.bool, device=device)
        allowed = torch.zeros(words + 2 * steps, words + 2 * steps, dtype=torch.bool, device=device)
        allowed[:, :words] = True
        for start in (words, words + steps):
            allowed[start : start + steps, words : words + steps] = earlier
            allowed[start : start + steps, words + steps :] = same
        shown = nn.functional.pad(~hidden, (0, 2 * steps), value=True)
        return allowed[None, None] & shown[:, None, None]

    def _told(self, tokens: Tensor) -> Told:
        actions = self.choice(tokens) @ self.acted.weight[: len(ACTIONS)].T
        return Told(actions, self.object(tokens))


def _stack(layers: nn.ModuleList) -> list[Layer]:
    return [layer for layer in layers if isinstance(layer, Layer)]
