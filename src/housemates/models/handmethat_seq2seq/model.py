"""The network: the story and the stream are read and fused, commands are written token by token."""

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
from housemates.models.playable import Part, Playable
from housemates.models.vocabulary import Vocabulary

FAR = -1e9


class Batch(NamedTuple):
    """Examples side by side."""

    task: Tensor
    stream: Tensor
    """Examples x units x words."""
    inputs: Tensor
    """Examples x commands x tokens: the tokens of each command after a start."""
    targets: Tensor
    """The same, moved on by one, with an end."""
    spans: Tensor
    """Examples x commands x 2: where the last text began, and how much had been read; 0 is no command."""


def collate(examples: Sequence[Example]) -> Batch:
    """Examples as tensors, padded."""
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
    numbers = [padded([each.task for each in examples]), padded([each.stream for each in examples])]
    return Batch(*(torch.from_numpy(each) for each in (*numbers, inputs, targets, spans)))


class Read(NamedTuple):
    """What the network has read."""

    task: Tensor
    task_mask: Tensor
    summary: Tensor
    stream: Tensor
    totals: Tensor
    """Sums of the stream up to each unit."""


class Seq2Seq(Playable):
    """Reads the story in both directions and the stream in one, so that the past is never read again.

    Like words begin alike: what is read looks from the start at where the story has the same words.
    """

    def __init__(self, config: Seq2SeqConfig, vocabulary: int) -> None:
        super().__init__()
        width = config.width
        self.config = config
        self.embed = nn.Embedding(vocabulary, config.embedding, padding_idx=PAD)
        self.narrow = nn.Linear(config.embedding, width)
        phrases = config.encoder == "phrases"
        self.placed = nn.Linear(2 * config.embedding, width, bias=False) if phrases else None
        self.reader = nn.GRU(width, width // 2, batch_first=True, bidirectional=True)
        self.memory = None if phrases else Block(config)
        self.look = nn.Linear(width, width, bias=False)
        self.fuse = nn.Sequential(nn.Linear(3 * width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width))
        self.norm = nn.LayerNorm(width)
        self.begin = nn.Linear(2 * width, width)
        self.writer = nn.GRU(width, width, batch_first=True)
        self.ask_task = nn.Linear(width, width, bias=False)
        self.ask_first = nn.Linear(2 * width, width, bias=False)
        self.ask_again = nn.Linear(3 * width, width, bias=False)
        self.merge = nn.Linear(4 * width, 2 * width)
        self.words = nn.Linear(2 * width, vocabulary)
        self.copying = nn.Parameter(torch.tensor(0.1))
        self.drop = nn.Dropout(config.dropout)
        self._begin_alike()

    @torch.no_grad()
    def _begin_alike(self) -> None:
        """Let like words look at each other from the start, in the story, the stream and what is asked."""
        width = self.config.width
        same = torch.eye(width)
        for layer in (self.narrow, self.look):
            nn.init.eye_(layer.weight)
        self.ask_first.weight[:, width:] += same
        self.ask_again.weight[:, 2 * width :] += same
        if self.placed is not None:
            for part in self.placed.weight.chunk(2, 1):
                nn.init.eye_(part).mul_(0.5)

    def read(self, task: Tensor, stream: Tensor) -> Read:
        """Read the story, and the stream in its light."""
        told, mask, summary = self._told(task)
        local = self._units(stream)
        seen, _ = _attend(self.look(local), told, mask.unsqueeze(1))
        found = self.norm(local + self.fuse(torch.cat([local, seen, local * seen], -1)))
        if self.memory is not None:
            found = self.memory(found)
        totals = functional.pad(found.cumsum(1), (0, 0, 1, 0))
        return Read(told, mask, summary, found, totals)

    def write(self, read: Read, inputs: Tensor, spans: Tensor) -> Tensor:
        """Scores of each next token of commands: examples x commands x tokens x vocabulary."""
        examples, commands, longest = inputs.shape
        rows = torch.arange(examples, device=inputs.device).unsqueeze(1)
        since, limits = spans[..., 0], spans[..., 1]
        count = (limits - since).clamp(min=1).unsqueeze(-1)
        last = (read.totals[rows, limits] - read.totals[rows, since]) / count
        summary = read.summary.unsqueeze(1).expand(-1, commands, -1)
        state = torch.tanh(self.begin(torch.cat([last, summary], -1)))
        embedded = self.drop(self.narrow(self.embed(inputs))).flatten(0, 1)
        written, _ = self.writer(embedded, state.flatten(0, 1).unsqueeze(0))
        written = written.reshape(examples, commands * longest, -1)
        about, _ = _attend(self.ask_task(written), read.task, read.task_mask.unsqueeze(1))
        unread = torch.arange(read.stream.shape[1], device=inputs.device) >= limits.unsqueeze(-1)
        unread[..., 0] = False
        hidden = unread.unsqueeze(2).expand(-1, -1, longest, -1).flatten(1, 2)
        parts = [written, about]
        for ask in (self.ask_first, self.ask_again):
            parts.append(_attend(ask(torch.cat(parts, -1)), read.stream, hidden)[0])
        merged = self.drop(torch.tanh(self.merge(torch.cat(parts, -1))))
        copied = (parts[-1] + parts[-2]) @ self.narrow(self.embed.weight).T
        scores: Tensor = self.words(merged) + self.copying * copied
        return scores.reshape(examples, commands, longest, -1)

    def forward(self, batch: Batch) -> Tensor:
        """Scores of all targets' tokens."""
        return self.write(self.read(batch.task, batch.stream), batch.inputs, batch.spans)

    def parts(self) -> Mapping[str, Part]:
        """`read` takes in all texts so far; `write` scores the next token of a command."""
        sizes = {"task": 5, "stream": 7}
        texts = {name: torch.ones(1, size, UNIT, dtype=torch.long) for name, size in sizes.items()}
        command = {"inputs": torch.full((1, 1, 2), START), "spans": torch.tensor([[[2, 7]]])}
        free = dict.fromkeys(("task", "task_mask", "stream", "totals"), (1,))
        read = self.read(**texts)._asdict()
        return {
            "read": Part(lambda **given: self.read(**given)._asdict(), texts, dict.fromkeys(texts, (1,))),
            "write": Part(self._next, {**read, **command}, {**free, "inputs": (2,)}),
        }

    def _next(self, inputs: Tensor, spans: Tensor, **read: Tensor) -> dict[str, Tensor]:
        return {"scores": self.write(Read(**read), inputs, spans)[0, 0, -1]}

    def _units(self, text: Tensor) -> Tensor:
        found: Tensor = self.narrow(self._sum(text[:, :, :WORDS]))
        if self.placed is not None:
            head, place = self._sum(text[:, :, WORDS:-1]), self._sum(text[:, :, -1:])
            found = found + self.placed(torch.cat([head, place], -1))
        kept: Tensor = self.drop(found)
        return kept

    def _sum(self, words: Tensor) -> Tensor:
        """The sum of the embeddings of words; counts times weights is faster than picking rows."""
        counts = torch.zeros(*words.shape[:2], self.embed.num_embeddings, device=words.device)
        counts.scatter_add_(2, words, (words != PAD).to(counts.dtype))
        return counts @ self.embed.weight

    def _told(self, task: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The story, where it is padding, and its summary."""
        mask = task[:, :, 0] == PAD
        lengths = (~mask).sum(1)
        plain = self._units(task)
        found = (plain + self.drop(self._both_ways(plain, lengths))) * (~mask).unsqueeze(-1)
        return found, mask, found.sum(1) / lengths.unsqueeze(1)

    def _both_ways(self, plain: Tensor, lengths: Tensor) -> Tensor:
        """Read units forwards and backwards; an example alone has no padding."""
        if plain.shape[0] == 1:
            alone: Tensor = self.reader(plain)[0]
            return alone
        packed = pack_padded_sequence(plain, lengths.cpu(), batch_first=True, enforce_sorted=False)
        return pad_packed_sequence(self.reader(packed)[0], True, total_length=plain.shape[1])[0]


def network(folder: Path, card: Card) -> Seq2Seq:
    """The network of a checkpoint, without its weights."""
    words = Vocabulary(card.vocabulary["words"])
    return Seq2Seq(read_config(folder, card, Seq2SeqConfig), len(words))


class Block(nn.Module):
    """The paper's encoder: convolutions, self-attention with one head, a small network."""

    def __init__(self, config: Seq2SeqConfig) -> None:
        """Make its layers, which see nothing that comes later."""
        super().__init__()
        width, layers = config.width, range(config.convolutions)
        self.kernel = config.kernel
        self.apart = nn.ModuleList(nn.Conv1d(width, width, config.kernel, groups=width) for _ in layers)
        self.across = nn.ModuleList(nn.Linear(width, width) for _ in layers)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(config.convolutions + 2))
        self.attention = nn.MultiheadAttention(width, 1, dropout=config.dropout, batch_first=True)
        self.feed = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))

    def forward(self, given: Tensor) -> Tensor:
        """Examples x tokens x width, and the same again."""
        length = given.shape[1]
        found = given + _waves(length, given.shape[2], given.device)
        for norm, apart, across in zip(self.norms, self.apart, self.across, strict=False):
            near = apart(functional.pad(norm(found).transpose(1, 2), (self.kernel - 1, 0))).transpose(1, 2)
            found = found + torch.relu(across(near))
        later = torch.ones(length, length, dtype=torch.bool, device=given.device).triu(1)
        normed = self.norms[-2](found)
        found = found + self.attention(normed, normed, normed, attn_mask=later, need_weights=False)[0]
        refined: Tensor = found + self.feed(self.norms[-1](found))
        return refined


def _waves(length: int, width: int, device: torch.device) -> Tensor:
    """Sines and cosines that tell positions apart."""
    position = torch.arange(length, device=device).unsqueeze(1)
    rate = torch.exp(torch.arange(0, width, 2, device=device) * (-np.log(10000.0) / width))
    return torch.stack([torch.sin(position * rate), torch.cos(position * rate)], -1).flatten(1)[:, :width]


def _attend(queries: Tensor, values: Tensor, hidden: Tensor) -> tuple[Tensor, Tensor]:
    """What queries find among values, and how much of each."""
    scores = queries @ values.transpose(1, 2) / values.shape[-1] ** 0.5
    weights = functional.softmax(scores.masked_fill(hidden, FAR), -1)
    return weights @ values, weights


def padded(rows: Sequence[np.ndarray]) -> np.ndarray:
    """Rows of any length side by side, with zeros after them."""
    found = np.zeros((len(rows), max(map(len, rows)), *rows[0].shape[1:]), np.int64)
    for number, row in enumerate(rows):
        found[number, : len(row)] = row
    return found
