"""What a hand learns: messages about acts name the thing that was touched, whatever eyes took it for."""

from __future__ import annotations

import re
from functools import cache

from housemates.home.interactions import BASIN_TYPES
from housemates.home.outcome import Outcome, spoken
from housemates.home.types import object_types

MISTAKEN = "Done by mistake with a"
"""How an outcome begins that came about with another thing than the one that was meant."""
NOTHING, FAR = "there is nothing", "too far away"
"""What messages say where nothing fit is touched, and what is out of reach."""
STATES = {"open already": True, "open. Close": True, "closed already": False, "closed. Open": False}
"""What messages say of a door, and whether it is open then."""
LAST = re.compile(r"Placed|Poured|Place: (?:the|no) free room|.*in the way of")
"""Messages that name the touched thing last; others name it first."""
OTHERS = re.compile(r".*(?:your hand|The way)")
"""Messages that are not about the touched thing."""
LONGEST = 4
"""Words of a type's name."""


@cache
def _types() -> dict[str, str]:
    return {spoken(name): name for name in object_types()}


def named(message: str) -> str:
    """The type of what an act touched, as its message has it; empty if it names none."""
    if OTHERS.match(message):
        return ""
    phrases = re.split(r"\b(?:the|an?) ", message)[1:]
    kinds = [kind for kind in map(_leading, phrases) if kind]
    return kinds[-1 if LAST.match(message) else 0] if kinds else ""


def _leading(phrase: str) -> str:
    """The type that a phrase begins with."""
    words = re.findall(r"[a-z]+", phrase.split(".")[0])
    found = (_types().get(" ".join(words[:end])) for end in range(min(len(words), LONGEST), 0, -1))
    return next((kind for kind in found if kind), "")


def alike(one: str, other: str) -> bool:
    """Whether two names may be of one thing: a sink is touched where its basin is."""
    return BASIN_TYPES.get(one, one) == BASIN_TYPES.get(other, other)


def mistaken(outcome: Outcome) -> bool:
    """Whether something was done, but with another thing than the one that was meant."""
    return outcome.message.startswith(MISTAKEN)
