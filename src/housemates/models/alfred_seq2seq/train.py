"""Cloning demonstrations: actions, masks, and how far along they are."""

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
from housemates.models.alfred_seq2seq.model import Batch, Seq2Seq, Told, batch_of
from housemates.models.image_encoders import carried_by, encoder_of
from housemates.models.learner import Learner
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
        self.train = Demonstrations(data, "train", config, encoder, config.limit, config.detours)
        self.valid = Demonstrations(data, "valid_seen", config, encoder, VALIDATED)
        self.words = Vocabulary.of((self.train.tokens(number) for number in range(len(self.train))), least=2)
        self.corrections: list[Example] = []
        self._corrected = 0
        self.net = Seq2Seq(config, len(self.words), encoder.shape)

    @property
    def count(self) -> int:
        """Demonstrations with each person's words, and this epoch's corrections."""
        return len(self.train) + len(self.corrections)

    def begin(self, epoch: int) -> None:
        """Have the expert correct what has been learnt so far, unless it has in this epoch."""
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
        """Their steps."""
        return np.array(
            [*self.train.lengths(), *(len(each.demonstration.actions) for each in self.corrections)]
        )

    def state(self) -> Mapping[str, Tensor]:
        """This epoch's corrections."""
        found = {"epoch": torch.tensor([self._corrected])}
        for number, (tokens, show) in enumerate(self.corrections):
            found[f"{number} tokens"] = torch.tensor(tokens)
            found |= {f"{number} {name}": torch.from_numpy(each) for name, each in show._asdict().items()}
        return found

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Have them again."""
        self._corrected = int(state["epoch"])
        self.corrections = []
        while f"{len(self.corrections)} tokens" in state:
            number = len(self.corrections)
            show = Demonstration(*(state[f"{number} {name}"].numpy() for name in Demonstration._fields))
            self.corrections.append(Example(state[f"{number} tokens"].tolist(), show))

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """The words."""
        return {"words": self.words.names}

    def carried(self) -> Mapping[str, Path]:
        """What makes features of pictures."""
        return carried_by(self.encoder)

    def loss(self, examples: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """Of actions, masks and monitors."""
        own, size = self.corrections, len(self.train)
        batch = self.together(
            [own[n - size] if n >= size else self.train.example(int(n), self.words) for n in examples]
        )
        told = self.net(batch)
        kept = batch.actions >= 0
        loss = functional.cross_entropy(told.action[kept], batch.actions[kept])
        loss = loss + self.config.mask_weight * self._pointing(told, batch)
        if self.config.things:
            named = kept & (batch.kinds >= 0)
            lost = functional.cross_entropy(self.net.kind(told.inner[named]), batch.kinds[named])
            loss = loss + self.config.kind_weight * lost
        if self.config.progress:
            loss = loss + self.config.progress_weight * _apart(told.progress, batch.along, kept)
        if self.config.subgoals:
            loss = loss + self.config.subgoal_weight * _apart(told.subgoals, batch.done, kept)
        return loss, {"accuracy": _accuracy(told, batch)}

    def validate(self) -> Mapping[str, float]:
        """The share of actions, and of types meant, that are the expert's, given all that came before."""
        found, kinds = [], []
        for start in range(0, min(VALIDATED, len(self.valid)), PORTION):
            numbers = np.arange(start, min(start + PORTION, VALIDATED, len(self.valid)))
            batch = self.batch(self.valid, numbers)
            told, pointed = self.net(batch), batch.masks.sum(-1) > 0
            found.append(_accuracy(told, batch))
            if self.config.things:
                named = self.net.kind(told.inner[pointed]).argmax(-1)
                kinds += (named == batch.kinds[pointed]).tolist()
        return {"accuracy": float(np.mean(found)), **({"things": float(np.mean(kinds))} if kinds else {})}

    def batch(self, split: Demonstrations, numbers: NDArray[np.int64]) -> Batch:
        """Examples side by side."""
        return self.together([split.example(int(number), self.words) for number in numbers])

    def together(self, examples: Sequence[Example]) -> Batch:
        """Examples on the device."""
        made = batch_of(examples)
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
