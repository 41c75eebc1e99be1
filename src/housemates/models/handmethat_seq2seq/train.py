"""Behaviour cloning of the expert's commands, token by token."""

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

VALIDATION_EPISODES, VALIDATION_BATCH = 1000, 64


class Seq2SeqLearner(Learner[Seq2SeqConfig]):
    """Learns from the episodes of `train`; monitors the share of `validation` written without a mistake."""

    monitor = "episodes"
    vocabulary_rows = MappingProxyType(
        {"words": ("embedding.weight", "token_head.weight", "token_head.bias")}
    )

    def __init__(self, config: Seq2SeqConfig, data: Path) -> None:
        super().__init__(config, data)
        self.words, (self.train, self.valid) = open_splits(data, config, ("train", "validation"))
        self.net = Seq2Seq(config, len(self.words))

    @property
    def count(self) -> int:
        """Episodes of the training split."""
        return len(self.train)

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """The words of the training split."""
        return {"words": self.words.names}

    def loss(self, examples: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """Mean cross-entropy of the tokens of commands, with label smoothing."""
        batch = self.batch(self.train, examples)
        logits = self.net(batch)
        present = batch.targets != PAD
        loss = functional.cross_entropy(
            logits[present], batch.targets[present], label_smoothing=self.config.smoothing
        )
        accuracy = (logits.argmax(-1) == batch.targets)[present].float().mean()
        return loss, {"accuracy": accuracy.item()}

    def validate(self) -> Mapping[str, float]:
        """Shares of commands, and of episodes, all of whose tokens are the expert's (teacher-forced)."""
        commands, episodes = [], []
        for start in range(0, min(VALIDATION_EPISODES, len(self.valid)), VALIDATION_BATCH):
            numbers = np.arange(start, min(start + VALIDATION_BATCH, VALIDATION_EPISODES, len(self.valid)))
            batch = self.batch(self.valid, numbers)
            wrong = (self.net(batch).argmax(-1) != batch.targets) & (batch.targets != PAD)
            right, present = ~wrong.any(-1), batch.spans[..., 1] > 0
            commands.append(right[present])
            episodes.append((right | ~present).all(-1))
        return {
            "commands": torch.cat(commands).float().mean().item(),
            "episodes": torch.cat(episodes).float().mean().item(),
        }

    def batch(self, split: Episodes, numbers: NDArray[np.int64]) -> Batch:
        """Episodes of a split as a batch on the network's device."""
        batch = collate([split.example(int(number)) for number in numbers])
        device = next(self.net.parameters()).device
        return Batch(*(each.to(device) for each in batch))
