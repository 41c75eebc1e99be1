"""Typing: capitals and full stops by a style; mistakes as often and of the kinds that people make."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from housemates.agents.teach.people.manner import draw

KINDS = ("omission", "insertion", "substitution", "apostrophe", "space")
SHORTEST = 4
"""Letters of a word in which one slips."""
ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
PLACES = {letter: (row, column) for row, letters in enumerate(ROWS) for column, letter in enumerate(letters)}


class Keyboard:
    """Types lines as one person does.

    Args:
        rng: Where chance comes from.
        style: Words of a counted style, such as `capitals stops usual`.
        counts: Lines, those with a mistake, and the mistakes by kind.
        factor: On the share of lines with a mistake.
    """

    def __init__(
        self, rng: np.random.Generator, style: str, counts: Mapping[str, int], factor: float
    ) -> None:
        self.rng = rng
        self.style = style.split()
        self._share = factor * counts.get("mistaken", 0) / max(1, counts.get("lines", 0))
        self._kinds = {kind: float(counts.get(kind, 0)) for kind in KINDS}

    def typed(self, text: str) -> str:
        """The lines of a turn as this person types them."""
        return "\n".join(self._line(each) for each in text.split("\n") if each.strip())

    def _line(self, line: str) -> str:
        line = line.strip()
        line = line[:1].upper() + line[1:] if "capitals" in self.style else line[:1].lower() + line[1:]
        line = line.rstrip(".") if "stops" not in self.style else line
        if "stops" in self.style and line[-1:] not in (".", "!", "?"):
            line += "."
        if self.rng.random() < self._share and any(self._kinds.values()):
            line = self._mistaken(line, draw(self.rng, self._kinds))
        return line

    def _mistaken(self, line: str, kind: str) -> str:
        """The line with one mistake; unchanged if there is no place for it."""
        if kind == "apostrophe":
            return line.replace("'", "", 1)
        if kind == "space":
            gaps = [found.start() for found in re.finditer(" ", line)]
            at = gaps[int(self.rng.integers(len(gaps)))] if gaps else len(line)
            return line[:at] + line[at + 1 :]
        words = [found for found in re.finditer(r"[A-Za-z]+", line) if len(found[0]) >= SHORTEST]
        if not words:
            return line
        word = words[int(self.rng.integers(len(words)))]
        at = word.start() + int(self.rng.integers(1, len(word[0])))
        if kind == "omission":
            return line[:at] + line[at + 1 :]
        letter = line[at] if kind == "insertion" else self._neighbour(line[at])
        return line[:at] + letter + line[at + (kind == "substitution") :]

    def _neighbour(self, letter: str) -> str:
        row, column = PLACES[letter.lower()]
        near = [one for one, (r, c) in PLACES.items() if abs(r - row) + abs(c - column) == 1]
        return near[int(self.rng.integers(len(near)))]
