"""TEACh's Episodic Transformer (E.T.), all of it: encoders of words and frames, fusion with a KV cache.

Sequence: the dialogue's words, then the frames, then the action before each frame. Words attend to words. A
frame, and the action before it, attend to all words, to the frames up to it and to that one action
(`_attention_mask`), and both share one position. So keys and values of words and frames never change: an
episode is encoded once, a step takes two tokens, and a late step costs as much as an early one, but for
attending to more frames.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from housemates.models.checkpoints import Card, read_config
from housemates.models.image_encoders import encoder_of
from housemates.models.networks import EntryPoint, Exportable
from housemates.models.teach_et.config import EtConfig
from housemates.models.teach_et.data import ACTIONS, NOTHING, START, Example

IGNORED = -1
"""The label of a step that the loss leaves out."""
LANGUAGE, FRAME, ACTION = range(3)
"""Modalities, each with an embedding of its own."""


class Batch(NamedTuple):
    """Sessions, padded to the longest; steps of the history, which may have no frames, come first."""

    tokens: Tensor
    """(batch, words); 0 is padding."""
    frames: Tensor
    """Feature maps of all examples one after another: (frames, channels, rows, columns)."""
    no_frame: Tensor
    """(batch, steps): whether a step has no frame."""
    previous_actions: Tensor
    """(batch, steps)."""
    actions: Tensor
    """(batch, steps); `IGNORED` for padding."""
    objects: Tensor
    """(batch, steps): types of objects; `IGNORED` where nothing is touched."""
    in_history: Tensor
    """(batch, steps): whether a step is of the history."""


def collate(examples: Sequence[Example]) -> Batch:
    """Pad examples to a batch."""
    count = len(examples)
    steps = [len(each.history) + len(each.actions) for each in examples]
    tokens = np.zeros((count, max(len(each.tokens) for each in examples)), np.int64)
    frames = np.concatenate([each.frames for each in examples])
    no_frame, in_history = np.ones((2, count, max(steps)), np.bool_)
    in_history[:] = False
    actions, objects = np.full((2, count, max(steps)), IGNORED)
    previous = np.full((count, max(steps)), START)
    for row, (each, size) in enumerate(zip(examples, steps, strict=True)):
        start = len(each.history)
        tokens[row, : len(each.tokens)] = each.tokens
        no_frame[row, size - len(each.frames) : size] = False
        actions[row, :size] = [*each.history, *each.actions]
        objects[row, start:size] = np.where(each.objects == NOTHING, IGNORED, each.objects)
        previous[row, 1:size] = actions[row, : size - 1]
        in_history[row, :start] = True
    arrays = (tokens, frames, no_frame, previous, actions, objects, in_history)
    return Batch(*(torch.from_numpy(each) for each in arrays))


class KVCache(NamedTuple):
    """Keys and values of a layer, each (batch, heads, tokens, width of a head)."""

    keys: Tensor
    values: Tensor

    def append(self, other: KVCache) -> KVCache:
        """A cache with the tokens of another after its own."""
        return KVCache(torch.cat([self.keys, other.keys], 2), torch.cat([self.values, other.values], 2))

    def slice(self, start: int, end: int) -> KVCache:
        """A cache of some of the tokens."""
        return KVCache(self.keys[:, :, start:end], self.values[:, :, start:end])


class TransformerLayer(nn.Module):
    """Multi-head attention and a feed-forward network, both with residuals and post-norm."""

    def __init__(self, width: int, heads: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key_value = nn.Linear(width, 2 * width)
        self.output = nn.Linear(width, width)
        self.feed_forward = nn.Sequential(
            nn.Linear(width, inner), nn.ReLU(), nn.Dropout(dropout), nn.Linear(inner, width)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.dropout = nn.Dropout(dropout)

    def cache(self, tokens: Tensor) -> KVCache:
        """The keys and values of tokens, (batch, tokens, width)."""
        keys, values = self.key_value(tokens).chunk(2, -1)
        return KVCache(self._split_heads(keys), self._split_heads(values))

    def forward(self, tokens: Tensor, cache: KVCache, mask: Tensor | None = None) -> Tensor:
        """Tokens, (batch, tokens, width), after attending to a cache.

        Args:
            tokens: Give the queries.
            cache: Keys and values, also those of the tokens themselves.
            mask: True where attention is allowed; broadcast to (batch, heads, tokens, cached tokens).
        """
        attended = functional.scaled_dot_product_attention(
            self._split_heads(self.query(tokens)), cache.keys, cache.values, attn_mask=mask
        )
        merged = self.output(attended.transpose(1, 2).flatten(2))
        tokens = self.norms[0](tokens + self.dropout(merged))
        found: Tensor = self.norms[1](tokens + self.dropout(self.feed_forward(tokens)))
        return found

    def _split_heads(self, tokens: Tensor) -> Tensor:
        """(batch, tokens, width) as (batch, heads, tokens, width of a head)."""
        return tokens.view(*tokens.shape[:2], self.heads, -1).transpose(1, 2)


def positional_encoding(positions: Tensor, width: int) -> Tensor:
    """Sinusoidal positional encoding, (..., width), interleaved and scaled by 1 / sqrt(width)."""
    rates = torch.exp(torch.arange(0, width, 2, device=positions.device) * (-9.2103 / width))
    angles = positions.unsqueeze(-1) * rates
    both: Tensor = torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)[..., :width]
    scaled: Tensor = both * width**-0.5
    return scaled


class Logits(NamedTuple):
    """Scores before the softmax."""

    actions: Tensor
    """(batch, steps, actions)."""
    objects: Tensor
    """(batch, steps, types of objects)."""


class EpisodeCache(NamedTuple):
    """What the fusion layers have taken in of an episode; all dialogues of a batch have one length."""

    language: list[KVCache]
    """Of each layer."""
    frames: list[KVCache]
    """Of each layer."""
    position: Tensor
    """(1,): of the next frame, counted from the first word."""


class FrameEncoder(nn.Module):
    """Feature maps to vectors: 1x1 convolutions and a linear layer."""

    def __init__(self, config: EtConfig, frame_shape: tuple[int, int, int]) -> None:
        super().__init__()
        channels, rows, columns = frame_shape
        channels //= config.averaged
        self.config = config
        self.channel_reduction = nn.Conv2d(channels, config.reduced, 1) if config.reduced else None
        self.channel_projection = nn.Conv2d(config.reduced or channels, config.squeezed, 1)
        self.frame_projection = nn.Linear(config.squeezed * rows * columns, config.width)
        self.frame_dropout = nn.Dropout(config.frame_dropout)

    def encode_frames(self, frames: Tensor) -> Tensor:
        """Feature maps, (frames, channels, rows, columns), as (frames, width); in bfloat16 while training."""
        frames = frames.to(torch.bfloat16 if self.training else torch.float32)
        with torch.autocast(frames.device.type, torch.bfloat16, enabled=self.training):
            if self.config.averaged > 1:
                frames = frames.reshape(len(frames), -1, self.config.averaged, *frames.shape[2:]).mean(2)
            frames = self.frame_dropout(frames)
            if self.channel_reduction is not None:
                frames = torch.relu(self.channel_reduction(frames))
            reduced = torch.relu(self.channel_projection(frames))
            found: Tensor = self.frame_projection(reduced.flatten(1))
        return found.float()


class EpisodicTransformer(FrameEncoder, Exportable):
    """Encodes the dialogue once, then frames and previous actions, all at once or step by step."""

    def __init__(self, config: EtConfig, vocabulary: int, frame_shape: tuple[int, int, int]) -> None:
        super().__init__(config, frame_shape)
        width = config.width
        self.frame_shape = frame_shape
        self.object_frames = FrameEncoder(config, frame_shape) if config.object_frames else None
        sizes = (width, config.heads, config.inner, config.dropout)
        self.word_embedding = nn.Embedding(vocabulary, width, padding_idx=0)
        self.language_layers = nn.ModuleList(TransformerLayer(*sizes) for _ in range(config.language_layers))
        self.no_frame = nn.Parameter(torch.zeros(width))
        self.action_embedding = nn.Embedding(len(ACTIONS) + 1, width)
        self.modality_embedding = nn.Embedding(3, width)
        self.layers = nn.ModuleList(TransformerLayer(*sizes) for _ in range(config.layers))
        self.action_projection = nn.Linear(width, width)
        self.object_head = nn.Linear(width, NOTHING)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, batch: Batch) -> Logits:
        """The logits of all steps at once, as in training."""
        language, padding = self._encode_language(batch.tokens)
        words, steps = language.shape[1], batch.previous_actions.shape[1]
        positions = torch.arange(words, words + steps, device=language.device)
        encoding = positional_encoding(positions, self.config.width)
        frames = self.no_frame.repeat(*batch.no_frame.shape, 1)
        if self.config.vision:
            frames[~batch.no_frame] = self.encode_frames(batch.frames)
        actions = self.action_embedding(batch.previous_actions)
        tokens = torch.cat(
            [language, self._embed(frames, encoding, FRAME), self._embed(actions, encoding, ACTION)], 1
        )
        mask = self._attention_mask(padding, steps)
        for layer in _layers(self.layers):
            tokens = layer(tokens, layer.cache(tokens), mask)
        found = tokens[:, words : words + steps]
        if self.object_frames is None or not self.config.vision:
            return self._logits(found, found)
        shown = torch.zeros_like(found)
        shown[~batch.no_frame] = self.object_frames.encode_frames(batch.frames)
        return self._logits(found, found + shown)

    def begin(self, tokens: Tensor) -> EpisodeCache:
        """Encode dialogues of one length, (batch, words), to continue step by step."""
        language, padding = self._encode_language(tokens)
        caches = []
        for layer in _layers(self.layers):
            caches.append(layer.cache(language))
            language = layer(language, caches[-1])
        empty = [each.slice(0, 0) for each in caches]
        return EpisodeCache(caches, empty, padding.shape[1] * torch.ones(1, dtype=torch.int64))

    def step(
        self, cache: EpisodeCache, frame: Tensor | None, previous_action: Tensor
    ) -> tuple[Logits, EpisodeCache]:
        """The logits of one step, and the cache after it.

        Args:
            cache: Of the steps before.
            frame: Its feature map, (batch, channels, rows, columns); None for a step of the history.
            previous_action: (batch,).
        """
        encoding = positional_encoding(cache.position, self.config.width)
        if frame is None or not self.config.vision:
            seen = self.no_frame.repeat(len(previous_action), 1)
        else:
            seen = self.encode_frames(frame)
        action = self._embed(self.action_embedding(previous_action.unsqueeze(1)), encoding, ACTION)
        tokens = torch.cat([self._embed(seen.unsqueeze(1), encoding, FRAME), action], 1)
        frames = []
        for layer, language, earlier in zip(_layers(self.layers), cache.language, cache.frames, strict=True):
            new = layer.cache(tokens)
            frames.append(earlier.append(new.slice(0, 1)))
            tokens = layer(tokens, language.append(frames[-1]).append(new.slice(1, 2)))
        touching = found = tokens[:, :1]
        if self.object_frames is not None and frame is not None and self.config.vision:
            touching = found + self.object_frames.encode_frames(frame).unsqueeze(1)
        return self._logits(found, touching), EpisodeCache(cache.language, frames, cache.position + 1)

    def entry_points(self) -> Mapping[str, EntryPoint]:
        """`begin` encodes the dialogue; `step` takes a frame's features, `step_without_frame` none."""
        tokens = torch.ones(1, 2, dtype=torch.int64)
        cache = self.begin(tokens)
        for _ in range(2):
            _, cache = self.step(cache, None, torch.tensor([START]))
        inputs = {**_flatten(cache), "previous_action": torch.tensor([START])}
        dynamic = {name: (2,) for name in inputs if name.startswith(("language", "frames"))}
        frame = torch.zeros(1, *self.frame_shape)
        return {
            "begin": EntryPoint(
                lambda tokens: _flatten(self.begin(tokens)), {"tokens": tokens}, {"tokens": (1,)}
            ),
            "step_without_frame": EntryPoint(self._run_step, inputs, dynamic),
            "step": EntryPoint(self._run_step, {**inputs, "frame": frame}, dynamic),
        }

    def _run_step(
        self, previous_action: Tensor, frame: Tensor | None = None, **cache: Tensor
    ) -> dict[str, Tensor]:
        logits, after = self.step(_unflatten(cache, self.config.layers), frame, previous_action)
        changed = {name: each for name, each in _flatten(after).items() if not name.startswith("language")}
        return {"actions": logits.actions[0, 0], "objects": logits.objects[0, 0], **changed}

    def _encode_language(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """Word states, (batch, words, width), and where words are padding, (batch, words)."""
        padding = tokens == 0
        positions = torch.arange(tokens.shape[1], device=tokens.device)
        encoding = positional_encoding(positions, self.config.width)
        language = self._embed(self.word_embedding(tokens), encoding, LANGUAGE)
        for layer in _layers(self.language_layers):
            language = layer(language, layer.cache(language), (~padding)[:, None, None])
        return language, padding

    def _embed(self, tokens: Tensor, encoding: Tensor, modality: int) -> Tensor:
        """Tokens with their positional encoding and modality embedding."""
        found: Tensor = self.dropout(tokens + encoding + self.modality_embedding.weight[modality])
        return found

    def _attention_mask(self, padding: Tensor, steps: int) -> Tensor:
        """Which token may attend to which, (batch, 1, tokens, tokens): words, frames, then actions."""
        words = padding.shape[1]
        device = padding.device
        causal = torch.ones(steps, steps, dtype=torch.bool, device=device).tril()
        same = torch.eye(steps, dtype=torch.bool, device=device)
        mask = torch.zeros(words + 2 * steps, words + 2 * steps, dtype=torch.bool, device=device)
        mask[:, :words] = True
        for start in (words, words + steps):
            mask[start : start + steps, words : words + steps] = causal
            mask[start : start + steps, words + steps :] = same
        shown = functional.pad(~padding, (0, 2 * steps), value=True)
        return mask[None, None] & shown[:, None, None]

    def _logits(self, frames: Tensor, touching: Tensor) -> Logits:
        """Logits of frame states, (batch, steps, width), those of objects from states of their own.

        Actions share their embedding's weights.
        """
        actions = self.action_projection(frames) @ self.action_embedding.weight[: len(ACTIONS)].T
        return Logits(actions, self.object_head(touching))


def _layers(layers: nn.ModuleList) -> list[TransformerLayer]:
    return [layer for layer in layers if isinstance(layer, TransformerLayer)]


def _flatten(cache: EpisodeCache) -> dict[str, Tensor]:
    """A cache as tensors by name, such as `frames_keys_0`."""
    found = {
        f"{name}_{what}_{number}": tensor
        for name, layers in {"language": cache.language, "frames": cache.frames}.items()
        for number, layer in enumerate(layers)
        for what, tensor in layer._asdict().items()
    }
    return {**found, "position": cache.position}


def _unflatten(tensors: Mapping[str, Tensor], layers: int) -> EpisodeCache:
    """The inverse of `_flatten`."""
    language, frames = (
        [
            KVCache(tensors[f"{name}_keys_{number}"], tensors[f"{name}_values_{number}"])
            for number in range(layers)
        ]
        for name in ("language", "frames")
    )
    return EpisodeCache(language, frames, tensors["position"])


def network(folder: Path, card: Card) -> EpisodicTransformer:
    """Build the network of a checkpoint, without its weights."""
    config = read_config(folder, card, EtConfig)
    return EpisodicTransformer(
        config, len(card.vocabulary["words"]), encoder_of(config.encoder, folder).shape
    )
