"""HandMeThat's Seq2Seq, all of it: encoders of story and stream, and a decoder of commands.

The story is read in both directions, the stream of texts and commands in one, so that a longer stream never
changes what its beginning was encoded as. Attention starts from the identity (`_initialise_alike`): the
stream and the decoder attend to units with the same words from the first step of training.
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

from housemates.models.checkpoints import Card, read_config
from housemates.models.handmethat_seq2seq.config import Seq2SeqConfig
from housemates.models.handmethat_seq2seq.data import END, PAD, START, UNIT, WORDS, Example
from housemates.models.networks import EntryPoint, Exportable
from housemates.models.vocabulary import Vocabulary


class Batch(NamedTuple):
    """Episodes, padded to the longest."""

    story: Tensor
    """(batch, units, UNIT)."""
    stream: Tensor
    """(batch, units, UNIT)."""
    inputs: Tensor
    """(batch, commands, tokens): each command after a start."""
    targets: Tensor
    """(batch, commands, tokens): each command before an end."""
    spans: Tensor
    """(batch, commands, 2): the stream's units of the text before each command; an end of 0 is padding."""


def collate(examples: Sequence[Example]) -> Batch:
    """Pad examples to a batch."""
    commands = max(len(each.commands) for each in examples)
    longest = max(len(command) for each in examples for command in each.commands) + 1
    inputs = np.zeros((len(examples), commands, longest), np.int64)
    targets = np.zeros_like(inputs)
    spans = np.zeros((len(examples), commands, 2), np.int64)
    for row, each in enumerate(examples):
        spans[row, : len(each.spans)] = each.spans
        for number, command in enumerate(each.commands):
            inputs[row, number, : len(command) + 1] = [START, *command]
            targets[row, number, : len(command) + 1] = [*command, END]
    texts = [pad([each.story for each in examples]), pad([each.stream for each in examples])]
    return Batch(*(torch.from_numpy(each) for each in (*texts, inputs, targets, spans)))


def pad(rows: Sequence[np.ndarray]) -> np.ndarray:
    """Arrays of any length as one batch, with zeros after them."""
    found = np.zeros((len(rows), max(map(len, rows)), *rows[0].shape[1:]), np.int64)
    for number, row in enumerate(rows):
        found[number, : len(row)] = row
    return found


class Encoded(NamedTuple):
    """The encoded story and stream."""

    story: Tensor
    """(batch, units, width)."""
    story_padding: Tensor
    """(batch, units)."""
    summary: Tensor
    """(batch, width): the mean of the story."""
    stream: Tensor
    """(batch, units, width)."""
    stream_sums: Tensor
    """(batch, units + 1, width): sums of the stream up to each unit."""


