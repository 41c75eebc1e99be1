"""How things fall into pieces."""

from __future__ import annotations

import msgspec

from housemates.home.things import Thing, to_world
from housemates.home.types import object_type
from housemates.home.world import rounded

BACK = 0.58
"""How far the pieces of the back half reach, as they fall apart a little; 0.5 would be no gaps."""
SINK_M = 0.006
"""How much lower than the whole its pieces come to lie."""


def pieces(whole: Thing) -> list[Thing]:
    """The pieces a thing is cut into, lying where it lay.

    They lie in a row along its own z axis: the first is its front half, the others share the back half.
    """
    count = whole.slices or whole.kind.slices
    if count <= 0:
        return []
    spans = _spans(count)
    return [_piece(whole, index, *span) for index, span in enumerate(spans)]


def _spans(count: int) -> list[tuple[float, float]]:
    """Where each piece begins and ends along z, from -0.5 (back) to 0.5 (front)."""
    if count == 1:
        return [(-0.5, 0.5)]
    thin = BACK / (count - 1)
    return [(0.0, 0.5), *((-(i + 1) * thin, -i * thin) for i in range(count - 1))]


def _piece(whole: Thing, index: int, start: float, end: float) -> Thing:
    kind = piece_type(whole, index)
    width, height, depth = whole.size
    middle = (start + end) / 2
    shrink = 1.0 - 0.5 * max(0.0, abs(middle) - 0.25)
    size = (width * shrink, height * shrink, max(depth * (end - start), 0.01))
    if kind == "EggCracked":
        size = object_type(kind).size
    position = rounded(to_world(whole, (0.0, -SINK_M, middle * depth)))
    return msgspec.structs.replace(
        whole,
        id=f"{whole.id}|{kind}_{index}",
        type=kind,
        position=position,
        size=size,
        dirty=False,
        slices=-1,
        parts=(),
        pivot=(0.0, 0.0, 0.0),
        name="",
    )


def piece_type(whole: Thing, index: int) -> str:
    """What the piece of this number is: the first of a loaf is still bread, all others are slices."""
    if whole.type == "Bread" and index == 0:
        return "Bread"
    return whole.kind.slice_type
