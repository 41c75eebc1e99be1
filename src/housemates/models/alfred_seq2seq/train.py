"""Behaviour cloning of demonstrations: actions, masks, object types and progress monitors, with DAgger."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from housemates.errors import HousematesError
from housemates.models.alfred_seq2seq.config import Seq2SeqConfig
from housemates.models.alfred_seq2seq.dagger import corrected
from housemates.models.alfred_seq2seq.data import Demonstrations, Example
from housemates.models.alfred_seq2seq.demonstration_frames import Demonstration
from housemates.models.alfred_seq2seq.model import Batch, Logits, Seq2Seq, collate
from housemates.models.image_encoders import carried_by, encoder_of
from housemates.models.learner import Learner
from housemates.models.vocabulary import Vocabulary

VALIDATION_EXAMPLES, VALIDATION_BATCH = 160, 8


class AlfredLearner(Learner[Seq2SeqConfig]):
    """Learns from demonstrations of `train`; monitors the accuracy of actions on those held out."""

    monitor = "accuracy"
    net: Seq2Seq

    def __init__(self, config: Seq2SeqConfig, data: Path) -> None:
        super().__init__(config, data)
        self.encoder = encoder = encoder_of(config.encoder)
        self.train = Demonstrations(data, False, config, encoder, config.limit, config.detours)
        self.valid = Demonstrations(data, True, config, encoder, VALIDATION_EXAMPLES)
        self.words = Vocabulary.of((self.train.tokens(number) for number in range(len(self.train))), least=2)
        self.corrections: list[Example] = []
        self._corrected = 0
        self.net = Seq2Seq(config, len(self.words), encoder.shape)

    @property
    def count(self) -> int:
        """Annotated demonstrations, and this epoch's DAgger episodes."""
        return len(self.train) + len(self.corrections)

    def begin_epoch(self, epoch: int) -> None:
        """Collect the DAgger episodes of every epoch after the first, once."""
        if epoch <= self._corrected:
            return
        self._corrected = epoch
        self.net.eval()
        rng = np.random.default_rng((self.config.seed, epoch, 1))
        self.corrections = []
        for number in rng.permutation(len(self.train))[: self.config.corrections]:
            with contextlib.suppress(HousematesError):
                whole, tokens = self.train.whole(number), self.words.numbers(self.train.tokens(number))
                self.corrections.append(corrected(whole, tokens, self.net, self.encoder, rng))

    def lengths(self) -> NDArray[np.int64]:
        """Steps of each example."""
        return np.array(
            [*self.train.lengths(), *(len(each.demonstration.actions) for each in self.corrections)]
        )

    def state(self) -> Mapping[str, Tensor]:
        """The epoch's DAgger episodes."""
        found = {"epoch": torch.tensor([self._corrected])}
        for number, (tokens, show) in enumerate(self.corrections):
            found[f"{number} tokens"] = torch.tensor(tokens)
            found |= {f"{number} {name}": torch.from_numpy(each) for name, each in show._asdict().items()}
        return found

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Take up the DAgger episodes that `state` returned."""
        self._corrected = int(state["epoch"])
        self.corrections = []
        while f"{len(self.corrections)} tokens" in state:
            number = len(self.corrections)
            show = Demonstration(*(state[f"{number} {name}"].numpy() for name in Demonstration._fields))
            self.corrections.append(Example(state[f"{number} tokens"].tolist(), show))

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """The words that occur at least twice in the training split."""
        return {"words": self.words.names}

    def carried(self) -> Mapping[str, Path]:
        """The image encoder's file."""
        return carried_by(self.encoder)

    def loss(self, examples: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """The weighted sum of the losses of actions, masks, object types and monitors."""
        own, size = self.corrections, len(self.train)
        batch = self.collated(
            [own[n - size] if n >= size else self.train.example(int(n), self.words) for n in examples]
        )
        logits = self.net(batch)
        present = batch.actions >= 0
        loss = functional.cross_entropy(logits.actions[present], batch.actions[present])
        loss = loss + self.config.mask_weight * self._mask_loss(logits, batch)
        if self.config.things:
            typed = present & (batch.types >= 0)
            types = functional.cross_entropy(self.net.type_head(logits.state[typed]), batch.types[typed])
            loss = loss + self.config.kind_weight * types
        if self.config.progress:
            progress = _monitor_loss(logits.progress, batch.progress, present)
            loss = loss + self.config.progress_weight * progress
        if self.config.subgoals:
            subgoals = _monitor_loss(logits.subgoals, batch.subgoals, present)
            loss = loss + self.config.subgoal_weight * subgoals
        return loss, {"accuracy": _accuracy(logits, batch)}

    def validate(self) -> Mapping[str, float]:
        """Teacher-forced accuracy of actions, and of object types where the expert points at something."""
        found, right = [], []
        for start in range(0, min(VALIDATION_EXAMPLES, len(self.valid)), VALIDATION_BATCH):
            numbers = np.arange(start, min(start + VALIDATION_BATCH, VALIDATION_EXAMPLES, len(self.valid)))
            batch = self.batch(self.valid, numbers)
            logits, pointed = self.net(batch), batch.masks.sum(-1) > 0
            found.append(_accuracy(logits, batch))
            if self.config.things:
                types = self.net.type_head(logits.state[pointed]).argmax(-1)
                right += (types == batch.types[pointed]).tolist()
        return {"accuracy": float(np.mean(found)), **({"things": float(np.mean(right))} if right else {})}

    def batch(self, split: Demonstrations, numbers: NDArray[np.int64]) -> Batch:
        """Examples of a split as a batch on the network's device."""
        return self.collated([split.example(int(number), self.words) for number in numbers])

    def collated(self, examples: Sequence[Example]) -> Batch:
        """Examples as a batch on the network's device."""
        made = collate(examples)
        device = next(self.net.parameters()).device
        return Batch(*(each.to(device) for each in made))

    def _mask_loss(self, logits: Logits, batch: Batch) -> Tensor:
        """Binary cross-entropy of masks, the mean over cells inside plus the mean over cells outside."""
        pointed = batch.masks.sum(-1) > 0
        if not bool(pointed.any()):
            return logits.actions.sum() * 0.0
        scores, wanted = self.net.masks(logits.state[pointed]), batch.masks[pointed]
        each = functional.binary_cross_entropy_with_logits(scores, wanted, reduction="none")
        inside = (each * wanted).sum(1) / wanted.sum(1)
        outside = (each * (1 - wanted)).sum(1) / (1 - wanted).sum(1).clamp(min=1)
        return (inside + outside).mean()


def _monitor_loss(logits: Tensor, target: Tensor, present: Tensor) -> Tensor:
    """Mean squared error of a monitor, from 0 to 1, over the steps that are not padding."""
    return functional.mse_loss(torch.sigmoid(logits[present]), target[present])


def _accuracy(logits: Logits, batch: Batch) -> float:
    present = batch.actions >= 0
    return (logits.actions.argmax(-1) == batch.actions)[present].float().mean().item()
