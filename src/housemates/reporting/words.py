"""What numbers are called where people read them, and what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from housemates.files import shipped


class Word(NamedTuple):
    """A name of a number, for people."""

    said: str
    unit: str = ""
    """`%` if it is in percent; `share` if it lies between 0 and 1 and is told in percent."""
    means: str = ""


@cache
def _words() -> dict[str, Word]:
    table = shipped(__package__, "words.toml")
    return {name: Word(**entry) if isinstance(entry, dict) else Word(entry) for name, entry in table.items()}


def word(name: str) -> Word:
    """The entry of a name; one that has none is read as it is written."""
    return _words().get(str(name)) or Word(str(name).replace("_", " "))


def known(name: str) -> str:
    """A name in words if it has an entry, else the name itself."""
    return word(name).said if name in _words() else name


def worded(name: str) -> str:
    """A name in words."""
    return word(name).said


def heading(name: str) -> str:
    """A name at the head of a column, with its unit."""
    found = word(name)
    return f"{found.said} %" if found.unit else found.said


def in_percent(name: str, values: Sequence[float]) -> bool:
    """Whether a score from 0 to 1 is told in percent: its entry says so, or without one, its values do."""
    if name in _words():
        return bool(word(name).unit)
    return all(0.0 <= each <= 1.0 for each in values)


def several(count: int, noun: str) -> str:
    """So many of something: `1 episode`, `2 episodes`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def meanings(names: Iterable[str]) -> list[tuple[str, str]]:
    """Those of the names that need an explanation, in words, with what they mean."""
    found = (word(name) for name in dict.fromkeys(names))
    return [(each.said, each.means) for each in found if each.means]
