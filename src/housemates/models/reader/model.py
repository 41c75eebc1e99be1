"""The reader's network, all of it: convolutions over words, attention and max-pooling per slot."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from housemates.agents.reader.language.network import HEADS, NOTHING
from housemates.agents.reader.language.text import PARTS
from housemates.models.reader.config import Config

HIDDEN_AWAY = -1e9


class ReaderNet(nn.Module):
    """Classifies each slot by its attention heads over convolved words and by their maximum over the text.

    Attention is additive: a learned score per word and head, softmax over the words. A learned weight per
    slot adds how often a value is named literally.
    """

    def __init__(self, config: Config, words: int, sizes: Sequence[int]) -> None:
        super().__init__()
        self.word = nn.Embedding(words, config.width)
        self.part = nn.Embedding(PARTS, config.width)
        for table in (self.word, self.part):
            nn.init.normal_(table.weight, 0.0, 0.1)
        self.near = nn.Conv1d(config.width, config.hidden, config.reach, padding=config.reach // 2)
        self.far = nn.Conv1d(config.hidden, config.hidden, config.reach, padding=config.reach // 2)
        self.look = nn.Linear(config.hidden, HEADS * len(sizes))
        self.say = nn.ModuleList(nn.Linear((HEADS + 1) * config.hidden, size) for size in sizes)
        self.named = nn.Parameter(torch.ones(len(sizes)))
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, words: Tensor, parts: Tensor, named: Sequence[Tensor]) -> list[Tensor]:
        """The logits of each slot, (batch, values).

        Args:
            words: Word indices, (batch, words); 0 is padding.
            parts: The part of the text that each word is in, (batch, words).
            named: For each slot log(1 + mentions of the value), (batch, values).
        """
        there = (words != NOTHING)[..., None]
        rows = self.dropout(self.word(words) + self.part(parts)) * there
        near = torch.relu(self.near(rows.transpose(1, 2))) * there.transpose(1, 2)
        hidden = near + torch.relu(self.far(self.dropout(near)))
        hidden = self.dropout(hidden.transpose(1, 2))
        looks = self.look(hidden).masked_fill(~there, HIDDEN_AWAY).softmax(1)
        seen = torch.einsum("bwl,bwh->blh", looks, hidden).reshape(len(words), len(self.say), -1)
        most = hidden.masked_fill(~there, HIDDEN_AWAY).amax(1)
        return [
            say(torch.cat([seen[:, slot], most], 1)) + self.named[slot] * named[slot]
            for slot, say in enumerate(self.say)
        ]
