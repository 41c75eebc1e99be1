"""The reader's slot-filling network in numpy: convolutions, attention for each slot, softmax over values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.agents.reader.language.text import Mentions, Spelling, TaggedWord
from housemates.errors import HousematesError
from housemates.models.checkpoints import read_arrays, read_card, weights_of

WEIGHTS = "weights"
"""Folder of the weights that come with the package."""
SLOT, TOGETHER = "slot ", "together "
NOTHING, UNKNOWN = 0, 1
"""Token numbers of padding and of unknown words."""
HEADS = 2
"""Attention heads of each slot."""
Array = NDArray[np.float32]


class Card(NamedTuple):
    """Vocabulary and slots of the weights."""

    words: tuple[str, ...]
    """Known words; the first is token 2."""
    slots: Mapping[str, tuple[str, ...]]
    """Slot -> its values."""
    combinations: Mapping[str, tuple[tuple[str, ...], ...]]
    """Jointly decoded slots, joined by commas -> the combinations seen in training."""


class Network:
    """Inference of the network that `models/reader` trains."""

    def __init__(self, card: Card, weights: Mapping[str, NDArray[Any]]) -> None:
        self.card = card
        self.weights = {name: np.asarray(value, np.float32) for name, value in weights.items()}
        self.spelling = Spelling({word: number for number, word in enumerate(card.words, 2)})

    def log_probs(self, words: Sequence[TaggedWord]) -> dict[str, Array]:
        """Log-probabilities of each slot's values, normalised over the slot."""
        numbers = [self.spelling.number(word, UNKNOWN) for word, _ in words] or [UNKNOWN]
        parts = [part for _, part in words] or [NOTHING]
        hidden = self._encoded(np.array(numbers), np.array(parts))
        looks = _softmax(hidden @ self.weights["look.weight"].T + self.weights["look.bias"])
        seen = (looks.T @ hidden).reshape(len(self.card.slots), -1)
        most = hidden.max(axis=0)
        found, named_in = {}, Mentions(words)
        for index, (slot, values) in enumerate(self.card.slots.items()):
            weight, bias = self.weights[f"say.{index}.weight"], self.weights[f"say.{index}.bias"]
            score = weight @ np.concatenate([seen[index], most]) + bias
            named = np.log1p(np.array(named_in.of(values), np.float32))
            score = score + self.weights["named"][index] * named
            found[slot] = score - np.logaddexp.reduce(score)
        return found

    def _encoded(self, numbers: NDArray[np.int64], parts: NDArray[np.int64]) -> Array:
        words = self.weights["word.weight"][numbers] + self.weights["part.weight"][parts]
        near = np.maximum(self._convolved("near", words), 0.0)
        return np.asarray(near + np.maximum(self._convolved("far", near), 0.0))

    def _convolved(self, name: str, rows: Array) -> Array:
        kernel = self.weights[f"{name}.weight"]
        width = kernel.shape[2]
        padded = np.pad(rows, ((width // 2, width // 2), (0, 0)))
        found = sum(padded[at : at + len(rows)] @ kernel[:, :, at].T for at in range(width))
        return np.asarray(found + self.weights[f"{name}.bias"], np.float32)


def card_lists(card: Card) -> dict[str, list[str]]:
    """A card as lists of names, as checkpoints store it."""
    return {
        "words": list(card.words),
        **{f"{SLOT}{slot}": list(values) for slot, values in card.slots.items()},
        **{f"{TOGETHER}{name}": ["|".join(row) for row in rows] for name, rows in card.combinations.items()},
    }


def card_of(lists: Mapping[str, Sequence[str]]) -> Card:
    """The card of such lists."""
    slots = {key.removeprefix(SLOT): tuple(rows) for key, rows in lists.items() if key.startswith(SLOT)}
    together = {
        key.removeprefix(TOGETHER): tuple(tuple(row.split("|")) for row in rows)
        for key, rows in lists.items()
        if key.startswith(TOGETHER)
    }
    return Card(tuple(lists["words"]), slots, together)


def load(folder: Path) -> Network:
    """Read an exported checkpoint; raises HousematesError if it lacks weights."""
    card = read_card(folder)
    try:
        return Network(card_of(card.vocabulary), read_arrays(weights_of(folder)))
    except KeyError as error:
        raise HousematesError(f"{folder}: expected the reader's weights, found no {error}.") from None


@cache
def shipped_network() -> Network:
    """The network that comes with the package."""
    with resources.as_file(resources.files(__package__).joinpath(WEIGHTS)) as folder:
        return load(folder)


def _softmax(scores: Array) -> Array:
    """Softmax over the words of a text."""
    found = np.exp(scores - scores.max(axis=0))
    return np.asarray(found / found.sum(axis=0))
