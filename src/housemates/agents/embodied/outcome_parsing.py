"""What a hand learns: outcomes of acts tell the type of what was touched, whatever eyes took it for."""

from __future__ import annotations

import numpy as np

from housemates.agents.embodied.object_memory import Memory, Seen
from housemates.core.outcome import Outcome, Reason
from housemates.home.kinds import BASIN_TYPES
from housemates.home.things import REACH_M
from housemates.home.types import Vec

PUSH = 1.2
"""How many times farther away than it seemed a thing is at least that was out of reach."""
UNTOLD = (Reason.IN_HAND, Reason.NEEDS_KNIFE, Reason.CUT_UP)
"""Refusals after which nothing is concluded from the type of what was touched."""
CERTAIN = 0.8
"""How sure eyes are of what cannot be carried to be believed rather than the hand."""


def touched(outcome: Outcome) -> str:
    """The type of what an act touched; empty if its outcome tells none."""
    return "" if outcome.reason in UNTOLD else str(outcome.data.get("type", ""))


def alike(one: str, other: str) -> bool:
    """Whether two names may be of one thing: a sink is touched where its basin is."""
    return BASIN_TYPES.get(one, one) == BASIN_TYPES.get(other, other)


def learn(memory: Memory, key: str, name: str, outcome: Outcome, here: Vec) -> Outcome:
    """Correct what a thing was taken for, and where, by what its touch tells.

    Returns the outcome, or, where another thing was touched than the one that was meant, a failure whose
    reason is `done` if something was done with that and `nothing_there` if not.
    """
    thing, kind = memory.things[key], touched(outcome)
    if outcome.reason in (Reason.TOO_FAR, Reason.ROOM_TOO_FAR):
        _push(thing, here)
    if outcome.reason is Reason.NOTHING_THERE:
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
    return Outcome(False, Reason.DONE if outcome.success else Reason.NOTHING_THERE)


def _certain(memory: Memory, thing: Seen) -> bool:
    """Whether a thing is what it seems: large, and seen well. Then one has only pointed beside it."""
    return not thing.can("pickup") and memory.sure.get(thing.key, 1.0) >= CERTAIN


def _push(thing: Seen, here: Vec) -> None:
    """Know that a thing is farther away than it seemed: out of reach."""
    away = float(np.linalg.norm(thing.points - np.asarray(here), axis=1).min())
    thing.points = here + (thing.points - here) * max(PUSH, REACH_M / max(away, 0.1))


def mistaken(outcome: Outcome) -> bool:
    """Whether something was done, but with another thing than the one that was meant."""
    return outcome.reason is Reason.DONE and not outcome.success
