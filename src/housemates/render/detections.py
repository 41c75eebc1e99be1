"""Glimpses: the things that somebody makes out in a picture, and how sure they are of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.home.things import Thing
from housemates.home.types import object_type
from housemates.render.frames import Frame

AFFORDANCES = {"open": "open", "on": "toggle", "filled": "fill", "dirty": "dirty", "cooked": "cook"}
"""What can be seen of the state of a thing, and what it must afford for it to have that state.

That something is sliced shows in its type.
"""
STATES = tuple(AFFORDANCES)
BURNER = "StoveBurner"
"""What is on while it is hot, though knobs switch it."""


class Seen(NamedTuple):
    """A thing in a picture: what it is, the box around its pixels (`right` and `bottom` are outside)."""

    type: str
    number: int
    """Which pixels are its own: those with this number in the glimpse."""
    left: int
    top: int
    right: int
    bottom: int
    pixels: int
    confidence: float = 1.0
    """How likely its type is right."""
    states: Mapping[str, float] = MappingProxyType({})
    """How likely each state is, for those that its type can have; empty where nobody judged them."""
    id: str = ""
    """Its id, where the simulator told it."""


@dataclass(frozen=True)
class Glimpse:
    """What is made out in one picture."""

    numbers: NDArray[np.uint16]
    """(height, width): the number of the thing at each pixel; 0 for nothing or the building."""
    things: Sequence[Seen] = ()
    depth: NDArray[np.float32] | None = field(default=None, compare=False)
    """(height, width): metres along the view axis, where it is known."""

    def mask(self, thing: Seen) -> NDArray[np.bool_]:
        """Where a thing is seen."""
        return np.asarray(self.numbers == thing.number)


@cache
def possible_states(name: str) -> tuple[str, ...]:
    """The states that things of a type can have."""
    kind = object_type(name)
    return ("on",) if name == BURNER else tuple(each for each in STATES if kind.can(AFFORDANCES[each]))


def states_of(thing: Thing) -> dict[str, bool]:
    """The state that a thing is in, by name, as far as it can have one."""
    if thing.type == BURNER:
        return {"on": thing.temperature == "Hot"}
    now = {
        **{each: getattr(thing, each) for each in STATES if each != "filled"},
        "filled": bool(thing.liquid),
    }
    return {each: now[each] for each in STATES if thing.can(AFFORDANCES[each])}


def given(frame: Frame) -> Glimpse:
    """What the simulator's own segmentation and depth tell of a picture: every thing, and no state.

    The arrays are the frame's own.
    """
    things = [
        Seen(
            each.type,
            frame.numbers[each.id],
            each.left,
            each.top,
            each.right,
            each.bottom,
            each.pixels,
            id=each.id,
        )
        for each in frame.boxes()
    ]
    return Glimpse(frame.ids, things, frame.depth)
