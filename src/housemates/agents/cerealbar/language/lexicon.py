"""The lexicon as tables in both directions: from meaning to words, and from words to meaning."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from housemates.files import shipped

WORD = re.compile(r"[a-z0-9']+|[.,;!?]")
PUNCTUATION = frozenset(".,;!?")


class Tag(NamedTuple):
    """A meaning: what kind of thing a word names, and which."""

    kind: str
    value: str


def words(text: str) -> list[str]:
    """Lower-case words and punctuation marks of a text."""
    return WORD.findall(text.lower().replace("’", "'"))


@cache
def lexicon() -> dict[str, dict[str, list[str]]]:
    """All lists of the lexicon; shapes as singulars followed by plurals."""
    raw = shipped(__package__, "lexicon.toml")
    flat: dict[str, dict[str, list[str]]] = {}
    for section, entries in raw.items():
        if section == "cards":
            flat["number"], flat["colour"] = dict(entries["number"]), dict(entries["colour"])
            flat["shape"] = {
                key: [w for pair in forms for w in pair] for key, forms in entries["shape"].items()
            }
        else:
            flat[section] = dict(entries)
    return flat


@cache
def shape_forms(shape: str) -> list[tuple[str, str]]:
    """Singular and plural of each word for a shape."""
    forms = shipped(__package__, "lexicon.toml")["cards"]["shape"][shape]
    return [(one, many) for one, many in forms]


READ = (
    "number",
    "colour",
    "shape",
    "verbs",
    "landmarks",
    "relations",
    "directions",
    "turns",
    "counting",
    "marks",
)


@cache
def phrases() -> dict[tuple[str, ...], tuple[Tag, ...]]:
    """Every phrase the listener knows, as words, with its meanings."""
    found: dict[tuple[str, ...], list[Tag]] = {}
    for section in READ:
        for value, entries in lexicon()[section].items():
            for entry in [*entries, *([entry + "s" for entry in entries] if section == "landmarks" else [])]:
                found.setdefault(tuple(words(entry)), []).append(Tag(section, value))
    return {phrase: tuple(tags) for phrase, tags in found.items()}


@cache
def longest_phrase() -> int:
    """Number of words of the longest phrase."""
    return max(len(phrase) for phrase in phrases())


class Token(NamedTuple):
    """A stretch of text with all its meanings; none for words that mean nothing to the game."""

    text: str
    tags: tuple[Tag, ...]

    def value(self, kind: str) -> str | None:
        """The meaning of one kind, if it has one."""
        return next((tag.value for tag in self.tags if tag.kind == kind), None)


def tag(text: str) -> list[Token]:
    """Cut a text into the longest known phrases."""
    rest, tokens, known = words(text), [], phrases()
    at = 0
    while at < len(rest):
        for length in range(min(longest_phrase(), len(rest) - at), 0, -1):
            phrase = tuple(rest[at : at + length])
            if phrase in known or length == 1:
                tokens.append(Token(" ".join(phrase), known.get(phrase, ())))
                at += length
                break
    return tokens
