"""What must not be said: ids of objects, coordinates, names of actions."""

from __future__ import annotations

import re
from functools import cache

from housemates.benchmarks.teach.world.actions import actions
from housemates.home.types import object_types

ID = re.compile(r"[A-Za-z]+\|")
COORDINATE = re.compile(r"\d+[.,]\d+|\(\s*-?\d+\s*,\s*-?\d+")
CAMEL = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b")


def leak(text: str) -> str | None:
    """The first id, coordinate or name of an action or a type in an utterance; None if it is plain English.

    `pick up` and `turn on` are plain English, `Pickup` and `ToggleOn` are not.
    """
    for pattern in (ID, COORDINATE):
        found = pattern.search(text)
        if found is not None:
            return found[0]
    for word in re.findall(r"[A-Za-z_]+", text):
        if word in _names() or CAMEL.fullmatch(word):
            return str(word)
    return None


@cache
def _names() -> frozenset[str]:
    """Names of actions and types that are no ordinary words."""
    moves = {action.name.replace(" ", "") for action in actions().values()}
    names = {name for name in (*moves, *object_types()) if CAMEL.fullmatch(name)}
    return frozenset(
        {
            "Pickup",
            "pickup",
            "Pan_Left",
            "Pan_Right",
            *names,
            *(name.lower() for name in moves if CAMEL.fullmatch(name)),
        }
    )
