"""Cloning the recorded followers' actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from housemates.models.cerealbar_plan.data import Corpus
from housemates.models.cerealbar_plan.model import Batch, batch_of, moved_to
from housemates.models.cerealbar_seq2seq.config import Seq2SeqConfig
from housemates.models.cerealbar_seq2seq.model import Seq2Seq
from housemates.models.learner import Learner

VALIDATED, PORTION = 600, 64


class Seq2SeqLearner(Learner[Seq2SeqConfig]):
    """Instructions of the training games; the best weights give most of validation's actions."""

    watched = "accuracy"

    def __init__(self, config: Seq2SeqConfig, data: Path) -> None:
        super().__init__(config, data)
        self.corpus = Corpus(data)
        self.train, self.valid = self.corpus.halves(config.held_out)
        self.net = Seq2Seq(config, len(self.corpus.vocabulary))

    @property
    def count(self) -> int:
        """Instructions."""
        return len(self.train)

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """The words."""
        return {"words": self.corpus.vocabulary.names}

    def loss(self, examples: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """The mean over actions."""
        batch = self.batch([self.train[number] for number in examples])
        scores, kept = self.net(batch.world, batch.before), batch.actions >= 0
        loss = functional.cross_entropy(scores[kept], batch.actions[kept])
        accuracy = (scores[kept].argmax(-1) == batch.actions[kept]).float().mean()
        return loss, {"accuracy": accuracy.item()}

    def validate(self) -> Mapping[str, float]:
        """Shares of actions, and of instructions all of whose actions, are as recorded."""
        actions, whole = [], []
        for start in range(0, min(VALIDATED, len(self.valid)), PORTION):
            batch = self.batch(self.valid[start : start + PORTION])
            right = self.net(batch.world, batch.before).argmax(-1) == batch.actions
            kept = batch.actions >= 0
            actions += right[kept].tolist()
            whole += (right | ~kept).all(1).tolist()
        return {"accuracy": float(np.mean(actions)), "instructions": float(np.mean(whole))}

    def batch(self, numbers: Sequence[int]) -> Batch:
        """Instructions side by side."""
        made = batch_of([self.corpus[number] for number in numbers], self.config.reach)
        return moved_to(made, next(self.net.parameters()).device)
