"""Preprocessing of pictures: folding, colour embeddings, viewing rays; and resizing of maps."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from housemates.jit import compiled
from housemates.models.segmentation.config import COARSE, SIDE

HUES = 12
"""Size of a colour's embedding, computed by `colour_statistics`."""
KNOWN = Path(__file__).parent / "hues.npz"
CHANNELS = COARSE * COARSE * (3 + HUES)
"""Channels of a folded 4x4 square."""
RAYS = 4
RAY_MIDDLES = np.array([0.0, 0.0, 0.6, -1.25], np.float32)
RAY_STEPS = np.array([1.25, 1.75, 1.15, 1.75], np.float32) / np.float32(127.0)
RAY_ZERO = 128
"""Quantisation of rays: value of the middle byte, step, and the middle byte."""
LEAST_RISE = 0.05
"""Rays that rise or fall by less a metre into the view count as if by so much."""


def keys_of(rgb: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """(height, width) integers of RGB colours."""
    red, green, blue = (rgb[..., each].astype(np.uint32) for each in range(3))
    return np.asarray(red << 16 | green << 8 | blue, np.uint32)


@cache
def known_hues(file: Path = KNOWN) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    """Known colours, sorted, (colours,), and their embeddings as bytes around 128, (colours, HUES)."""
    with np.load(file, allow_pickle=False) as found:
        return found["colours"], (found["hues"].astype(np.int16) + 128).astype(np.uint8)


@cache
def _first(file: Path = KNOWN) -> NDArray[np.int32]:
    """The index of the first known colour of each (red, green)."""
    return np.searchsorted(known_hues(file)[0], np.arange(0, (1 << 24) + 1, 1 << 8)).astype(np.int32)


def folded(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(..., 75, 75, channels) bytes of pictures: space-to-depth of 4x4 squares, colour and embedding."""
    *many, height, width, _ = rgb.shape
    pictures = np.ascontiguousarray(rgb).reshape(-1, height, width, 3)
    out = np.empty((len(pictures), height // COARSE, width // COARSE, CHANNELS), np.uint8)
    colours, hues = known_hues()
    for picture, squares in zip(pictures, out, strict=True):
        _fold(picture, colours, _first(), hues, squares)
    return out.reshape(*many, *out.shape[1:])


@compiled
def _fold(picture, colours, first, hues, out):  # type: ignore[no-untyped-def]
    """Space-to-depth; an unknown colour gets the embedding of the nearest known one."""
    size = 3 + HUES
    known, row_of = np.uint32(1 << 24), 0
    for row in range(out.shape[0] * COARSE):
        for across in range(out.shape[1]):
            square = out[row // COARSE, across]
            for inside in range(COARSE):
                pixel = picture[row, across * COARSE + inside]
                key = np.uint32(pixel[0]) << 16 | np.uint32(pixel[1]) << 8 | np.uint32(pixel[2])
                if key != known:
                    known, row_of = key, _nearest(colours, first, key)
                at = size * (row % COARSE * COARSE + inside)
                for channel in range(3):
                    square[at + channel] = pixel[channel]
                for channel in range(HUES):
                    square[at + 3 + channel] = hues[row_of, channel]


def pooled(rgb: NDArray[np.uint8], side: int, file: Path = KNOWN) -> NDArray[np.float32]:
    """(36, side, side): mean, maximum and minimum of colour embeddings in each cell of a picture."""
    out = np.empty((side, side, 3, HUES), np.float32)
    colours, hues = known_hues(file)
    _pool(np.ascontiguousarray(rgb), colours, _first(file), hues, out)
    return np.ascontiguousarray((out.reshape(side, side, -1).transpose(2, 0, 1) - 128) / 128)


@compiled
def _pool(picture, colours, first, hues, out):  # type: ignore[no-untyped-def]
    """Pool cell by cell; runs of one colour are looked up once."""
    side, size = out.shape[0], hues.shape[1]
    tall, wide = picture.shape[0] // side, picture.shape[1] // side
    last, at = np.uint32(0), 0
    for cell in range(side * side):
        found, counts = out[cell // side, cell % side], np.zeros(size, np.int64)
        found[1], found[2] = 0.0, 255.0
        top, left, run = cell // side * tall, cell % side * wide, 0
        for number in range(tall * wide + 1):
            pixel = picture[top + min(number, tall * wide - 1) // wide, left + number % wide]
            key = np.uint32(pixel[0]) << 16 | np.uint32(pixel[1]) << 8 | np.uint32(pixel[2])
            if run and (key != last or number == tall * wide):
                hue = hues[at]
                for each in range(size):
                    counts[each] += run * hue[each]
                    found[1, each] = max(found[1, each], hue[each])
                    found[2, each] = min(found[2, each], hue[each])
                run = 0
            if key != last:
                last, at = key, _nearest(colours, first, key)
            run += 1
        found[0] = counts / (tall * wide)


@compiled
def _nearest(colours, first, key):  # type: ignore[no-untyped-def]
    """The index of a colour among the known ones, or of the nearest one in order."""
    low, high = first[key >> 8], first[(key >> 8) + 1]
    while low < high:
        middle = (low + high) // 2
        if colours[middle] < key:
            low = middle + 1
        else:
            high = middle
    low = min(low, len(colours) - 1)
    if low and key < colours[low] and key - colours[low - 1] < colours[low] - key:
        return low - 1
    return low


def rays(horizon: float, fov: float) -> NDArray[np.float32]:
    """(75, 75, 4): where the squares of a picture are seen: to the right, up and ahead, a metre into it.

    The last number is the logarithm of how much they rise or fall: less by as much as the depth of a level
    surface there is more.

    Args:
        horizon: Degrees that the camera looks down.
        fov: Its field of view in degrees.
    """
    across = (np.arange(SIDE // COARSE) + 0.5) * COARSE / SIDE * 2 - 1
    reach, down = np.tan(np.radians(fov) / 2), np.radians(horizon)
    right, up = np.meshgrid(across * reach, -across * reach)
    rise = up * np.cos(down) - np.sin(down)
    steep = np.log(np.maximum(np.abs(rise), LEAST_RISE))
    found = [right, rise, np.cos(down) + up * np.sin(down), steep]
    return np.stack(found, axis=-1).astype(np.float32)


@lru_cache(maxsize=32)
def ray_bytes(horizon: float, fov: float) -> NDArray[np.uint8]:
    """(75, 75, 4): `rays` quantised to bytes."""
    steps = np.rint((rays(horizon, fov) - RAY_MIDDLES) / RAY_STEPS) + RAY_ZERO
    return np.asarray(np.clip(steps, 0, 255), np.uint8)


def resized(picture: NDArray[Any], height: int, width: int) -> NDArray[Any]:
    """A picture or map in another size, by nearest neighbour."""
    rows, columns = picture.shape[:2]
    if (rows, columns) == (height, width):
        return picture
    if height % rows == 0 and width % columns == 0:
        return np.asarray(picture.repeat(height // rows, axis=0).repeat(width // columns, axis=1))
    down = ((np.arange(height) + 0.5) * rows / height).astype(np.intp)
    across = ((np.arange(width) + 0.5) * columns / width).astype(np.intp)
    return np.asarray(picture[down[:, None], across])
