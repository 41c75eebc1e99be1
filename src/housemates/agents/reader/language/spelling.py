"""Spelling: a misspelt word is a verb of the grammar, the name of a thing, or a word of the network."""

from __future__ import annotations

import difflib
import re
from functools import cache

from housemates.agents.reader.language.network import shipped_network
from housemates.agents.teach.talk.vocabulary import grammar_words
from housemates.agents.teach.talk.vocabulary import table as vocabulary
from housemates.core.outcome import spoken
from housemates.home.types import object_types

ALIKE = 0.85
"""Least similarity of a misspelt word and a noun."""


def corrected(text: str) -> str:
    """The text with spelling corrected."""
    return " ".join(word if not word.isalpha() else _spelt(word) for word in _parts(text))


@cache
def _spelt(word: str) -> str:
    """A word, or the one of the grammar, of the names of things or of the network that it misspells."""
    spelling = shipped_network().spelling
    if word in grammar_words() or word.removesuffix("s") in _nouns():
        return word
    if word in spelling.known and len(word) < 4:
        return word
    known = word in spelling.known
    near = "" if known else next((each for each in _spellings() if one_edit(word, each)), "")
    return near or noun_like(word) or (word if known else spelling.guess(word) or word)


def one_edit(word: str, other: str) -> bool:
    """Whether two words differ by one letter more, less or other, or by two that changed places."""
    if word[:1] != other[:1] or abs(len(word) - len(other)) > 1 or len(word) < 3:
        return False
    start = next((at for at, pair in enumerate(zip(word, other, strict=False)) if pair[0] != pair[1]), None)
    if start is None:
        return True
    one, two = word[start:], other[start:]
    swapped = len(one) > 1 and one[1] + one[0] + one[2:] == two
    return swapped or one[1:] == two or one == two[1:] or (len(word) > 3 and one[1:] == two[1:])


@cache
def _spellings() -> tuple[str, ...]:
    """Verbs and nouns that a misspelt word may be, verbs first."""
    verbs = {part for texts in vocabulary("verbs").values() for text in texts for part in text.split()}
    return tuple(sorted(each for each in verbs if len(each) > 3)) + tuple(
        sorted(each for each in _nouns() if len(each) > 2)
    )


@cache
def noun_like(word: str) -> str:
    """The noun that a word is or misspells; empty if it is another word of the grammar or unlike any noun."""
    if word in grammar_words() or word.removesuffix("s") in _nouns():
        return word if word.removesuffix("s") in _nouns() else ""
    alike = [noun for noun in _nouns() if noun[0] == word[0]] if len(word) > 3 else []
    return next(iter(difflib.get_close_matches(word, alike, 1, ALIKE)), "")


@cache
def _nouns() -> frozenset[str]:
    """Every word of an object name."""
    return frozenset(word for name in object_types() for word in spoken(name).split()) - {"sliced"}


def _parts(text: str) -> list[str]:
    """Words and punctuation of a text, in lower case."""
    return re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\S", text.lower())
