"""Cloning the expert's commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from housemates.models.handmethat_seq2seq.config import Seq2SeqConfig
from housemates.models.handmethat_seq2seq.data import PAD, Episodes, open_splits
from housemates.models.handmethat_seq2seq.model import Batch, Seq2Seq, collate
from housemates.models.learner import Learner

VALIDATED = 1000
"""Episodes of the validation split that are looked at."""


class Seq2SeqLearner(Learner[Seq2SeqConfig]):
    """Episodes of the training split; the best weights write most of validation's without a mistake."""

    watched = "episodes"
    rows = MappingProxyType({"words": ("embed.weight", "words.weight", "words.bias")})

    def __init__(self, config: Seq2SeqConfig, data: Path) -> None:
        super().__init__(config, data)
        self.words, (self.train, self.valid) = open_splits(data, config, ("train", "validation"))
        self.net = Seq2Seq(config, len(self.words))

    @property
    def count(self) -> int:
        """Episodes of the training split."""
        return len(self.train)

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """The words."""
        return {"words": self.words.names}

    def loss(self, examples: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """The mean over tokens."""
        batch = self.batch(self.train, examples)
        found = self.net(batch)
        kept = batch.targets != PAD
        loss = functional.cross_entropy(
            found[kept], batch.targets[kept], label_smoothing=self.config.smoothing
        )
        accuracy = (found.argmax(-1) == batch.targets)[kept].float().mean()
        return loss, {"accuracy": accuracy.item()}

    def validate(self) -> Mapping[str, float]:
        """Shares of commands, and of episodes all of whose commands, are written as the expert's."""
        commands, episodes = [], []
        for start in range(0, min(VALIDATED, len(self.valid)), 64):
            numbers = np.arange(start, min(start + 64, VALIDATED, len(self.valid)))
            batch = self.batch(self.valid, numbers)
            wrong = (self.net(batch).argmax(-1) != batch.targets) & (batch.targets != PAD)
            right, there = ~wrong.any(-1), batch.spans[..., 1] > 0
            commands.append(right[there])
            episodes.append((right | ~there).all(-1))
        return {
            "commands": torch.cat(commands).float().mean().item(),
            "episodes": torch.cat(episodes).float().mean().item(),
        }

    def batch(self, split: Episodes, numbers: NDArray[np.int64]) -> Batch:
        """Episodes of a split side by side."""
        batch = collate([split.example(int(number)) for number in numbers])
        device = next(self.net.parameters()).device
        return Batch(*(each.to(device) for each in batch))
