"""Outcome parsing: what the outcome of an object action tells about the type and place of its object."""

from __future__ import annotations

import numpy as np

from housemates.agents.embodied.object_memory import ObjectMemory, TrackedObject
from housemates.core.outcome import Outcome, Reason
from housemates.home.kinds import BASIN_TYPES
from housemates.home.things import REACH_M
from housemates.home.types import Vec

PUSH = 1.2
"""Least factor by which an object that was out of reach is moved away."""
UNTOLD = (Reason.IN_HAND, Reason.NEEDS_KNIFE, Reason.CUT_UP)
"""Reasons that tell nothing about the type of the object."""


def touched(outcome: Outcome) -> str:
    """The type that an outcome tells; empty if it tells none."""
    return "" if outcome.reason in UNTOLD else str(outcome.data.get("type", ""))


def alike(one: str, other: str) -> bool:
    """Whether two types may name one object, as a sink and its basin do."""
    return BASIN_TYPES.get(one, one) == BASIN_TYPES.get(other, other)


def learn(memory: ObjectMemory, key: str, name: str, outcome: Outcome, here: Vec) -> Outcome:
    """Correct type, place and existence of an object by the outcome of an act on it.

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
    """Whether the detection is to be believed rather than the outcome: a fixed object, seen well."""
    return not thing.can("pickup") and memory.confidence.get(thing.key, 1.0) >= memory.perception.certain


def _push(thing: TrackedObject, here: Vec) -> None:
    """Move an object that was out of reach away from a position in metres."""
    away = float(np.linalg.norm(thing.points - np.asarray(here), axis=1).min())
    thing.points = here + (thing.points - here) * max(PUSH, REACH_M / max(away, 0.1))


def mistaken(outcome: Outcome) -> bool:
    """Whether the act succeeded, but on another object than the one that was meant."""
    return outcome.reason is Reason.DONE and not outcome.success
