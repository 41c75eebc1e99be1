"""The network: texts and a command are encoded apart, and a small network values them together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_sequence

from housemates.models.handmethat_drrn.config import DrrnConfig
from housemates.models.handmethat_drrn.data import TEXTS, Numbers

Rows = Sequence[Sequence[Numbers]]


class Drrn(nn.Module):
    """Values of commands: one encoder for each kind of text and one for commands."""

    def __init__(self, config: DrrnConfig, vocabulary: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocabulary, config.embedding, padding_idx=0)
        make = Recurrent if config.encoder == "recurrent" else Bag
        self.readers = nn.ModuleList(make(config) for _ in range(TEXTS + 1))
        self.hidden = nn.Linear((TEXTS + 1) * config.width, config.width)
        self.value = nn.Linear(config.width, 1)

    def forward(
        self, texts: Sequence[Sequence[Numbers]], commands: Sequence[Sequence[Numbers]]
    ) -> list[Tensor]:
        """For each situation, the values of its commands."""
        counts = [len(each) for each in commands]
        kinds = [[each[kind] for each in texts] for kind in range(TEXTS)]
        read = torch.cat([self._read(kind, rows) for kind, rows in enumerate(kinds)], -1)
        done = self._read(TEXTS, [command for each in commands for command in each])
        wide = read.repeat_interleave(torch.tensor(counts, device=read.device), 0)
        values = self.value(torch.relu(self.hidden(torch.cat([wide, done], -1)))).squeeze(-1)
        return list(torch.split(values, counts))

    def _read(self, kind: int, rows: Sequence[Numbers]) -> Tensor:
        found: Tensor = self.readers[kind](rows, self.embed)
        return found


class Recurrent(nn.Module):
    """The last state of a GRU, as in the paper."""

    def __init__(self, config: DrrnConfig) -> None:
        super().__init__()
        self.gru = nn.GRU(config.embedding, config.width)

    def forward(self, rows: Sequence[Numbers], embed: nn.Embedding) -> Tensor:
        """Texts -> texts x width."""
        device = embed.weight.device
        tensors = [embed(torch.from_numpy(row.astype(np.int64)).to(device)) for row in rows]
        _, last = self.gru(pack_sequence(tensors, enforce_sorted=False))
        found: Tensor = last[0]
        return found


class Bag(nn.Module):
    """A linear map of the sum of all words, less for long texts."""

    def __init__(self, config: DrrnConfig) -> None:
        super().__init__()
        self.map = nn.Linear(config.embedding, config.width)

    def forward(self, rows: Sequence[Numbers], embed: nn.Embedding) -> Tensor:
        """Texts -> texts x width."""
        counts = np.zeros((len(rows), embed.num_embeddings), np.float32)
        for count, row in zip(counts, rows, strict=True):
            np.add.at(count, row, len(row) ** -0.5)
        return torch.relu(self.map(torch.from_numpy(counts).to(embed.weight.device) @ embed.weight))
