"""How things fall into pieces."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import msgspec

from housemates.files import shipped
from housemates.home.things import Thing, to_world
from housemates.home.tilt import upright
from housemates.home.types import Vec, object_type
from housemates.home.world import rounded

BACK = 0.58
"""How far the pieces of the back half reach, as they fall apart a little; 0.5 would be no gaps."""
SINK_M = 0.006
"""How much lower than the whole its pieces come to lie."""


class Piece(NamedTuple):
    """How a piece lies beside the pivot of the whole."""

    place: Vec
    """The middle of its base, from the pivot, in the frame of the whole."""
    size: Vec
    turn: float = 0.0
    """Degrees by which it is turned against the whole."""


def pieces(whole: Thing) -> list[Thing]:
    """The pieces a thing is cut into, lying where it lay.

    Known assets fall into their own pieces. Of any other, the pieces lie in a row along its own z axis:
    the first is its front half, the others share the back half.
    """
    whole = upright(whole)
    cut = asset_pieces(whole.name) or _row(whole, whole.slices or whole.kind.slices)
    return [_piece(whole, index, piece) for index, piece in enumerate(cut)]


def asset_pieces(name: str) -> tuple[Piece, ...]:
    """The pieces of an asset of AI2-THOR, by its name such as `Bread_14bde010(Clone)`; none if not known."""
    return _assets().get(name.split("(")[0], ())


@cache
def _assets() -> dict[str, tuple[Piece, ...]]:
    return {
        name: tuple(
            Piece((x, y, z), (width, height, depth), *turn) for x, y, z, width, height, depth, *turn in rows
        )
        for name, rows in shipped(__package__, "pieces.json").items()
    }


def _row(whole: Thing, count: int) -> list[Piece]:
    """So many pieces in a row."""
    width, height, depth = whole.size
    x, y, z = whole.pivot
    found = []
    for start, end in _spans(count):
        middle = (start + end) / 2
        shrink = 1.0 - 0.5 * max(0.0, abs(middle) - 0.25)
        size = (width * shrink, height * shrink, max(depth * (end - start), 0.01))
        found.append(Piece((-x, -SINK_M - y, middle * depth - z), size))
    return found


def _spans(count: int) -> list[tuple[float, float]]:
    """Where each piece begins and ends along z, from -0.5 (back) to 0.5 (front)."""
    if count <= 0:
        return []
    if count == 1:
        return [(-0.5, 0.5)]
    thin = BACK / (count - 1)
    return [(0.0, 0.5), *((-(i + 1) * thin, -i * thin) for i in range(count - 1))]


def _piece(whole: Thing, index: int, piece: Piece) -> Thing:
    kind = piece_type(whole, index)
    size = object_type(kind).size if kind == "EggCracked" else piece.size
    x, y, z = (pivot + offset for pivot, offset in zip(whole.pivot, piece.place, strict=True))
    return msgspec.structs.replace(
        whole,
        id=f"{whole.id}|{kind}_{index}",
        type=kind,
        position=rounded(to_world(whole, (x, y, z))),
        size=size,
        yaw=(whole.yaw + piece.turn) % 360,
        dirty=False,
        slices=-1,
        parts=(),
        pivot=(0.0, size[1] / 2, 0.0),
        name="",
    )


def piece_type(whole: Thing, index: int) -> str:
    """What the piece of this number is: the first of a loaf is still bread, all others are slices."""
    if whole.type == "Bread" and index == 0:
        return "Bread"
    return whole.kind.slice_type
