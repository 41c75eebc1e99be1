"""Manners: how one Commander differs from the next, and what the counted styles of typing are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

import msgspec
import numpy as np

from housemates.files import shipped

MannerName = Literal["people", "terse", "chatty", "forgetful", "impatient", "wrong", "sloppy"]
Chosen = TypeVar("Chosen")


class Manner(msgspec.Struct, frozen=True):
    """A row of `manners.toml`, which explains the fields."""

    style: tuple[str, ...]
    typing: float
    wrong: float
    forgets: float
    vague: float
    acts: dict[str, float]

    @classmethod
    def named(cls, name: MannerName) -> Manner:
        """The manner of this name."""
        return msgspec.convert(shipped(__package__, "manners.toml")[name], cls)

    def allows(self, style: str) -> bool:
        """Whether a style has the words that the manner wants, and none that it does not."""
        words = style.split()
        return all((each[1:] not in words) if each[0] == "-" else (each in words) for each in self.style)

    def factor(self, acts: str) -> float:
        """The factor on a turn with these acts."""
        return float(np.prod([self.acts.get(each, 1.0) for each in acts.split("+")]))


def draw(rng: np.random.Generator, weights: Mapping[Chosen, float]) -> Chosen:
    """One of these, by their weights."""
    names: Sequence[Chosen] = list(weights)
    total = np.cumsum([weights[each] for each in names])
    return names[int(np.searchsorted(total, rng.random() * total[-1], side="right"))]
