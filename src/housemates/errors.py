"""The exceptions that a user's mistake raises, and how they are told: on one line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LONGEST = 1000
"""Characters of a sentence; of a longer one the middle is left out."""


class HousematesError(ValueError):
    """Something a user gave is wrong; the message says what, where, and what was expected.

    The command line prints the message and exits with code 2. State is unchanged when it is raised.
    """

    def __str__(self) -> str:
        """The message on one line, whatever the names in it are made of."""
        return one_line(super().__str__())


class NothingDone(HousematesError):
    """There was nothing to do; the message says why. The command line prints it and exits with code 1."""


class ExtraMissing(HousematesError):
    """A package of an extra is not installed; the message names both."""


def one_line(text: str) -> str:
    """A text that may hold anything as one line, not too long, that every terminal can show."""
    clear = text if text.isprintable() else "".join(map(_clear, text))
    half = LONGEST // 2
    return clear if len(clear) <= LONGEST else f"{clear[:half]} ... {clear[-half:]}"


def _clear(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character.isspace() else character.encode("unicode_escape").decode()


def nearest(word: str, known: Iterable[str]) -> str:
    """The names of all that is known, the one most like a word first in the sentence if there is one."""
    names = [str(each) for each in known]
    close = difflib.get_close_matches(word, names, 1)
    listed = ", ".join(names) if len(names) <= 40 else ", ".join([*names[:40], "..."])
    return f"did you mean {close[0]!r}? Known are {listed}" if close else f"expected one of {listed}"
