"""Trains the reader's network on ALFRED's directives and TEACh's dialogues jointly."""

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
"""Groups of similar length that a batch is split into, to pad less."""
NEVER = ("",)
"""The values of a slot that no example fills."""
UNASKED = -1
"""Marks a slot that an example says nothing about."""


class Encoded(NamedTuple):
    """An example as indices."""

    words: NDArray[np.int64]
    """(words,)."""
    parts: NDArray[np.int64]
    """(words,)."""
    named: list[NDArray[np.float32]]
    """For each slot log(1 + mentions), (values,)."""
    labels: NDArray[np.int64]
    """(slots,); `UNASKED` where the example says nothing."""


class ReaderLearner(Learner[Config]):
    """Learns from `train` of a folder with `alfred/` and `teach/`; monitors exact match on `valid_seen`."""

    monitor = "exact"

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
        self.whole = [self._encode(each, each.words) for each in found]
        self.short = [self._encode(each, each.short) if each.kind == "alfred" else None for each in found]
        self.held_out = examples(data, "valid_seen", skipped)
        dialogues = [number for number, each in enumerate(found) if each.kind == "teach"]
        directives = [number for number, each in enumerate(found) if each.kind == "alfred"]
        self.order = np.array(directives + dialogues * config.dialogues)
        self.net = ReaderNet(config, len(words) + 2, [len(each) for each in slots.values()])

    @property
    def count(self) -> int:
        """Directives, plus dialogues as often as `dialogues` says."""
        return len(self.order)

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """Words, slots with their values, and combinations of values, as a card stores them."""
        return card_lists(self.card)

    def _encode(self, example: Example, words: Sequence[tuple[str, int]]) -> Encoded:
        numbers = [self.spelling.known.get(word, UNKNOWN) for word, _ in words]
        named_in = Mentions(words)
        named = [np.log1p(np.array(named_in.of(values), np.float32)) for values in self.card.slots.values()]
        labels = [
            values.index(example.filled[slot]) if slot in example.filled else UNASKED
            for slot, values in self.card.slots.items()
        ]
        return Encoded(np.array(numbers), np.array([part for _, part in words]), named, np.array(labels))

    def loss(self, chosen: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """Cross-entropy with label smoothing, added up over the slots that each example fills."""
        rows = sorted(
            (self._augmented(int(self.order[number])) for number in chosen), key=lambda each: len(each.words)
        )
        size = max(1, len(rows) // GROUPS)
        losses = [self._group_loss(rows[start : start + size]) for start in range(0, len(rows), size)]
        return torch.stack(losses).sum() / len(rows), {}

    def _group_loss(self, rows: Sequence[Encoded]) -> Tensor:
        """The summed loss of texts of similar length."""
        words, parts, named, labels = _collate(rows)
        hidden = (torch.rand(words.shape) < self.config.forgotten) & (words != NOTHING)
        logits = self.net(words.masked_fill(hidden, UNKNOWN), parts, named)
        total = torch.zeros(())
        for slot, logit in enumerate(logits):
            total = total + nn.functional.cross_entropy(
                logit,
                labels[:, slot],
                ignore_index=UNASKED,
                label_smoothing=SMOOTHING,
                reduction="sum",
            )
        return total

    def _augmented(self, number: int) -> Encoded:
        """An example, at random without its instructions or the end of its dialogue."""
        whole, short = self.whole[number], self.short[number]
        if short is not None:
            return short if np.random.random() < self.config.goal_only else whole
        if np.random.random() >= self.config.shortened:
            return whole
        pauses = np.flatnonzero(whole.words == self.spelling.known.get(PAUSE, UNKNOWN))
        cut = int(pauses[np.random.randint(len(pauses) // 2, len(pauses))]) if len(pauses) > 3 else LONGEST
        return whole._replace(words=whole.words[:cut], parts=whole.parts[:cut])

    def validate(self) -> Mapping[str, float]:
        """Exact match of directives, of goals alone, of dialogues, and the mean of the three."""
        right = read_exactly(self.held_out, self.card, self._odds)
        found = {name: float(np.mean(each)) for name, each in right.items()}
        return found | {"exact": (found["alfred"] + found["goal"] + found["teach"]) / 3}

    def _odds(self, words: Sequence[tuple[str, int]]) -> dict[str, NDArray[np.float32]]:
        row = self._encode(Example(words, words, {}, ""), words)
        numbers = np.array([self.spelling.number(word, UNKNOWN) for word, _ in words])
        logits = self.net(*_collate([row._replace(words=numbers)])[:3])
        return {
            slot: each.log_softmax(1)[0].numpy() for slot, each in zip(self.card.slots, logits, strict=True)
        }


def _collate(rows: Sequence[Encoded]) -> tuple[Tensor, Tensor, list[Tensor], Tensor]:
    size = max(len(each.words) for each in rows)
    words, parts = np.zeros((2, len(rows), max(size, 1)), np.int64)
    for number, each in enumerate(rows):
        words[number, : len(each.words)] = each.words
        parts[number, : len(each.parts)] = each.parts
    named = [torch.from_numpy(np.stack(each)) for each in zip(*(row.named for row in rows), strict=True)]
    labels = np.stack([each.labels for each in rows])
    return torch.from_numpy(words), torch.from_numpy(parts), named, torch.from_numpy(labels)


def _always() -> dict[str, list[str]]:
    """Values that are possible though nobody asked for them in train."""
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
    """Combinations of slot values that people asked for, by task."""
    rows: dict[str, set[tuple[str, ...]]] = {}
    for each in found:
        name = each.filled.get("task", "alfred")
        slots = COMBINED.get(name, ())
        if slots:
            rows.setdefault(name, set()).add(tuple(each.filled.get(slot, "") for slot in slots))
    return {name: tuple(sorted(each)) for name, each in rows.items()}
