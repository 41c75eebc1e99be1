"""Dialogue acts: those that the data's labels are merged into, and a naive Bayes tagger counted from them."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import msgspec

from housemates.files import shipped

_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[?!]")
_SENTENCE = re.compile(r"[^.!?]*[.!?]*\s*")
LEAST = 6
"""How often a word or a pair of words must occur in order to be kept."""


def merged(role: str, label: str) -> str:
    """The act that a label of the data counts as; empty for what is not counted."""
    return str(shipped(__package__, "acts.toml")[role].get(label, ""))


def features(text: str) -> set[str]:
    """Words and pairs of neighbouring words."""
    words = _TOKEN.findall(text.lower())
    return {*words, *(f"{one} {two}" for one, two in zip(["<", *words], [*words, ">"], strict=True))}


class Tagger(msgspec.Struct, frozen=True, dict=True):
    """Naive Bayes over the words of a segment."""

    segments: Mapping[str, int]
    """Act -> how many segments it has."""
    words: Mapping[str, Mapping[str, int]]
    """Word or pair of words -> act -> in how many of its segments it occurs."""

    @classmethod
    def of(cls, segments: Iterable[tuple[str, str]]) -> Tagger:
        """Count segments of text with their acts."""
        acts: Counter[str] = Counter()
        words: dict[str, Counter[str]] = defaultdict(Counter)
        for text, act in segments:
            acts[act] += 1
            for each in features(text):
                words[each][act] += 1
        kept = {word: dict(words[word]) for word in sorted(words) if words[word].total() >= LEAST}
        return cls(dict(acts), kept)

    @cached_property
    def _totals(self) -> Counter[str]:
        totals: Counter[str] = Counter()
        for counts in self.words.values():
            totals.update(counts)
        return totals

    def act(self, text: str) -> str:
        """The likeliest act of a segment."""
        known = [self.words[each] for each in sorted(features(text)) if each in self.words]
        return max(self.segments, key=lambda act: self._log_probability(act, known))

    def _log_probability(self, act: str, known: Sequence[Mapping[str, int]]) -> float:
        below = self._totals[act] + len(self.words) / 4
        found = sum(math.log((counts.get(act, 0) + 0.25) / below) for counts in known)
        return math.log(self.segments[act]) + found

    def acts(self, lines: Sequence[str]) -> tuple[str, ...]:
        """The acts of a turn, sentence by sentence; the same act twice in a row counts once."""
        found: list[str] = []
        for line in lines:
            for sentence in split(line):
                act = self.act(sentence)
                found += [act] if found[-1:] != [act] else []
        return tuple(found)


def split(line: str) -> Iterator[str]:
    """The sentences of a line."""
    return (each for each in _SENTENCE.findall(line) if re.search(r"\w", each))
