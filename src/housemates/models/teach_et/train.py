"""Behaviour cloning: cross-entropy of people's actions and of the types of the objects they touched."""

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
from housemates.models.teach_et.model import IGNORED, Batch, EpisodicTransformer, Logits, collate
from housemates.models.vocabulary import Vocabulary

VALIDATION_GAMES, VALIDATION_SESSIONS, VALIDATION_BATCH = 40, 160, 8


class EtLearner(Learner[EtConfig]):
    """Learns from sessions of `train`; monitors the accuracy of actions on those that are held out."""

    monitor = "accuracy"
    vocabulary_rows = MappingProxyType({"words": ("word_embedding.weight",)})
    net: EpisodicTransformer

    def __init__(self, config: EtConfig, data: Path) -> None:
        super().__init__(config, data)
        self.encoder = encoder = encoder_of(config.encoder)
        self.train = Sessions(data, False, config, encoder, config.limit)
        self.valid = Sessions(
            data, True, config, encoder, min(config.limit or VALIDATION_GAMES, VALIDATION_GAMES)
        )
        self.words = Vocabulary.of(self.train.tokens(number) for number in range(len(self.train)))
        self.net = EpisodicTransformer(config, len(self.words), encoder.shape)

    @property
    def count(self) -> int:
        """Sessions of the training split."""
        return len(self.train)

    def lengths(self) -> NDArray[np.int64]:
        """Steps of each session."""
        return np.array(self.train.lengths())

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """The words of the training split's dialogues."""
        return {"words": self.words.names}

    def carried(self) -> Mapping[str, Path]:
        """The image encoder's file."""
        return carried_by(self.encoder)

    def loss(self, examples: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """Cross-entropy of actions, plus the weighted one of objects where something is touched."""
        batch = self.batch(self.train, examples)
        logits = self.net(batch)
        counted = self._counted(batch)
        loss = functional.cross_entropy(logits.actions[counted], batch.actions[counted])
        touched = batch.objects != IGNORED
        if bool(touched.any()):
            objects = functional.cross_entropy(logits.objects[touched], batch.objects[touched])
            loss = loss + self.config.object_weight * objects
        return loss, {"accuracy": _accuracy(logits, batch)}

    def validate(self) -> Mapping[str, float]:
        """Teacher-forced accuracy of actions, and of objects where something is touched."""
        actions, objects = [], []
        for start in range(0, min(VALIDATION_SESSIONS, len(self.valid)), VALIDATION_BATCH):
            numbers = np.arange(start, min(start + VALIDATION_BATCH, VALIDATION_SESSIONS, len(self.valid)))
            batch = self.batch(self.valid, numbers)
            logits = self.net(batch)
            actions.append(_accuracy(logits, batch))
            touched = batch.objects != IGNORED
            objects += (logits.objects.argmax(-1) == batch.objects)[touched].tolist()
        return {
            "accuracy": float(np.mean(actions)) if actions else 0.0,
            "objects": float(np.mean(objects)) if objects else 0.0,
        }

    def batch(self, split: Sessions, numbers: NDArray[np.int64]) -> Batch:
        """Sessions of a split as a batch on the network's device."""
        made = collate([split.example(int(number), self.words) for number in numbers])
        device = next(self.net.parameters()).device
        return Batch(*(each.to(device) for each in made))

    def _counted(self, batch: Batch) -> Tensor:
        """Which steps the loss counts: those of the history only with `history`."""
        present = batch.actions != IGNORED
        return present if self.config.history else present & ~batch.in_history


def _accuracy(logits: Logits, batch: Batch) -> float:
    counted = (batch.actions != IGNORED) & ~batch.in_history
    return (logits.actions.argmax(-1) == batch.actions)[counted].float().mean().item()
