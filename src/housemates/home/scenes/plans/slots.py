"""Where toasters and microwaves take things: it depends on the asset, or is the same for all."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from housemates.files import shipped
from housemates.home.things import AGENT_HEIGHT_M, CAMERA_ABOVE_AGENT_M, Thing, Zone, turned
from housemates.home.zones import ABOVE_M

SUNK = 0.44
"""How high the slice stands, as a share of the toaster's box."""
ALONG_DEG = 270.0
"""How the slice is turned against the toaster."""

CAVITY_M = (-0.146, 0.0285, 0.270, 0.2937)
"""The zone of a microwave: left, back, right and front, from the middle and from the back of its box."""
CAVITY_FLOOR_M = 0.105
"""How high above its base things stand in it, on a glass that from below is not seen,"""
CAVITY_RIM_M = 0.074
"""as what is behind the rim is."""


def slot(toaster: Thing) -> tuple[Zone, ...]:
    """The one place of a toaster, if its asset is known."""
    across = _slots().get(toaster.name.split("(")[0])
    if across is None:
        return ()
    x, z = turned(across, 0.0, -ALONG_DEG)
    return (Zone(x, z, x, z, SUNK * toaster.size[1], ALONG_DEG),)


def recorded_microwave(thing: Thing, floor_y: float) -> Thing:
    """A microwave with its case, and its floor as high as it seems to be from where people's eyes are."""
    eye = floor_y + AGENT_HEIGHT_M + CAMERA_ABOVE_AGENT_M
    above = thing.position[1] + CAVITY_FLOOR_M > eye
    level = CAVITY_RIM_M if above else CAVITY_FLOOR_M - ABOVE_M
    return msgspec.structs.replace(thing, shape="recorded_microwave", levels=(level,))


def cavity(microwave: Thing, learnt: Sequence[Zone]) -> Zone:
    """The zone of a microwave, as high as the one that was learnt."""
    x0, z0, x1, z1 = CAVITY_M
    back = -microwave.size[2] / 2
    return Zone(x0, back + z0, x1, back + z1, learnt[0].y if learnt else CAVITY_FLOOR_M)


def _slots() -> dict[str, float]:
    """Asset name -> how far to its right the slot is, in metres."""
    return shipped(__package__, "slots.json")