class Seq2Seq(nn.Module, Exportable):
    """A GRU encoder of the story, attention from the stream to it, a GRU decoder that can copy."""

    def __init__(self, config: Seq2SeqConfig, vocabulary: int) -> None:
        super().__init__()
        width = config.width
        self.config = config
        self.embedding = nn.Embedding(vocabulary, config.embedding, padding_idx=PAD)
        self.projection = nn.Linear(config.embedding, width)
        phrases = config.encoder == "phrases"
        self.place_projection = nn.Linear(2 * config.embedding, width, bias=False) if phrases else None
        self.story_encoder = nn.GRU(width, width // 2, batch_first=True, bidirectional=True)
        self.stream_encoder = None if phrases else EncoderBlock(config)
        self.stream_query = nn.Linear(width, width, bias=False)
        self.fusion = nn.Sequential(nn.Linear(3 * width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width))
        self.norm = nn.LayerNorm(width)
        self.initial_state = nn.Linear(2 * width, width)
        self.decoder = nn.GRU(width, width, batch_first=True)
        self.story_query = nn.Linear(width, width, bias=False)
        self.first_query = nn.Linear(2 * width, width, bias=False)
        self.second_query = nn.Linear(3 * width, width, bias=False)
        self.merge = nn.Linear(4 * width, 2 * width)
        self.token_head = nn.Linear(2 * width, vocabulary)
        self.copy_weight = nn.Parameter(torch.tensor(0.1))
        self.dropout = nn.Dropout(config.dropout)
        self._initialise_alike()

    @torch.no_grad()
    def _initialise_alike(self) -> None:
        """Initialise projections and queries with the identity, so that equal words attend to each other."""
        width = self.config.width
        same = torch.eye(width)
        for layer in (self.projection, self.stream_query):
            nn.init.eye_(layer.weight)
        self.first_query.weight[:, width:] += same
        self.second_query.weight[:, 2 * width :] += same
        if self.place_projection is not None:
            for part in self.place_projection.weight.chunk(2, 1):
                nn.init.eye_(part).mul_(0.5)

    def forward(self, batch: Batch) -> Tensor:
        """The logits of all targets, (batch, commands, tokens, vocabulary), by teacher forcing."""
        return self.decode(self.encode(batch.story, batch.stream), batch.inputs, batch.spans)

    def encode(self, story: Tensor, stream: Tensor) -> Encoded:
        """Encode the story, and the stream with attention to it; both (batch, units, UNIT)."""
        told, padding, summary = self._encode_story(story)
        units = self._embed_units(stream)
        attended = _attend(self.stream_query(units), told, padding.unsqueeze(1))
        found = self.norm(units + self.fusion(torch.cat([units, attended, units * attended], -1)))
        if self.stream_encoder is not None:
            found = self.stream_encoder(found)
        sums = functional.pad(found.cumsum(1), (0, 0, 1, 0))
        return Encoded(told, padding, summary, found, sums)

    def decode(self, encoded: Encoded, inputs: Tensor, spans: Tensor) -> Tensor:
        """The logits of each next token, (batch, commands, tokens, vocabulary).

        The decoder starts from the story's summary and the mean of the newest text. Each token attends to the
        story once and to the stream twice, and what it attends to adds to the logits of the same words
        (copying).

        Args:
            encoded: Story and stream.
            inputs: (batch, commands, tokens).
            spans: (batch, commands, 2): the newest text; later units are hidden.
        """
        examples, commands, longest = inputs.shape
        rows = torch.arange(examples, device=inputs.device).unsqueeze(1)
        starts, ends = spans[..., 0], spans[..., 1]
        count = (ends - starts).clamp(min=1).unsqueeze(-1)
        newest = (encoded.stream_sums[rows, ends] - encoded.stream_sums[rows, starts]) / count
        summary = encoded.summary.unsqueeze(1).expand(-1, commands, -1)
        state = torch.tanh(self.initial_state(torch.cat([newest, summary], -1)))
        embedded = self.dropout(self.projection(self.embedding(inputs))).flatten(0, 1)
        decoded, _ = self.decoder(embedded, state.flatten(0, 1).unsqueeze(0))
        decoded = decoded.reshape(examples, commands * longest, -1)
        story = _attend(self.story_query(decoded), encoded.story, encoded.story_padding.unsqueeze(1))
        unread = torch.arange(encoded.stream.shape[1], device=inputs.device) >= ends.unsqueeze(-1)
        unread[..., 0] = False
        hidden = unread.unsqueeze(2).expand(-1, -1, longest, -1).flatten(1, 2)
        parts = [decoded, story]
        for query in (self.first_query, self.second_query):
            parts.append(_attend(query(torch.cat(parts, -1)), encoded.stream, hidden))
        merged = self.dropout(torch.tanh(self.merge(torch.cat(parts, -1))))
        copied = (parts[-1] + parts[-2]) @ self.projection(self.embedding.weight).T
        logits: Tensor = self.token_head(merged) + self.copy_weight * copied
        return logits.reshape(examples, commands, longest, -1)

    def entry_points(self) -> Mapping[str, EntryPoint]:
        """`encode` takes story and stream so far; `decode` gives the logits of a command's next token."""
        sizes = {"story": 5, "stream": 7}
        texts = {name: torch.ones(1, size, UNIT, dtype=torch.long) for name, size in sizes.items()}
        command = {"inputs": torch.full((1, 1, 2), START), "spans": torch.tensor([[[2, 7]]])}
        dynamic = dict.fromkeys(("story", "story_padding", "stream", "stream_sums"), (1,))
        encoded = self.encode(**texts)._asdict()
        return {
            "encode": EntryPoint(
                lambda **inputs: self.encode(**inputs)._asdict(), texts, dict.fromkeys(texts, (1,))
            ),
            "decode": EntryPoint(self._run_decode, {**encoded, **command}, {**dynamic, "inputs": (2,)}),
        }

    def _run_decode(self, inputs: Tensor, spans: Tensor, **encoded: Tensor) -> dict[str, Tensor]:
        return {"logits": self.decode(Encoded(**encoded), inputs, spans)[0, 0, -1]}

    def _embed_units(self, text: Tensor) -> Tensor:
        """(batch, units, width) of (batch, units, UNIT): words plus, for phrases, their places."""
        found: Tensor = self.projection(self._bag(text[:, :, :WORDS]))
        if self.place_projection is not None:
            head, place = self._bag(text[:, :, WORDS:-1]), self._bag(text[:, :, -1:])
            found = found + self.place_projection(torch.cat([head, place], -1))
        dropped: Tensor = self.dropout(found)
        return dropped

    def _bag(self, words: Tensor) -> Tensor:
        """The sum of word embeddings of each unit; counts times weights is faster than a lookup."""
        counts = torch.zeros(*words.shape[:2], self.embedding.num_embeddings, device=words.device)
        counts.scatter_add_(2, words, (words != PAD).to(counts.dtype))
        return counts @ self.embedding.weight

    def _encode_story(self, story: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The story's units, (batch, units, width), where they are padding, and their mean."""
        padding = story[:, :, 0] == PAD
        lengths = (~padding).sum(1)
        units = self._embed_units(story)
        found = (units + self.dropout(self._bidirectional(units, lengths))) * (~padding).unsqueeze(-1)
        return found, padding, found.sum(1) / lengths.unsqueeze(1)

    def _bidirectional(self, units: Tensor, lengths: Tensor) -> Tensor:
        """The GRU's states in both directions; a batch of one has no padding and is not packed."""
        if units.shape[0] == 1:
            alone: Tensor = self.story_encoder(units)[0]
            return alone
        packed = pack_padded_sequence(units, lengths.cpu(), batch_first=True, enforce_sorted=False)
        return pad_packed_sequence(self.story_encoder(packed)[0], True, total_length=units.shape[1])[0]


class EncoderBlock(nn.Module):
    """The paper's encoder block: depthwise separable convolutions, attention, feed-forward network.

    Convolutions and the one attention head are causal; all have pre-norm and residuals.
    """

    def __init__(self, config: Seq2SeqConfig) -> None:
        super().__init__()
        width, layers = config.width, range(config.convolutions)
        self.kernel = config.kernel
        self.depthwise = nn.ModuleList(nn.Conv1d(width, width, config.kernel, groups=width) for _ in layers)
        self.pointwise = nn.ModuleList(nn.Linear(width, width) for _ in layers)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(config.convolutions + 2))
        self.attention = nn.MultiheadAttention(width, 1, dropout=config.dropout, batch_first=True)
        self.feed_forward = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))

    def forward(self, tokens: Tensor) -> Tensor:
        """Encode tokens, (batch, tokens, width)."""
        length = tokens.shape[1]
        found = tokens + _positional_encoding(length, tokens.shape[2], tokens.device)
        for norm, depthwise, pointwise in zip(self.norms, self.depthwise, self.pointwise, strict=False):
            padded = functional.pad(norm(found).transpose(1, 2), (self.kernel - 1, 0))
            found = found + torch.relu(pointwise(depthwise(padded).transpose(1, 2)))
        later = torch.ones(length, length, dtype=torch.bool, device=tokens.device).triu(1)
        normed = self.norms[-2](found)
        found = found + self.attention(normed, normed, normed, attn_mask=later, need_weights=False)[0]
        encoded: Tensor = found + self.feed_forward(self.norms[-1](found))
        return encoded


def _positional_encoding(length: int, width: int, device: torch.device) -> Tensor:
    """Sinusoidal positional encoding, (length, width), interleaved."""
    position = torch.arange(length, device=device).unsqueeze(1)
    rate = torch.exp(torch.arange(0, width, 2, device=device) * (-np.log(10000.0) / width))
    return torch.stack([torch.sin(position * rate), torch.cos(position * rate)], -1).flatten(1)[:, :width]


def _attend(query: Tensor, value: Tensor, hidden: Tensor) -> Tensor:
    """Scaled dot-product attention with values as keys, (batch, queries, width); `hidden` is left out."""
    scores = query @ value.transpose(1, 2) / value.shape[-1] ** 0.5
    return functional.softmax(scores.masked_fill(hidden, -1e9), -1) @ value


def network(folder: Path, card: Card) -> Seq2Seq:
    """Build the network of a checkpoint, without its weights."""
    words = Vocabulary(card.vocabulary["words"])
    return Seq2Seq(read_config(folder, card, Seq2SeqConfig), len(words))
