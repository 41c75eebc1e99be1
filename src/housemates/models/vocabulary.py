"""Vocabularies (name <-> index), and the tokeniser of people's English."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

PAD, UNKNOWN, START, END = "<pad>", "<unknown>", "<start>", "<end>"
SPECIAL = (PAD, UNKNOWN, START, END)
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[0-9]|[^\sa-z0-9]")


class Vocabulary:
    """Names and their indices; the first four are padding, unknown, start and end."""

    def __init__(self, names: Sequence[str]) -> None:
        """Number the names in this order, after the four special ones."""
        known = list(names) if tuple(names[:4]) == SPECIAL else [*SPECIAL, *names]
        self.names = tuple(known)
        self._numbers = {name: number for number, name in enumerate(known)}

    @classmethod
    def of(cls, texts: Iterable[Iterable[str]], least: int = 1) -> Vocabulary:
        """The names that occur at least `least` times, the most frequent first."""
        counts = Counter(name for names in texts for name in names)
        kept = [name for name, count in counts.items() if count >= least and name not in SPECIAL]
        return cls(sorted(kept, key=lambda name: (-counts[name], name)))

    def __len__(self) -> int:
        return len(self.names)

    def number(self, name: str) -> int:
        """The index of a name, or that of `<unknown>`."""
        return self._numbers.get(name, 1)

    def numbers(self, names: Iterable[str]) -> list[int]:
        """The indices of names."""
        return [self._numbers.get(name, 1) for name in names]


def words(text: str) -> list[str]:
    """Tokenise: lower-case words, single digits and punctuation marks."""
    return _WORD.findall(text.lower())
