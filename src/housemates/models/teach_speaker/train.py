"""Trains the classifier of lines on what people said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from housemates.errors import HousematesError
from housemates.models.learner import Learner
from housemates.models.teach_speaker.config import SpeakerConfig
from housemates.models.teach_speaker.data import (
    FIELDS,
    Example,
    RecordedMoments,
    Repertoire,
    example_of,
    tokens_of,
)
from housemates.models.teach_speaker.lines import Line
from housemates.models.teach_speaker.model import Speaker
from housemates.models.vocabulary import Vocabulary

TOP = 5
"""Lines that count as a hit in the monitored top-k accuracy."""


class SpeakerLearner(Learner[SpeakerConfig]):
    """Learns from moments at which a line of the repertoire was said; monitors top-5 accuracy."""

    monitor = "among five"

    def __init__(self, config: SpeakerConfig, data: Path) -> None:
        super().__init__(config, data)
        train, valid = (self._examples(split) for split in ("train", "valid_seen"))
        self.repertoire = Repertoire.of(train, config.least)
        self._numbers = {line: number for number, line in enumerate(self.repertoire.lines)}
        texts = (field for each, _ in train for field in each.words.values())
        self.words = Vocabulary.of(texts, least=2)
        self.train, self.valid = (
            [each for each in one if each[1] in self._numbers] for one in (train, valid)
        )
        if not self.train:
            raise HousematesError(f"{data}: no line is said {config.least} times in train.")
        self.net = Speaker(config, len(self.words), len(self.repertoire.lines))

    def _examples(self, split: str) -> list[tuple[Example, Line]]:
        limit = self.config.limit if split == "train" else self.config.limit // 4
        found = map(example_of, RecordedMoments(self.data, split, self.config, limit).moments)
        return [each for each in found if each is not None]

    @property
    def count(self) -> int:
        """Moments of the training split with a line of the repertoire."""
        return len(self.train)

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """The words of the input, and the rows of the repertoire."""
        return {"words": self.words.names, "lines": self.repertoire.rows()}

    def loss(self, examples: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """Cross-entropy of the line that was said."""
        tokens, lines = self.batch([self.train[number] for number in examples])
        logits = self.net(tokens)
        accuracy = (logits.argmax(1) == lines).float().mean()
        return functional.cross_entropy(logits, lines), {"accuracy": accuracy.item()}

    def validate(self) -> Mapping[str, float]:
        """Top-1 and top-5 accuracy."""
        if not self.valid:
            return {"accuracy": 0.0, "among five": 0.0}
        tokens, lines = self.batch(self.valid)
        best = self.net(tokens).topk(min(TOP, len(self.repertoire.lines))).indices
        right = best == lines.unsqueeze(1)
        return {
            "accuracy": right[:, 0].float().mean().item(),
            "among five": right.any(1).float().mean().item(),
        }

    def batch(self, chosen: Sequence[tuple[Example, Line]]) -> tuple[Tensor, Tensor]:
        """Word indices, (batch, fields, words), and lines, (batch,), on the network's device."""
        rows = [tokens_of(each.words, self.words) for each, _ in chosen]
        tokens = np.zeros((len(rows), len(FIELDS), max(row.shape[1] for row in rows)), np.int64)
        for number, row in enumerate(rows):
            tokens[number, :, : row.shape[1]] = row
        lines = torch.tensor([self._numbers[line] for _, line in chosen])
        device = next(self.net.parameters()).device
        return torch.from_numpy(tokens).to(device), lines.to(device)
