"""The network: dialogue, frames and actions in one sequence; at each frame an action and a type of object.

Dialogue sees dialogue. A frame, and the action before it, see the dialogue, all frames up to it, and that one
action. So what was encoded never changes, and a step costs the same late as early, but for looking back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from housemates.models.checkpoints import Card, read_config
from housemates.models.frame_pooling import Looking
from housemates.models.image_encoders import encoder_of
from housemates.models.playable import Part
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
    seen = np.concatenate([each.seen for each in examples])
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
    """What an episode has been so far, for going on; all its dialogues are of one length."""

    said: list[Kept]
    """Of each layer."""
    frames: list[Kept]
    place: Tensor
    """Of the next frame: after the dialogue and the frames before it."""


class EpisodicTransformer(Looking):
    """Reads the dialogue once and takes in frames and actions, all at once or one after another."""

    def __init__(self, config: EtConfig, vocabulary: int, shape: tuple[int, int, int]) -> None:
        width = config.width
        super().__init__(shape, config.squeezed, width)
        self.config = config
        sizes = (width, config.heads, config.inner, config.dropout)
        self.words = nn.Embedding(vocabulary, width, padding_idx=0)
        self.listeners = nn.ModuleList(Layer(*sizes) for _ in range(config.language_layers))
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
        places = waves(torch.arange(words, words + steps, device=said.device), self.config.width)
        frames = self.unseen.repeat(*batch.unseen.shape, 1)
        if self.config.vision:
            frames[~batch.unseen] = self.looked(batch.seen)
        tokens = torch.cat([said, self._placed(frames, places, 1), self._acted(batch.before, places)], 1)
        allowed = self._allowed(hidden, steps)
        for layer in _stack(self.layers):
            tokens = layer(tokens, layer.kept(tokens), allowed)
        return self._told(tokens[:, words : words + steps])

    def listen(self, tokens: Tensor) -> Memory:
        """Read dialogues of one length, to go on from there step by step."""
        said, hidden = self._listened(tokens)
        kept = []
        for layer in _stack(self.layers):
            kept.append(layer.kept(said))
            said = layer(said, kept[-1])
        none = [Kept(each.keys[:, :, :0], each.values[:, :, :0]) for each in kept]
        return Memory(kept, none, hidden.shape[1] * torch.ones(1, dtype=torch.int64))

    def step(self, memory: Memory, seen: Tensor | None, before: Tensor) -> tuple[Told, Memory]:
        """Take in one frame, or none where nothing is seen, and the action before it."""
        places = waves(memory.place, self.config.width)
        blind = seen is None or not self.config.vision
        frame = self.unseen.repeat(len(before), 1) if seen is None or blind else self.looked(seen)
        acted = self._acted(before.unsqueeze(1), places)
        tokens = torch.cat([self._placed(frame.unsqueeze(1), places, 1), acted], 1)
        frames = []
        for layer, said, earlier in zip(_stack(self.layers), memory.said, memory.frames, strict=True):
            new = layer.kept(tokens)
            frames.append(earlier.with_more(Kept(new.keys[:, :, :1], new.values[:, :, :1])))
            action = Kept(new.keys[:, :, 1:], new.values[:, :, 1:])
            tokens = layer(tokens, said.with_more(frames[-1]).with_more(action))
        return self._told(tokens[:, :1]), Memory(memory.said, frames, memory.place + 1)

    def parts(self) -> Mapping[str, Part]:
        """`listen` reads the dialogue; `step` takes in a frame's features, `recall` what was done unseen."""
        tokens = torch.ones(1, 2, dtype=torch.int64)
        memory = self.listen(tokens)
        for _ in range(2):
            _, memory = self.step(memory, None, torch.tensor([START]))
        given = {**_flat(memory), "before": torch.tensor([START])}
        free = {name: (2,) for name in given if name.startswith(("said", "frames"))}
        return {
            "listen": Part(lambda tokens: _flat(self.listen(tokens)), {"tokens": tokens}, {"tokens": (1,)}),
            "recall": Part(self._stepped, given, free),
            "step": Part(self._stepped, {**given, "seen": torch.zeros(1, *self.shape)}, free),
        }

    def _stepped(self, before: Tensor, seen: Tensor | None = None, **memory: Tensor) -> dict[str, Tensor]:
        told, after = self.step(_joined(memory, self.config.layers), seen, before)
        kept = {name: each for name, each in _flat(after).items() if not name.startswith("said")}
        return {"actions": told.actions[0, 0], "objects": told.objects[0, 0], **kept}

    def _listened(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
        hidden = tokens == 0
        places = waves(torch.arange(tokens.shape[1], device=tokens.device), self.config.width)
        said = self._placed(self.words(tokens), places, 0)
        for layer in _stack(self.listeners):
            said = layer(said, layer.kept(said), (~hidden)[:, None, None])
        return said, hidden

    def _acted(self, before: Tensor, places: Tensor) -> Tensor:
        return self._placed(self.acted(before), places, 2)

    def _placed(self, tokens: Tensor, places: Tensor, kind: int) -> Tensor:
        """Tokens that know where they are and of which kind; a frame's place is its action's too."""
        found: Tensor = self.drop(tokens + places + self.kinds.weight[kind])
        return found

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


def _flat(memory: Memory) -> dict[str, Tensor]:
    """A memory as tensors by name."""
    kept = {"said": memory.said, "frames": memory.frames}
    found = {
        f"{name}_{what}_{number}": tensor
        for name, layers in kept.items()
        for number, layer in enumerate(layers)
        for what, tensor in layer._asdict().items()
    }
    return {**found, "place": memory.place}


def _joined(tensors: Mapping[str, Tensor], layers: int) -> Memory:
    """What `_flat` took apart."""
    said, frames = (
        [
            Kept(tensors[f"{name}_keys_{number}"], tensors[f"{name}_values_{number}"])
            for number in range(layers)
        ]
        for name in ("said", "frames")
    )
    return Memory(said, frames, tensors["place"])


def network(folder: Path, card: Card) -> EpisodicTransformer:
    """The network of a checkpoint, without its weights."""
    config = read_config(folder, card, EtConfig)
    return EpisodicTransformer(
        config, len(card.vocabulary["words"]), encoder_of(config.encoder, folder).shape
    )
