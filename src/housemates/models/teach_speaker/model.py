"""The network: the words of what is known, each part a bag, to scores of lines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from housemates.models.checkpoints import Card, read_config
from housemates.models.playable import Part, Playable
from housemates.models.teach_speaker.config import SpeakerConfig
from housemates.models.teach_speaker.data import PARTS


class Speaker(Playable):
    """Scores every line of the repertoire."""

    def __init__(self, config: SpeakerConfig, vocabulary: int, lines: int) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, config.words, padding_idx=0)
        self.first = nn.Linear(len(PARTS) * config.words, config.hidden)
        self.dropout = nn.Dropout(config.dropout)
        self.lines = nn.Linear(config.hidden, lines)

    def forward(self, tokens: Tensor) -> Tensor:
        """Scores of lines: examples x lines, of examples x parts x words."""
        shown = (tokens > 0).unsqueeze(-1)
        bags = (self.words(tokens) * shown).sum(2) / shown.sum(2).clamp(min=1).sqrt()
        scores: Tensor = self.lines(self.dropout(torch.relu(self.first(bags.flatten(1)))))
        return scores

    def parts(self) -> Mapping[str, Part]:
        """`choose` scores all lines."""
        tokens = torch.ones(1, len(PARTS), 2, dtype=torch.int64)
        return {
            "choose": Part(lambda tokens: {"scores": self(tokens)[0]}, {"tokens": tokens}, {"tokens": (2,)})
        }


def network(folder: Path, card: Card) -> Speaker:
    """The network of a checkpoint, without its weights."""
    sizes = (len(card.vocabulary[name]) for name in ("words", "lines"))
    return Speaker(read_config(folder, card, SpeakerConfig), *sizes)
