"""What a hand learns: messages about acts name the thing that was touched, whatever eyes took it for."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from housemates.agents.embodied.object_memory import Memory, Seen
from housemates.core.outcome import Outcome, spoken
from housemates.home.kinds import BASIN_TYPES
from housemates.home.things import REACH_M
from housemates.home.types import Vec, object_types

PUSH = 1.2
"""How many times farther away than it seemed a thing is at least that was out of reach."""
MISTAKEN, OTHER = "Done by mistake with a", "That is a"
"""How an outcome begins that came about with another thing than the one that was meant, or did not."""
NOTHING, FAR = "there is nothing", "too far away"
"""What messages say where nothing fit is touched, and what is out of reach."""
STATES = {"open already": True, "open. Close": True, "closed already": False, "closed. Open": False}
"""What messages say of a door, and whether it is open then."""
LAST = re.compile(r"Placed|Poured|Place: (?:the|no) free room|.*in the way of")
"""Messages that name the touched thing last; others name it first."""
OTHERS = re.compile(r".*(?:your hand|The way)")
"""Messages that are not about the touched thing."""
CERTAIN = 0.8
"""How sure eyes are of what cannot be carried to be believed rather than the hand."""
PIECES = re.compile(r"into (\d+) pieces")
"""Messages that tell how many pieces were cut."""
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


def door(name: str, outcome: Outcome) -> bool | None:
    """Whether a door is open after an act, as far as its outcome tells."""
    told = [is_open for words, is_open in STATES.items() if words in outcome.message]
    if outcome.success and name in ("Open", "Close"):
        told.append(name == "Open")
    return told[-1] if told else None


def pieces(outcome: Outcome) -> int:
    """How many pieces a thing was cut into, as far as its outcome tells."""
    found = PIECES.search(outcome.message)
    return int(found[1]) if found else 0


def learn(memory: Memory, key: str, name: str, outcome: Outcome, here: Vec) -> Outcome:
    """Correct what a thing was taken for, and where, by what its touch tells; then the act was a mistake."""
    thing, kind = memory.things[key], named(outcome.message)
    if FAR in outcome.message:
        _push(thing, here)
    if NOTHING in outcome.message and "in your hand" not in outcome.message:
        thing.missed, thing.open = thing.missed + 1, False
        memory.voids.setdefault(thing.type, []).append(thing.middle)
    if not kind:
        return outcome
    if alike(kind, thing.type):
        thing.sworn = True
        return outcome
    if thing.laid and not outcome.success:
        thing.missed += 1
        return outcome
    if not (thing.sworn or _certain(memory, thing)):
        thing.type, thing.seemed, thing.sworn = kind, thing.type, True
    elif outcome.success and name == "Pickup":
        memory.hold(f"{key} {kind}", kind, here)
    elif not thing.sworn:
        thing.missed += 1
    if outcome.success and name in ("Open", "Close"):
        return outcome
    return Outcome(False, f"{MISTAKEN if outcome.success else OTHER} {kind}.")


def _certain(memory: Memory, thing: Seen) -> bool:
    """Whether a thing is what it seems: large, and seen well. Then one has only pointed beside it."""
    return not thing.can("pickup") and memory.sure.get(thing.key, 1.0) >= CERTAIN


def _push(thing: Seen, here: Vec) -> None:
    """Know that a thing is farther away than it seemed: out of reach."""
    away = float(np.linalg.norm(thing.points - np.asarray(here), axis=1).min())
    thing.points = here + (thing.points - here) * max(PUSH, REACH_M / max(away, 0.1))


def mistaken(outcome: Outcome) -> bool:
    """Whether something was done, but with another thing than the one that was meant."""
    return outcome.message.startswith(MISTAKEN)
