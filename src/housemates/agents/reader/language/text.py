"""Tokenisation, names of objects and spelling for the reader's network."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from housemates.agents.teach.talk.realisation import sayings
from housemates.core.outcome import spoken
from housemates.core.percepts import Utterance

NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}
WORD = re.compile(r"[a-z]+|\d+|[,.?!]")
PAUSE = "<s>"
"""Separates utterances, and instructions."""
GOAL, FIRST, SECOND, MIDDLE, LAST_BUT_ONE, LAST, COMMANDER, FOLLOWER = range(1, 9)
"""Segments of a text."""
PARTS = 9
LONGEST = 420
"""Most words that are read; a longer text keeps its beginning and end."""
CLOSE = 0.8
"""Least similarity of a misspelt word and the word that is meant."""
ALSO = {
    "Glassbottle": ("glass bottle", "bottle", "vase"),
    "Newspaper": ("newspaper", "paper"),
    "Watch": ("watch",),
    "Cloth": ("cloth", "rag"),
    "CreditCard": ("credit card", "card"),
    "Drinkware": ("drinkware", "drink ware"),
    "Silverware": ("silverware",),
    "Bed": ("bed",),
    "Ottoman": ("ottoman", "foot stool", "footrest"),
    "GarbageCan": ("trash", "garbage", "garbage can", "bin", "trash can", "wastebasket"),
    "Microwave": ("microwave", "microwave oven"),
    "SportsEquipment": ("sports equipment", "sport equipment"),
    "DeskLamp": ("desk lamp", "lamp"),
    "FloorLamp": ("floor lamp", "tall lamp"),
    "TVStand": ("tv stand", "entertainment center", "television stand"),
}
"""Further names that people use."""
TaggedWord = tuple[str, int]
"""A word and the segment that it is in."""


def words_of(text: str) -> list[str]:
    """Words of a text, with numbers as digits."""
    return [NUMBERS.get(each, each) for each in WORD.findall(text.lower().replace("'", ""))]


def singular_words(text: str) -> list[str]:
    """Words of a text in the singular."""
    return [_singular(word) for word in words_of(text)]


def directive(goal: str, instructions: Sequence[str]) -> list[TaggedWord]:
    """Goal and instructions as tagged words."""
    found = [(word, GOAL) for word in words_of(goal)]
    count = len(instructions)
    for number, text in enumerate(instructions):
        part = {count - 1: LAST, count - 2: LAST_BUT_ONE}.get(number, MIDDLE)
        part = {0: FIRST, 1: SECOND}.get(number, part)
        found += [(PAUSE, part), *((word, part) for word in words_of(text))]
    return _shortened(found)


def dialogue(said: Iterable[Utterance]) -> list[TaggedWord]:
    """A dialogue as tagged words."""
    found: list[TaggedWord] = []
    for each in said:
        part = COMMANDER if each.role == "commander" else FOLLOWER
        found += [(PAUSE, part), *((word, part) for word in words_of(each.text))]
    return _shortened(found)


def _shortened(words: list[TaggedWord]) -> list[TaggedWord]:
    half = LONGEST // 2
    return words if len(words) <= LONGEST else words[:half] + words[-half:]


@cache
def names_of(label: str) -> tuple[tuple[str, ...], ...]:
    """What people call a type or a class, each name as its words; nothing for an empty label."""
    texts = {spoken(label).lower(), *sayings()["names"].get(label, ()), *ALSO.get(label, ())}
    names = {tuple(singular_words(text)) for text in texts}
    return tuple(sorted(name for name in names if name))


class Mentions:
    """Counts of n-grams, up to trigrams, in what was not said by the Follower."""

    def __init__(self, words: Sequence[TaggedWord]) -> None:
        heard = [_singular(word) for word, part in words if part != FOLLOWER]
        self.counts: dict[tuple[str, ...], int] = {}
        for size in (1, 2, 3):
            for key in zip(*(heard[at:] for at in range(size)), strict=False):
                self.counts[key] = self.counts.get(key, 0) + 1

    def of(self, labels: Sequence[str]) -> list[int]:
        """How often each label is mentioned."""
        return [sum(self.counts.get(name, 0) for name in names_of(label)) for label in labels]


@cache
def _singular(word: str) -> str:
    if word in ("knives", "shelves", "loaves"):
        return word[:-3] + ("fe" if word == "knives" else "f")
    if len(word) > 4 and word.endswith(("oes", "shes", "ches", "xes", "sses")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


class Spelling:
    """A vocabulary with correction by string similarity."""

    def __init__(self, known: Mapping[str, int]) -> None:
        self.known = known
        self._long = [word for word in known if len(word) > 3]
        self._guesses: dict[str, str] = {}

    def number(self, word: str, unknown: int) -> int:
        """The token number of a word or of its correction."""
        found = self.known.get(word)
        return self.known.get(self.guess(word), unknown) if found is None else found

    def guess(self, word: str) -> str:
        """The known word that a word most likely misspells; empty if there is none."""
        if word not in self._guesses:
            near = difflib.get_close_matches(word, self._long, 1, CLOSE) if 3 < len(word) < 20 else []
            self._guesses[word] = next(iter(near), "")
        return self._guesses[word]
