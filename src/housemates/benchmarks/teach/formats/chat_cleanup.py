"""Cleaning of chat: spelling, contractions and abbreviations, and talk about the interface left out."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from housemates.errors import HousematesError
from housemates.files import read_text, shipped

HERE = Path(__file__).parent
WORD = re.compile(r"[A-Za-z][A-Za-z']*")
PAIR = re.compile(r"\b([A-Za-z]{2,}) ([A-Za-z]{2,})\b")
COMMON = 20
"""A word this frequent in the domain list may be what a run-together word is made of."""


@dataclass(frozen=True)
class Cleaner:
    """Cleans utterances by a domain word list, a table of chat words and a spelling index."""

    counts: Mapping[str, int]
    """Words of the domain and how often they are said."""
    english: frozenset[str]
    """Other words that are fine as they are."""
    chat: Mapping[str, str]
    interface: re.Pattern[str]
    spelling: Any

    def clean(self, utterance: str) -> str:
        """The utterance as a careful person would have typed it; empty if it is not about the task."""
        text = _punctuate(utterance)
        if not text.strip("? ") or self.interface.search(text.lower()):
            return ""
        if _shouted(text):
            text = text.lower()
        text = PAIR.sub(self._shift, text)
        return WORD.sub(lambda match: self._word(match[0]), text)

    def _shift(self, match: re.Match[str]) -> str:
        """Two words with the space a letter too early or too late: `tot he`, `pleas eplace`."""
        first, second = match[1], match[2]
        if self._knows(first) and self._knows(second):
            return match[0]
        for one, other in ((first[:-1], first[-1] + second), (first + second[0], second[1:])):
            if min(self.counts.get(each.lower(), 0) for each in (one, other)) >= COMMON:
                return f"{one} {other}"
        return match[0]

    def _word(self, word: str) -> str:
        lower = word.lower()
        if lower in self.chat:
            return self.chat[lower]
        if self._knows(lower) or lower in self.english or self._inflected(lower):
            return word
        return self._spell(lower) or word

    def _knows(self, word: str) -> bool:
        return word.lower() in self.counts

    def _inflected(self, word: str) -> bool:
        stems = [
            word.removesuffix(ending)
            for ending in ("s", "es", "d", "ed", "ing", "'s")
            if word.endswith(ending)
        ]
        doubled = [stem[:-1] for stem in stems if len(stem) > 3 and stem[-1] == stem[-2]]
        return any(len(stem) > 2 and self._knows(stem) for stem in stems + doubled)

    def _spell(self, word: str) -> str | None:
        """The likeliest word of the domain near an unknown one, or the two that it runs together."""
        from symspellpy import Verbosity

        if len(word) < 3 or "'" in word:
            return None
        reach = 1 if len(word) < 5 else 2
        near = self.spelling.lookup(word, Verbosity.CLOSEST, max_edit_distance=reach)
        if near and near[0].distance == 1:
            return str(near[0].term)
        pair = self._pair(word)
        if pair is not None:
            return pair
        return str(near[0].term) if near else None

    def _pair(self, word: str) -> str | None:
        pairs = [(word[:cut], word[cut:]) for cut in range(1, len(word))]
        fitting = [pair for pair in pairs if min(self.counts.get(part, 0) for part in pair) >= COMMON]
        best = max(fitting, key=lambda pair: min(self.counts[part] for part in pair), default=None)
        return None if best is None else " ".join(best)


@cache
def cleaner() -> Cleaner:
    """The cleaner with the word list that comes with the package."""
    if importlib.util.find_spec("symspellpy") is None:
        raise HousematesError("Cleaning utterances needs symspellpy: pip install 'housemates[language]'.")
    from symspellpy import SymSpell

    rows = (line.split() for line in read_text(HERE / "words.txt").splitlines())
    counts = {word: int(count) for word, count in rows}
    spelling = SymSpell(max_dictionary_edit_distance=2)
    for word, count in counts.items():
        spelling.create_dictionary_entry(word, count)
    tables = shipped(__package__, "chat.json")
    return Cleaner(counts, _english(), tables["words"], _phrases(tables["interface"]), spelling)


def clean(utterance: str) -> str:
    """Return an utterance with spelling corrected and talk about the interface left out."""
    return cleaner().clean(utterance)


def _punctuate(text: str) -> str:
    """One space between words, one full stop for several, and a space after it."""
    text = re.sub(r"\.{2,}", ". ", text)
    text = re.sub(r"\.(?=[A-Za-z0-9])(?<!\d\.)", ". ", text)
    return " ".join(text.split()).rstrip("/>\\]'` ").strip()


def _shouted(text: str) -> bool:
    letters = [letter for letter in text if letter.isalpha()]
    return len(letters) > 3 and sum(letter.isupper() for letter in letters) > 0.7 * len(letters)


def _phrases(phrases: list[str]) -> re.Pattern[str]:
    return re.compile(r"\b(" + "|".join(map(re.escape, phrases)) + r")\b")


def _english() -> frozenset[str]:
    """English words, from the list that symspellpy carries."""
    spec = importlib.util.find_spec("symspellpy")
    assert spec is not None and spec.origin is not None
    lines = read_text(Path(spec.origin).with_name("frequency_dictionary_en_82_765.txt")).splitlines()
    return frozenset(line.split()[0].lstrip("\ufeff") for line in lines)
