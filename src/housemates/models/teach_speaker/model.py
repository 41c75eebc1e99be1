"""TEACh's Commander, all of it: bags of words and a hidden layer to logits over a repertoire of lines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from housemates.models.checkpoints import Card, read_config
from housemates.models.networks import EntryPoint, Exportable
from housemates.models.teach_speaker.config import SpeakerConfig
from housemates.models.teach_speaker.data import FIELDS


class Speaker(nn.Module, Exportable):
    """A classifier over the lines of the repertoire."""

    def __init__(self, config: SpeakerConfig, vocabulary: int, lines: int) -> None:
        super().__init__()
        self.word_embedding = nn.Embedding(vocabulary, config.words, padding_idx=0)
        self.hidden = nn.Linear(len(FIELDS) * config.words, config.hidden)
        self.dropout = nn.Dropout(config.dropout)
        self.line_head = nn.Linear(config.hidden, lines)

    def forward(self, tokens: Tensor) -> Tensor:
        """Logits, (batch, lines), of words, (batch, fields, words); a bag is divided by sqrt(words)."""
        shown = (tokens > 0).unsqueeze(-1)
        bags = (self.word_embedding(tokens) * shown).sum(2) / shown.sum(2).clamp(min=1).sqrt()
        logits: Tensor = self.line_head(self.dropout(torch.relu(self.hidden(bags.flatten(1)))))
        return logits

    def entry_points(self) -> Mapping[str, EntryPoint]:
        """`score` gives the logits of all lines."""
        tokens = torch.ones(1, len(FIELDS), 2, dtype=torch.int64)
        return {
            "score": EntryPoint(
                lambda tokens: {"logits": self(tokens)[0]}, {"tokens": tokens}, {"tokens": (2,)}
            )
        }


def network(folder: Path, card: Card) -> Speaker:
    """Build the network of a checkpoint, without its weights."""
    sizes = (len(card.vocabulary[name]) for name in ("words", "lines"))
    return Speaker(read_config(folder, card, SpeakerConfig), *sizes)
