"""Words and other names as numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

PAD, UNKNOWN, START, END = "<pad>", "<unknown>", "<start>", "<end>"
SPECIAL = (PAD, UNKNOWN, START, END)
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[0-9]|[^\sa-z0-9]")


class Vocabulary:
    """Names and their numbers; the first four are for padding, unknown names, the start and the end."""

    def __init__(self, names: Sequence[str]) -> None:
        """Take the names in this order; the special ones are put first if they are not there."""
        known = list(names) if tuple(names[:4]) == SPECIAL else [*SPECIAL, *names]
        self.names = tuple(known)
        self._numbers = {name: number for number, name in enumerate(known)}

    @classmethod
    def of(cls, texts: Iterable[Iterable[str]], least: int = 1) -> Vocabulary:
        """All names that are there so often, the commonest first."""
        counts = Counter(name for names in texts for name in names)
        kept = [name for name, count in counts.items() if count >= least and name not in SPECIAL]
        return cls(sorted(kept, key=lambda name: (-counts[name], name)))

    def __len__(self) -> int:
        return len(self.names)

    def number(self, name: str) -> int:
        """The number of a name; that of `<unknown>` if it is not there."""
        return self._numbers.get(name, 1)

    def numbers(self, names: Iterable[str]) -> list[int]:
        """The numbers of several."""
        return [self._numbers.get(name, 1) for name in names]


def words(text: str) -> list[str]:
    """A text as small letters' words, single digits and signs."""
    return _WORD.findall(text.lower())
