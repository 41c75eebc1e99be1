"""How the reader's network learns: from ALFRED's directives and TEACh's dialogues at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from housemates.agents.reader.language.decoding import COMBINED
from housemates.agents.reader.language.network import NOTHING, UNKNOWN, Card, card_lists
from housemates.agents.reader.language.slots import ALFRED, TEACH
from housemates.agents.reader.language.text import LONGEST, PAUSE, Mentions, Spelling
from housemates.benchmarks.alfred.tasks.goals import classes
from housemates.benchmarks.teach.tasks.tdl.definitions import object_classes
from housemates.data.records import Skipped, nothing_done
from housemates.home.types import object_types
from housemates.models.learner import Learner
from housemates.models.reader.config import Config
from housemates.models.reader.data import Example, examples, values_of
from housemates.models.reader.metrics import read_exactly
from housemates.models.reader.model import ReaderNet

SMOOTHING = 0.02
GROUPS = 4
"""The texts of a step are taken in so many groups of about the same length."""
NEVER = ("",)
"""The values of a slot that no example fills."""
UNASKED = -1
"""Marks a slot that an example says nothing about."""


class Ready(NamedTuple):
    """An example as numbers."""

    words: NDArray[np.int64]
    parts: NDArray[np.int64]
    named: list[NDArray[np.float32]]
    answers: NDArray[np.int64]


class ReaderLearner(Learner[Config]):
    """Learns from `train`, and is measured on `valid_seen`, of a folder with `alfred/` and `teach/`."""

    watched = "exact"

    def __init__(self, config: Config, data: Path) -> None:
        super().__init__(config, data)
        skipped: list[Skipped] = []
        found = examples(data, "train", skipped)
        if not found:
            raise nothing_done(data, skipped)
        counts = Counter(word for each in found for word, _ in each.words)
        words = sorted(word for word, count in counts.items() if count >= config.rare)
        values = values_of(found, _always())
        slots = {slot: values.get(slot, NEVER) for slot in (*ALFRED, *TEACH)}
        self.card = Card(tuple(words), slots, _combinations(found))
        self.spelling = Spelling({word: number for number, word in enumerate(words, 2)})
        self.whole = [self._ready(each, each.words) for each in found]
        self.short = [self._ready(each, each.short) if each.kind == "alfred" else None for each in found]
        self.held_out = examples(data, "valid_seen", skipped)
        dialogues = [number for number, each in enumerate(found) if each.kind == "teach"]
        tasks = [number for number, each in enumerate(found) if each.kind == "alfred"]
        self.order = np.array(tasks + dialogues * config.dialogues)
        self.net = ReaderNet(config, len(words) + 2, [len(each) for each in slots.values()])

    @property
    def count(self) -> int:
        """Every directive once, and every dialogue several times."""
        return len(self.order)

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """Words, slots and combinations as lists."""
        return card_lists(self.card)

    def _ready(self, example: Example, words: Sequence[tuple[str, int]]) -> Ready:
        numbers = [self.spelling.known.get(word, UNKNOWN) for word, _ in words]
        named_in = Mentions(words)
        named = [np.log1p(np.array(named_in.of(values), np.float32)) for values in self.card.slots.values()]
        answers = [
            values.index(example.filled[slot]) if slot in example.filled else UNASKED
            for slot, values in self.card.slots.items()
        ]
        return Ready(np.array(numbers), np.array([part for _, part in words]), named, np.array(answers))

    def loss(self, chosen: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """Cross entropy over the slots that each example fills."""
        rows = sorted(
            (self._shown(int(self.order[number])) for number in chosen), key=lambda each: len(each.words)
        )
        size = max(1, len(rows) // GROUPS)
        lost = [self._lost(rows[start : start + size]) for start in range(0, len(rows), size)]
        return torch.stack(lost).sum() / len(rows), {}

    def _lost(self, rows: Sequence[Ready]) -> Tensor:
        """The loss of texts of about the same length, added up."""
        words, parts, named, answers = _together(rows)
        hidden = (torch.rand(words.shape) < self.config.forgotten) & (words != NOTHING)
        scores = self.net(words.masked_fill(hidden, UNKNOWN), parts, named)
        total = torch.zeros(())
        for slot, score in enumerate(scores):
            total = total + nn.functional.cross_entropy(
                score,
                answers[:, slot],
                ignore_index=UNASKED,
                label_smoothing=SMOOTHING,
                reduction="sum",
            )
        return total

    def _shown(self, number: int) -> Ready:
        """An example, sometimes without its instructions, or without the end of its dialogue."""
        whole, short = self.whole[number], self.short[number]
        if short is not None:
            return short if np.random.random() < self.config.goal_only else whole
        if np.random.random() >= self.config.shortened:
            return whole
        pauses = np.flatnonzero(whole.words == self.spelling.known.get(PAUSE, UNKNOWN))
        cut = int(pauses[np.random.randint(len(pauses) // 2, len(pauses))]) if len(pauses) > 3 else LONGEST
        return whole._replace(words=whole.words[:cut], parts=whole.parts[:cut])

    def validate(self) -> Mapping[str, float]:
        """The share of texts that are read without any mistake."""
        right = read_exactly(self.held_out, self.card, self._odds)
        found = {name: float(np.mean(each)) for name, each in right.items()}
        return found | {"exact": (found["alfred"] + found["goal"] + found["teach"]) / 3}

    def _odds(self, words: Sequence[tuple[str, int]]) -> dict[str, NDArray[np.float32]]:
        row = self._ready(Example(words, words, {}, ""), words)
        numbers = np.array([self.spelling.number(word, UNKNOWN) for word, _ in words])
        scores = self.net(*_together([row._replace(words=numbers)])[:3])
        return {
            slot: each.log_softmax(1)[0].numpy() for slot, each in zip(self.card.slots, scores, strict=True)
        }


def _together(rows: Sequence[Ready]) -> tuple[Tensor, Tensor, list[Tensor], Tensor]:
    size = max(len(each.words) for each in rows)
    words, parts = np.zeros((2, len(rows), max(size, 1)), np.int64)
    for number, each in enumerate(rows):
        words[number, : len(each.words)] = each.words
        parts[number, : len(each.parts)] = each.parts
    named = [torch.from_numpy(np.stack(each)) for each in zip(*(row.named for row in rows), strict=True)]
    answers = np.stack([each.answers for each in rows])
    return torch.from_numpy(words), torch.from_numpy(parts), named, torch.from_numpy(answers)


def _always() -> dict[str, list[str]]:
    """Values that a slot can have though nobody asked for them in train."""
    kinds = object_types()
    carried = [name for name, kind in kinds.items() if kind.can("pickup") and not name.endswith("Sliced")]
    holding = [name for name, kind in kinds.items() if kind.can("receptacle") and not kind.can("pickup")]
    groups = sorted({name for names in object_classes().values() for name in names})
    return {
        "thing": sorted({*carried, *(each for each in groups if each in carried or each not in kinds)}),
        "place": sorted({*holding, "Box", *(each for each in groups if each in holding)}),
        "object": [each for each in classes().objects if not each.endswith("Sliced")],
        "parent": list(classes().receptacles),
    }


def _combinations(found: Sequence[Example]) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Which values of some slots people asked for together."""
    rows: dict[str, set[tuple[str, ...]]] = {}
    for each in found:
        name = each.filled.get("task", "alfred")
        slots = COMBINED.get(name, ())
        if slots:
            rows.setdefault(name, set()).add(tuple(each.filled.get(slot, "") for slot in slots))
    return {name: tuple(sorted(each)) for name, each in rows.items()}
