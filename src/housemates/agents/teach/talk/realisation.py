"""Surface realisation: lines of `sayings.toml`, and names of types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from housemates.core.outcome import spoken
from housemates.files import shipped

PLURALS = {"knife": "knives", "shelf": "shelves", "loaf": "loaves", "dish": "dishes", "box": "boxes"}


def sayings() -> Mapping[str, Any]:
    """The table of lines."""
    return shipped(__package__, "sayings.toml")


class Realiser:
    """Varied wording, determined by the generator."""

    def __init__(self, rng: np.random.Generator, role: str) -> None:
        self.rng = rng
        self._lines: Mapping[str, Sequence[str]] = sayings()[role]

    def choose(self, lines: Sequence[str]) -> str:
        """A uniform choice of a line."""
        return lines[int(self.rng.integers(len(lines)))]

    def likely(self, chance: float) -> bool:
        """True with this probability."""
        return bool(self.rng.random() < chance)

    def name(self, kind: str) -> str:
        """A name for a type; a class by its own name."""
        return self.choose(sayings()["names"].get(kind) or [spoken(kind)])

    def say(self, key: str, **slots: str) -> str:
        """A line with its slots filled in; `{Order}` is the slot `order` with a capital letter."""
        capital = {name.title(): capitalised(text) for name, text in slots.items()}
        return self.choose(self._lines[key]).format(**slots, **capital).strip()


def capitalised(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def plural(words: str) -> str:
    """The plural of a noun phrase: `slice of bread` becomes `slices of bread`."""
    head, separator, rest = words.partition(" of ")
    last = head.rsplit(" ", 1)[-1]
    if last in PLURALS:
        head = head.removesuffix(last) + PLURALS[last]
    elif last.endswith(("ch", "sh", "x", "ss", "ato")):
        head += "es"
    elif not last.endswith("s"):
        head += "s"
    return head + separator + rest
