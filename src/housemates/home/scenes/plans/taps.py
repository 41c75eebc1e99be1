"""What recorded faucets look like: AI2-THOR's boxes tell which of a few models one is."""

from __future__ import annotations

import msgspec

from housemates.home.things import Thing

TALL = 1.4
"""A faucet so much taller than wide is no mixer with two handles."""
NARROW_M = 0.15
"""One that is narrower has its lever on top, a wider one at its side."""
HIGH_M = 0.42
"""One that is higher has a hose."""
DEEP = 1.25
"""One so much deeper than wide has its spout at the right instead of the left."""


def recorded_faucet(thing: Thing) -> Thing:
    """A faucet that faces the room, with the shape that goes with its box."""
    width, height, depth = thing.size
    if height < TALL * width:
        return thing
    if width < NARROW_M:
        return msgspec.structs.replace(thing, shape="pillar_tap")
    shape = "gooseneck" if height < HIGH_M else "hose_tap"
    return msgspec.structs.replace(thing, shape=shape, mirrored=depth > DEEP * width)
