"""Lessons: what is tried in a tutorial, one after the other, and which acts show that it was."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple


class Lesson(NamedTuple):
    """A step of a tutorial, with what shows that it was done."""

    text: str
    keys: str
    """The keys that do it, for those who have a keyboard."""
    acts: tuple[str, ...]
    """It is learnt when one of them was done."""


def told(lessons: Sequence[Lesson], done: Collection[str]) -> list[dict[str, Any]]:
    """What the page is told of the lessons, given the acts that were done."""
    return [
        {"text": each.text, "keys": each.keys, "done": any(act in done for act in each.acts)}
        for each in lessons
    ]
