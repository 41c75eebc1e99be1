"""What people call things: from a few typed words to the types that may be meant."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from difflib import SequenceMatcher
from functools import cache, lru_cache
from typing import Any

from housemates.benchmarks.teach.tasks.tdl.definitions import object_classes
from housemates.core.outcome import spoken
from housemates.files import shipped
from housemates.home.types import object_types

TYPO = 0.74
"""How alike a word and a name must be, from 0 to 1, for the word to be the name with a mistake in it."""
SHORT_TYPO = 0.65
"""The same for words of three letters, which have to begin alike."""
LONGEST = 3
"""Words that make up a name, at most."""


def types_named(words: str, known: Collection[str]) -> list[str]:
    """The types of `known` that the words may mean, the likeliest first; none if they mean nothing.

    Plurals, spaces, classes such as `tableware`, everyday names and small mistakes are understood.
    """
    for phrase in _phrases(words):
        if _is_known_to_anyone(phrase):
            return _by_name(phrase, known)
    return _by_likeness(words, known)


@lru_cache(maxsize=4096)
def types_called(words: str) -> tuple[str, ...]:
    """The types that are called exactly this, the likeliest first; plurals and everyday names are known."""
    phrase = "".join(_singular(text) for text in words.lower().split())
    return tuple(_by_name(phrase, object_types())) if len(phrase) > 1 else ()


def _phrases(words: str) -> Iterator[str]:
    """The words together, then ever shorter runs of them, without spaces and in the singular."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", words).lower()
    texts = re.findall(r"[a-z]+", re.sub(r"(.)\1{2,}", r"\1", spaced))
    said = [_singular(text) for text in texts if text not in _table()["filler"]]
    seen = set()
    for length in (len(said), *range(min(LONGEST, len(said) - 1), 0, -1)):
        for start in range(len(said) - length + 1):
            phrase = "".join(said[start : start + length])
            if phrase and phrase not in seen:
                seen.add(phrase)
                yield phrase


def _singular(word: str) -> str:
    plurals: Mapping[str, str] = _table()["plurals"]
    if word in plurals:
        return plurals[word]
    for ending, stem in (("atoes", "ato"), ("ies", "y"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if word.endswith(ending):
            return word.removesuffix(ending) + stem
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def _by_name(phrase: str, known: Collection[str]) -> list[str]:
    """The known types in the order in which the phrase fits them."""
    groups = (
        [kind for kind in known if phrase in _own_names(kind)],
        [kind for kind in _table()["aliases"].get(phrase, ()) if kind in known],
        [kind for kind in known if phrase in _ends(kind)],
        [kind for kind in known if phrase in _classes(kind)],
    )
    return list(dict.fromkeys(kind for group in groups for kind in group))


@lru_cache(maxsize=4096)
def _is_known_to_anyone(phrase: str) -> bool:
    return len(phrase) > 1 and bool(_by_name(phrase, object_types()))


def _by_likeness(words: str, known: Collection[str]) -> list[str]:
    """The type whose name is most like one of the phrases, if one is alike enough."""
    best, score = "", 0.0
    for phrase in _phrases(words):
        for name, kind in _all_names().items():
            if kind in known:
                alike = SequenceMatcher(None, phrase, name).ratio()
                short = len(phrase) == 3 and phrase[0] == name[0]
                if alike > score and alike >= (SHORT_TYPO if short else TYPO):
                    best, score = name, alike
    return _by_name(best, known) if best else []


@cache
def _all_names() -> dict[str, str]:
    """Everything that a single type is called -> the type."""
    names = {name: kind for kind in object_types() for name in _own_names(kind)}
    return names | {name: kinds[0] for name, kinds in _table()["aliases"].items() if len(name) > 3}


@cache
def _own_names(kind: str) -> frozenset[str]:
    name = _squashed(kind)
    if not name.endswith("sliced"):
        return frozenset([name])
    whole = name.removesuffix("sliced")
    return frozenset([name, f"sliced{whole}", f"{whole}slice", f"slice{whole}"])


@cache
def _ends(kind: str) -> frozenset[str]:
    """The first words and the last words of a name: a dining table is a table, a remote control a remote."""
    words = spoken(kind).split()
    parts = ["".join(words[:count]) for count in range(1, len(words))]
    return frozenset(["".join(words[count:]) for count in range(1, len(words))] + parts)


@cache
def _classes(kind: str) -> frozenset[str]:
    return frozenset(_singular(each.lower()) for each in object_classes().get(kind, ()))


@cache
def _squashed(kind: str) -> str:
    return spoken(kind).replace(" ", "")


def _table() -> dict[str, Any]:
    return shipped(__package__, "names.json")
