"""The Deep Reinforcement Relevance Network (DRRN), all of it: Q-values of texts and commands."""

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
    """Q-values of commands: an encoder for each kind of text and one for commands, then a hidden layer."""

    def __init__(self, config: DrrnConfig, vocabulary: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, config.embedding, padding_idx=0)
        encoder = GruEncoder if config.encoder == "recurrent" else BagEncoder
        self.encoders = nn.ModuleList(encoder(config) for _ in range(TEXTS + 1))
        self.hidden = nn.Linear((TEXTS + 1) * config.width, config.width)
        self.q_value = nn.Linear(config.width, 1)

    def forward(
        self, texts: Sequence[Sequence[Numbers]], commands: Sequence[Sequence[Numbers]]
    ) -> list[Tensor]:
        """For each state the Q-values of its commands, (commands,).

        Args:
            texts: For each state its texts.
            commands: For each state its commands.
        """
        counts = [len(each) for each in commands]
        kinds = [[each[kind] for each in texts] for kind in range(TEXTS)]
        state = torch.cat([self._encode(kind, rows) for kind, rows in enumerate(kinds)], -1)
        command = self._encode(TEXTS, [command for each in commands for command in each])
        state = state.repeat_interleave(torch.tensor(counts, device=state.device), 0)
        values = self.q_value(torch.relu(self.hidden(torch.cat([state, command], -1)))).squeeze(-1)
        return list(torch.split(values, counts))

    def _encode(self, kind: int, rows: Sequence[Numbers]) -> Tensor:
        found: Tensor = self.encoders[kind](rows, self.embedding)
        return found


class GruEncoder(nn.Module):
    """The last hidden state of a GRU, as in the paper."""

    def __init__(self, config: DrrnConfig) -> None:
        super().__init__()
        self.gru = nn.GRU(config.embedding, config.width)

    def forward(self, rows: Sequence[Numbers], embedding: nn.Embedding) -> Tensor:
        """Encode texts of any lengths as (texts, width)."""
        device = embedding.weight.device
        tensors = [embedding(torch.from_numpy(row.astype(np.int64)).to(device)) for row in rows]
        _, last = self.gru(pack_sequence(tensors, enforce_sorted=False))
        found: Tensor = last[0]
        return found


class BagEncoder(nn.Module):
    """A linear layer over the sum of token embeddings divided by sqrt(tokens)."""

    def __init__(self, config: DrrnConfig) -> None:
        super().__init__()
        self.linear = nn.Linear(config.embedding, config.width)

    def forward(self, rows: Sequence[Numbers], embedding: nn.Embedding) -> Tensor:
        """Encode texts of any lengths as (texts, width)."""
        counts = np.zeros((len(rows), embedding.num_embeddings), np.float32)
        for count, row in zip(counts, rows, strict=True):
            np.add.at(count, row, len(row) ** -0.5)
        return torch.relu(
            self.linear(torch.from_numpy(counts).to(embedding.weight.device) @ embedding.weight)
        )
