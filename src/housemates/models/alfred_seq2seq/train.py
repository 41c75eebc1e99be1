"""Cloning demonstrations: actions, masks, and how far along they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from housemates.models.alfred_seq2seq.config import Seq2SeqConfig
from housemates.models.alfred_seq2seq.data import Demonstrations
from housemates.models.alfred_seq2seq.model import Batch, Seq2Seq, Told, batch_of
from housemates.models.learning import Learner
from housemates.models.seeing import carried_by, encoder_of
from housemates.models.vocabulary import Vocabulary

VALIDATED, PORTION = 160, 8
"""Examples of validation that are looked at."""


class AlfredLearner(Learner[Seq2SeqConfig]):
    """Demonstrations of the training split, with each person's words."""

    watched = "accuracy"
    net: Seq2Seq

    def __init__(self, config: Seq2SeqConfig, data: Path) -> None:
        super().__init__(config, data)
        self.encoder = encoder = encoder_of(config.encoder)
        self.train = Demonstrations(data, "train", config, encoder, config.limit)
        self.valid = Demonstrations(data, "valid_seen", config, encoder, VALIDATED)
        self.words = Vocabulary.of((self.train.tokens(number) for number in range(len(self.train))), least=2)
        self.net = Seq2Seq(config, len(self.words), encoder.shape)

    @property
    def count(self) -> int:
        """Demonstrations with each person's words."""
        return len(self.train)

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """The words."""
        return {"words": self.words.names}

    def carried(self) -> Mapping[str, Path]:
        """What makes features of pictures."""
        return carried_by(self.encoder)

    def loss(self, examples: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """Of actions, masks and monitors."""
        batch = self.batch(self.train, examples)
        told = self.net(batch)
        kept = batch.actions >= 0
        loss = functional.cross_entropy(told.action[kept], batch.actions[kept])
        loss = loss + self.config.mask_weight * self._pointing(told, batch)
        if self.config.progress:
            loss = loss + self.config.progress_weight * _apart(told.progress, batch.along, kept)
        if self.config.subgoals:
            loss = loss + self.config.subgoal_weight * _apart(told.subgoals, batch.done, kept)
        return loss, {"accuracy": _accuracy(told, batch)}

    def validate(self) -> Mapping[str, float]:
        """The share of actions that are as the expert's, given all that came before."""
        found = []
        for start in range(0, min(VALIDATED, len(self.valid)), PORTION):
            numbers = np.arange(start, min(start + PORTION, VALIDATED, len(self.valid)))
            batch = self.batch(self.valid, numbers)
            found.append(_accuracy(self.net(batch), batch))
        return {"accuracy": float(np.mean(found))}

    def batch(self, split: Demonstrations, numbers: NDArray[np.int64]) -> Batch:
        """Examples side by side."""
        made = batch_of([split.example(int(number), self.words) for number in numbers])
        device = next(self.net.parameters()).device
        return Batch(*(each.to(device) for each in made))

    def _pointing(self, told: Told, batch: Batch) -> Tensor:
        """Of masks where something is pointed at; cells of the thing and of the rest count the same."""
        pointed = batch.masks.sum(-1) > 0
        if not bool(pointed.any()):
            return told.action.sum() * 0.0
        scores, wanted = self.net.masks(told.inner[pointed]), batch.masks[pointed]
        each = functional.binary_cross_entropy_with_logits(scores, wanted, reduction="none")
        inside = (each * wanted).sum(1) / wanted.sum(1)
        outside = (each * (1 - wanted)).sum(1) / (1 - wanted).sum(1).clamp(min=1)
        return (inside + outside).mean()


def _apart(scores: Tensor, wanted: Tensor, kept: Tensor) -> Tensor:
    """How far a monitor is from what it should tell."""
    return functional.mse_loss(torch.sigmoid(scores[kept]), wanted[kept])


def _accuracy(told: Told, batch: Batch) -> float:
    kept = batch.actions >= 0
    return (told.action.argmax(-1) == batch.actions)[kept].float().mean().item()
