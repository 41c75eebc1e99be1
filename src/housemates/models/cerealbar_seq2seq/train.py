"""Behaviour cloning of the recorded followers' actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from housemates.models.cerealbar_plan.data import Corpus
from housemates.models.cerealbar_plan.model import Batch, collate, moved_to
from housemates.models.cerealbar_seq2seq.config import Seq2SeqConfig
from housemates.models.cerealbar_seq2seq.model import Seq2Seq
from housemates.models.learner import Learner

VALIDATION_EXAMPLES, VALIDATION_BATCH = 600, 64


class Seq2SeqLearner(Learner[Seq2SeqConfig]):
    """Learns from the instructions of recorded games; monitors the accuracy of actions in held-out ones."""

    monitor = "accuracy"

    def __init__(self, config: Seq2SeqConfig, data: Path) -> None:
        super().__init__(config, data)
        self.corpus = Corpus(data)
        self.train, self.valid = self.corpus.split(config.held_out)
        self.net = Seq2Seq(config, len(self.corpus.vocabulary))

    @property
    def count(self) -> int:
        """Instructions of the training games."""
        return len(self.train)

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """The words that occur at least twice in the training games."""
        return {"words": self.corpus.vocabulary.names}

    def loss(self, examples: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """Mean cross-entropy of the recorded actions."""
        batch = self.batch([self.train[number] for number in examples])
        logits, present = self.net(batch.world, batch.previous_actions), batch.actions >= 0
        loss = functional.cross_entropy(logits[present], batch.actions[present])
        accuracy = (logits[present].argmax(-1) == batch.actions[present]).float().mean()
        return loss, {"accuracy": accuracy.item()}

    def validate(self) -> Mapping[str, float]:
        """Teacher-forced accuracy of actions, and the share of instructions with all actions right."""
        actions, whole = [], []
        for start in range(0, min(VALIDATION_EXAMPLES, len(self.valid)), VALIDATION_BATCH):
            batch = self.batch(self.valid[start : start + VALIDATION_BATCH])
            right = self.net(batch.world, batch.previous_actions).argmax(-1) == batch.actions
            present = batch.actions >= 0
            actions += right[present].tolist()
            whole += (right | ~present).all(1).tolist()
        return {"accuracy": float(np.mean(actions)), "instructions": float(np.mean(whole))}

    def batch(self, numbers: Sequence[int]) -> Batch:
        """Instructions as a batch on the network's device."""
        made = collate([self.corpus[number] for number in numbers], self.config.reach)
        return moved_to(made, next(self.net.parameters()).device)
