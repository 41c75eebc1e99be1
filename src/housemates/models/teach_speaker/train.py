"""Learning which line people said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from housemates.models.learner import Learner
from housemates.models.teach_speaker.config import SpeakerConfig
from housemates.models.teach_speaker.data import PARTS, Recorded, Repertoire, Said, said_at, tokens_of
from housemates.models.teach_speaker.lines import Line
from housemates.models.teach_speaker.model import Speaker
from housemates.models.vocabulary import Vocabulary

BEST = 5
"""Lines among which the one that was said may be."""


class SpeakerLearner(Learner[SpeakerConfig]):
    """Moments at which a line of the repertoire was said; the best weights have most of validation's."""

    watched = "among five"

    def __init__(self, config: SpeakerConfig, data: Path) -> None:
        super().__init__(config, data)
        train, valid = (self._said(split) for split in ("train", "valid_seen"))
        self.repertoire = Repertoire.of(train, config.least)
        self._numbers = {line: number for number, line in enumerate(self.repertoire.lines)}
        texts = (part for each, _ in train for part in each.known.values())
        self.words = Vocabulary.of(texts, least=2)
        self.train, self.valid = (
            [each for each in one if each[1] in self._numbers] for one in (train, valid)
        )
        self.net = Speaker(config, len(self.words), len(self.repertoire.lines))

    def _said(self, split: str) -> list[tuple[Said, Line]]:
        limit = self.config.limit if split == "train" else self.config.limit // 4
        found = map(said_at, Recorded(self.data, split, self.config, limit).moments)
        return [each for each in found if each is not None]

    @property
    def count(self) -> int:
        """Moments."""
        return len(self.train)

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """The words that are read, and the lines."""
        return {"words": self.words.names, "lines": self.repertoire.rows()}

    def loss(self, examples: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """Of the line among all."""
        tokens, lines = self.batch([self.train[number] for number in examples])
        scores = self.net(tokens)
        accuracy = (scores.argmax(1) == lines).float().mean()
        return functional.cross_entropy(scores, lines), {"accuracy": accuracy.item()}

    def validate(self) -> Mapping[str, float]:
        """Shares of lines that are the likeliest, and that are among the five likeliest."""
        if not self.valid:
            return {"accuracy": 0.0, "among five": 0.0}
        tokens, lines = self.batch(self.valid)
        best = self.net(tokens).topk(min(BEST, len(self.repertoire.lines))).indices
        right = best == lines.unsqueeze(1)
        return {
            "accuracy": right[:, 0].float().mean().item(),
            "among five": right.any(1).float().mean().item(),
        }

    def batch(self, chosen: Sequence[tuple[Said, Line]]) -> tuple[Tensor, Tensor]:
        """Examples side by side: examples x parts x words, and their lines."""
        rows = [tokens_of(each.known, self.words) for each, _ in chosen]
        tokens = np.zeros((len(rows), len(PARTS), max(row.shape[1] for row in rows)), np.int64)
        for number, row in enumerate(rows):
            tokens[number, :, : row.shape[1]] = row
        lines = torch.tensor([self._numbers[line] for _, line in chosen])
        device = next(self.net.parameters()).device
        return torch.from_numpy(tokens).to(device), lines.to(device)
