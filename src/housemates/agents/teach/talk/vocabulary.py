"""The word tables of `words.toml`, and tokenisation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from housemates.files import shipped

CONTRACTIONS = {
    "n't": " not",
    "'re": " are",
    "'ll": " will",
    "'ve": " have",
    "'m": " am",
    "'s": " is",
    "can not": "cannot",
    "ca not": "cannot",
    "cant": "cannot",
    "dont": "do not",
    "whats": "what is",
    "wheres": "where is",
    "lets": "let us",
    "its": "it is",
    "theres": "there is",
    "youre": "you are",
    "im": "i am",
}


def table(name: str) -> Mapping[str, Any]:
    """A table of words by its name."""
    found: Mapping[str, Any] = shipped(__package__, "words.toml")[name]
    return found


@cache
def grammar_words() -> frozenset[str]:
    """Every word of the tables."""
    texts = (
        text for each in shipped(__package__, "words.toml").values() for row in each.values() for text in row
    )
    return frozenset(word for text in texts for word in str(text).split())


@cache
def _entries(name: str) -> tuple[tuple[tuple[str, ...], str], ...]:
    """The entries of a table as words, the longest first, with what they stand for."""
    rows = [(tuple(text.split()), key) for key, texts in table(name).items() for text in texts]
    return tuple(sorted(rows, key=lambda row: -len(row[0])))


def match(words: Sequence[str], at: int, name: str) -> tuple[str, int]:
    """What of a table stands at a place, and how many words it takes; nothing and 0 if none does."""
    for entry, key in _entries(name):
        if tuple(words[at : at + len(entry)]) == entry:
            return key, len(entry)
    return "", 0


def expanded(text: str) -> str:
    """A text in lower case with contractions written out."""
    text = text.lower().replace("\u2019", "'")
    for short, long in CONTRACTIONS.items():
        edge = r"\b" if short.isalpha() else ""
        text = re.sub(edge + re.escape(short) + r"\b", long, text)
    return text


def sentences(text: str) -> Iterator[list[str]]:
    """The sentences of an utterance as lower-case words, contractions written out."""
    for sentence in re.split(r"[.!;:\n]+|\?", expanded(text)):
        words = re.findall(r"[a-z]+|\d+x?|,", sentence)
        if words:
            yield words
