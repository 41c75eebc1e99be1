"""Cloning people: what they did, and to what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from housemates.models.image_encoders import carried_by, encoder_of
from housemates.models.learner import Learner
from housemates.models.teach_et.config import EtConfig
from housemates.models.teach_et.data import Sessions
from housemates.models.teach_et.model import IGNORED, Batch, EpisodicTransformer, Told, batch_of
from housemates.models.vocabulary import Vocabulary

GAMES, VALIDATED, PORTION = 40, 160, 8
"""Games of validation, sessions of them that are looked at, and how many at once."""


class EtLearner(Learner[EtConfig]):
    """Sessions of the training split; what was done before counts only with `history`."""

    watched = "accuracy"
    rows = MappingProxyType({"words": ("words.weight",)})
    net: EpisodicTransformer

    def __init__(self, config: EtConfig, data: Path) -> None:
        super().__init__(config, data)
        self.encoder = encoder = encoder_of(config.encoder)
        self.train = Sessions(data, "train", config, encoder, config.limit)
        self.valid = Sessions(data, "valid_seen", config, encoder, min(config.limit or GAMES, GAMES))
        self.words = Vocabulary.of(self.train.tokens(number) for number in range(len(self.train)))
        self.net = EpisodicTransformer(config, len(self.words), encoder.shape)

    @property
    def count(self) -> int:
        """Sessions."""
        return len(self.train)

    def lengths(self) -> NDArray[np.int64]:
        """Their steps."""
        return np.array(self.train.lengths())

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """The words."""
        return {"words": self.words.names}

    def carried(self) -> Mapping[str, Path]:
        """What makes features of pictures."""
        return carried_by(self.encoder)

    def loss(self, examples: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """Of actions, and of objects where something is touched."""
        batch = self.batch(self.train, examples)
        told = self.net(batch)
        kept = self._counted(batch)
        loss = functional.cross_entropy(told.actions[kept], batch.actions[kept])
        touched = batch.objects != IGNORED
        if bool(touched.any()):
            pointed = functional.cross_entropy(told.objects[touched], batch.objects[touched])
            loss = loss + self.config.object_weight * pointed
        return loss, {"accuracy": _accuracy(told, batch)}

    def validate(self) -> Mapping[str, float]:
        """Shares of actions and of objects that are as people's, given all that came before."""
        actions, objects = [], []
        for start in range(0, min(VALIDATED, len(self.valid)), PORTION):
            numbers = np.arange(start, min(start + PORTION, VALIDATED, len(self.valid)))
            batch = self.batch(self.valid, numbers)
            told = self.net(batch)
            actions.append(_accuracy(told, batch))
            touched = batch.objects != IGNORED
            objects += (told.objects.argmax(-1) == batch.objects)[touched].tolist()
        return {
            "accuracy": float(np.mean(actions)) if actions else 0.0,
            "objects": float(np.mean(objects)) if objects else 0.0,
        }

    def batch(self, split: Sessions, numbers: NDArray[np.int64]) -> Batch:
        """Sessions side by side."""
        made = batch_of([split.example(int(number), self.words) for number in numbers])
        device = next(self.net.parameters()).device
        return Batch(*(each.to(device) for each in made))

    def _counted(self, batch: Batch) -> Tensor:
        done = batch.actions != IGNORED
        return done if self.config.history else done & ~batch.past


def _accuracy(told: Told, batch: Batch) -> float:
    kept = (batch.actions != IGNORED) & ~batch.past
    return (told.actions.argmax(-1) == batch.actions)[kept].float().mean().item()
