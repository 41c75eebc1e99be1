"""How much colour alone tells: the most frequent type of each colour, tried on generated rooms."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.home import World
from housemates.models.segmentation.test_pictures import rooms
from housemates.render.frames import Frame
from housemates.render.looks import LooksName

LEARNT = 4
"""How many pictures are learnt from for each that is tried."""
EVERY = 3
"""Every third pixel of every third row is counted."""
BITS = (8, 6, 5, 4)
"""To how many bits a channel colours are rounded."""


class Pixels(NamedTuple):
    """The colours and types of many pixels."""

    colours: NDArray[np.int64]
    """(pixels, 3)."""
    types: NDArray[np.int64]
    """(pixels,): as `type_numbers` counts them, 0 for the building."""


def share_told(looks: LooksName, split: str, count: int) -> dict[str, Any]:
    """Percent of pixels whose type is the one that their colour has most often in pictures of other rooms.

    `rounded` has it for colours with fewer bits a channel; a colour that was not met is taken for the most
    frequent type of all, whose share is `most_frequent`. `told` is the largest of them.
    """
    learnt, tried = _pixels("train", LEARNT * count, looks, 1), _pixels(split, count, looks, 2)
    usual = int(np.bincount(learnt.types).argmax())
    rounded = {str(bits): _right(_guessed(learnt, tried, bits, usual), tried) for bits in BITS}
    return {
        "told": max(rounded.values()),
        "rounded": rounded,
        "most_frequent": _right(np.full(len(tried.types), usual), tried),
        "pixels": len(tried.types),
    }


def _pixels(split: str, count: int, looks: LooksName, seed: int) -> Pixels:
    colours: list[NDArray[np.uint8]] = []
    types: list[NDArray[np.int64]] = []

    def look(frame: Frame, world: World) -> None:
        colours.append(frame.rgb[::EVERY, ::EVERY].reshape(-1, 3).copy())
        types.append(frame.types()[::EVERY, ::EVERY].astype(np.int64).ravel())

    rooms(split, count, look, looks, seed)
    return Pixels(np.concatenate(colours).astype(np.int64), np.concatenate(types))


def _guessed(learnt: Pixels, tried: Pixels, bits: int, otherwise: int) -> NDArray[np.int64]:
    """The most frequent type of each pixel's colour."""
    pairs, often = np.unique(_keys(learnt, bits) * 256 + learnt.types, return_counts=True)
    order = np.lexsort((often, pairs // 256))
    keys, types = pairs[order] // 256, pairs[order] % 256
    last = np.append(keys[1:] != keys[:-1], True)
    keys, types = keys[last], types[last]
    wanted = _keys(tried, bits)
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    found: NDArray[np.int64] = np.where(keys[at] == wanted, types[at], otherwise)
    return found


def _keys(pixels: Pixels, bits: int) -> NDArray[np.int64]:
    red, green, blue = (pixels.colours >> (8 - bits)).T
    found: NDArray[np.int64] = (red << 16) + (green << 8) + blue
    return found


def _right(guessed: NDArray[np.int64], tried: Pixels) -> float:
    return round(100 * float(np.mean(guessed == tried.types)), 1)
