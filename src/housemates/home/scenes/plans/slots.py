"""In which slot a toaster takes a slice: it depends on the asset."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

from housemates.home.things import Thing, Zone, turned

SUNK = 0.44
"""How high the slice stands, as a share of the toaster's box."""
ALONG_DEG = 270.0
"""How the slice is turned against the toaster."""


def slot(toaster: Thing) -> tuple[Zone, ...]:
    """The one place of a toaster, if its asset is known."""
    across = _slots().get(toaster.name.split("(")[0])
    if across is None:
        return ()
    x, z = turned(across, 0.0, -ALONG_DEG)
    return (Zone(x, z, x, z, SUNK * toaster.size[1], ALONG_DEG),)


@cache
def _slots() -> dict[str, float]:
    """Asset name -> how far to its right the slot is, in metres."""
    text = resources.files(__package__).joinpath("slots.json").read_text(encoding="utf-8")
    table: dict[str, float] = json.loads(text)
    return table
