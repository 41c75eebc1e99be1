"""What a hand learns: outcomes of acts tell the type of what was touched, whatever eyes took it for."""

from __future__ import annotations

import numpy as np

from housemates.agents.embodied.object_memory import ObjectMemory, TrackedObject
from housemates.core.outcome import Outcome, Reason
from housemates.home.interactions import BASIN_TYPES
from housemates.home.things import REACH_M
from housemates.home.types import Vec

PUSH = 1.2
"""How many times farther away than it seemed a thing is at least that was out of reach."""
UNTOLD = (Reason.IN_HAND, Reason.NEEDS_KNIFE, Reason.CUT_UP)
"""Refusals after which nothing is concluded from the type of what was touched."""


def touched(outcome: Outcome) -> str:
    """The type of what an act touched; empty if its outcome tells none."""
    return "" if outcome.reason in UNTOLD else str(outcome.data.get("type", ""))


def alike(one: str, other: str) -> bool:
    """Whether two names may be of one thing: a sink is touched where its basin is."""
    return BASIN_TYPES.get(one, one) == BASIN_TYPES.get(other, other)


def learn(memory: ObjectMemory, key: str, name: str, outcome: Outcome, here: Vec) -> Outcome:
    """Correct what a thing was taken for, and where, by what its touch tells.

    Returns the outcome, or, where another thing was touched than the one that was meant, a failure whose
    reason is `done` if something was done with that and `nothing_there` if not.
    """
    thing, kind = memory.things[key], touched(outcome)
    if outcome.reason in (Reason.TOO_FAR, Reason.ROOM_TOO_FAR):
        _push(thing, here)
    if outcome.reason is Reason.NOTHING_THERE:
        thing.misses, thing.open = thing.misses + 1, False
        memory.void_places.setdefault(thing.type, []).append(thing.middle)
    if not kind:
        return outcome
    if alike(kind, thing.type):
        thing.confirmed = True
        return outcome
    if thing.is_unseen_since_put and not outcome.success:
        thing.misses += 1
        return outcome
    if not (thing.confirmed or _certain(memory, thing)):
        thing.type, thing.detected_type, thing.confirmed = kind, thing.type, True
    elif outcome.success and name == "Pickup":
        memory.hold(f"{key} {kind}", kind, here)
    elif not thing.confirmed:
        thing.misses += 1
    if outcome.success and name in ("Open", "Close"):
        return outcome
    return Outcome(False, Reason.DONE if outcome.success else Reason.NOTHING_THERE)


def _certain(memory: ObjectMemory, thing: TrackedObject) -> bool:
    """Whether a thing is what it seems: large, and seen well. Then one has only pointed beside it."""
    return not thing.can("pickup") and memory.confidence.get(thing.key, 1.0) >= memory.perception.certain


def _push(thing: TrackedObject, here: Vec) -> None:
    """Know that a thing is farther away than it seemed: out of reach."""
    away = float(np.linalg.norm(thing.points - np.asarray(here), axis=1).min())
    thing.points = here + (thing.points - here) * max(PUSH, REACH_M / max(away, 0.1))


def mistaken(outcome: Outcome) -> bool:
    """Whether something was done, but with another thing than the one that was meant."""
    return outcome.reason is Reason.DONE and not outcome.success
