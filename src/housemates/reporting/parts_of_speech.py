"""Which words are verbs, nouns and adjectives, by a lexicon of housework and the word before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from housemates.files import shipped

VERB, NOUN, ADJECTIVE, OTHER = "verb", "noun", "adjective", "function"
ENDINGS = {"ing": VERB, "ed": VERB, "ly": OTHER, "ish": ADJECTIVE, "ful": ADJECTIVE}
"""What an unknown word is by its ending; a noun if it has none of these."""


@cache
def lexicon() -> dict[str, frozenset[str]]:
    """Each list of `parts_of_speech.toml` as a set of words."""
    return {
        name: frozenset(words.split()) for name, words in shipped(__package__, "parts_of_speech.toml").items()
    }


def tagged(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each word of a sentence, in small letters, with its part of speech; what is no word is left out."""
    known = lexicon()
    before = "then"
    for number, word in enumerate(words):
        if not word[:1].isalpha():
            before = "then"
            continue
        after = words[number + 1] if number + 1 < len(words) else ""
        yield word, _part(word, before, after, known)
        before = word


def _part(word: str, before: str, after: str, known: dict[str, frozenset[str]]) -> str:
    parts = [name for name in (VERB, NOUN, ADJECTIVE, OTHER) if word in known[name]]
    if not parts:
        return next((part for ending, part in ENDINGS.items() if word.endswith(ending)), NOUN)
    if len(parts) == 1:
        return parts[0]
    if ADJECTIVE in parts and after in known[NOUN] and before in known["nominal"] | known[ADJECTIVE]:
        return ADJECTIVE
    if VERB in parts and before in known["verbal"]:
        return VERB
    if NOUN in parts and (before in known["nominal"] or before in known[ADJECTIVE]):
        return NOUN
    return next(part for part in (OTHER, VERB, NOUN, ADJECTIVE) if part in parts)
