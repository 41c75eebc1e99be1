"""The rasteriser: faces and cameras in; colours, instance numbers and depths out.

Any world can be drawn once it is given as faces; `scene` does so for homes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.errors import HousematesError
from housemates.render.camera import Camera
from housemates.render.kernels import draw_all
from housemates.render.shading import BLOCK_PX, SHADES

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]


class Faces(NamedTuple):
    """F flat convex faces of a world; each is seen only from the side to which its normal points."""

    corners: Floats
    """(F, 4, 3): points in metres, clockwise as seen; a triangle has its last one twice."""
    planes: Floats
    """(F, 4): unit normal n and offset d; n·p = d on the face."""
    fields: Floats
    """(F, 3, 4): u, v (in texels) and light, each as gradient g and constant c; the value at p is g·p + c."""
    colours: Floats
    """(F, 2, 3): first and second colour in 0..255, which the pattern mixes."""
    pattern: Bytes
    """(F,): row of the textures; 0 is plain."""
    see_through: Bytes
    """(F,): 1 if every other pixel lets through what is behind."""
    instance: NDArray[np.uint16]
    """(F,): number of the thing it belongs to; 0 for none."""


class Groups(NamedTuple):
    """G runs of faces that are drawn or skipped together."""

    first: Ints
    """(G + 1,): where each run begins; the last one ends at the last entry."""
    spheres: Floats
    """(G, 4): centre and radius around each run."""


class Shadows(NamedTuple):
    """S shadows on level ground: rectangles with round corners that fade out around their edge."""

    spots: Floats
    """(S, 4): middle, and radius of the circle around all that is darker."""
    forms: Floats
    """(S, 7): sine and cosine of its turn, half its width and depth without the corners, their radius, how
    wide the soft edge is, and how much light it takes away, in 256ths."""
    owners: NDArray[np.uint32]
    """(S,): instance that casts it and is not darkened by it."""


NO_SHADOWS = Shadows(np.empty((0, 4), np.float32), np.empty((0, 7), np.float32), np.empty(0, np.uint32))


class Pictures(NamedTuple):
    """What C cameras see."""

    rgb: Bytes
    """(C, H, W, 3)."""
    ids: NDArray[np.uint16]
    """(C, H, W): the instance of each pixel; 0 for nothing or the building."""
    depth: Floats
    """(C, H, W): metres along the view axis; inf where there is nothing."""


class Scratch(NamedTuple):
    """Buffers that one frame after another uses."""

    winner: Ints
    """(H * W,): which of the drawn faces is nearest so far; 0 for none."""
    columns: Floats
    """(W + BLOCK_PX,): 0, 1, 2 ..."""
    lefts: Ints
    """(H,): where each row of the face at hand begins."""
    rights: Ints
    """(H,): where it ends."""
    sources: Ints
    """(S,): the face behind each number that a winner can have."""
    sizes: Ints
    """(S,): how many pixels it has, seen or covered."""
    surfaces: Floats
    """(S, 13): u, v and light of each drawn face over the picture, and its loss of detail."""
    patterns: Bytes
    """(S,): its pattern."""
    marks: NDArray[np.uint32]
    """(S,): its instance, and in the lowest byte its way of shading."""
    flats: NDArray[np.uint32]
    """(S,): its colour on the whole, packed as 0xBBGGRR."""
    shades: NDArray[np.uint32]
    """(S, SHADES): its colours from the first to the second one, if it has a pattern."""
    away: Floats
    """(W + BLOCK_PX,): depths of the row at hand."""
    polygon: Floats
    """(6, 2): a face after clipping, in pixels."""
    texels: Ints
    """(BLOCK_PX,): where the pixels of a block find their texels."""


def empty_pictures(count: int, width: int, height: int) -> Pictures:
    """Pictures to draw into."""
    return Pictures(
        np.empty((count, height, width, 3), np.uint8),
        np.empty((count, height, width), np.uint16),
        np.empty((count, height, width), np.float32),
    )


def empty_scratch(faces: int, width: int, height: int) -> Scratch:
    """Buffers for frames of this size and scenes up to this many faces."""
    return Scratch(
        np.empty(height * width, np.int32),
        np.arange(width + BLOCK_PX, dtype=np.float32),
        np.empty(height, np.int32),
        np.empty(height, np.int32),
        np.empty(faces + 1, np.int32),
        np.empty(faces + 1, np.int32),
        np.empty((faces + 1, 13), np.float32),
        np.empty(faces + 1, np.uint8),
        np.empty(faces + 1, np.uint32),
        np.empty(faces + 1, np.uint32),
        np.empty((faces + 1, SHADES), np.uint32),
        np.ones(width + BLOCK_PX, np.float32),
        np.empty((6, 2), np.float32),
        np.empty(max(width, BLOCK_PX), np.int32),
    )


def draw(
    faces: Faces,
    groups: Groups,
    cameras: Sequence[Camera],
    textures: Bytes,
    background: tuple[int, int, int] = (226, 228, 230),
    scratch: Scratch | None = None,
    out: Pictures | None = None,
    shadows: Shadows = NO_SHADOWS,
) -> Pictures:
    """Draw what each camera sees; all cameras have the same size.

    Args:
        faces: What there is.
        groups: How it is divided for culling.
        cameras: Who looks.
        textures: One row of texels (0 .. SHADES - 1) per pattern, as `patterns.textures()` gives.
        background: Colour where there is nothing.
        scratch: Buffers to reuse, at least as large as `empty_scratch` would make them.
        out: Pictures to overwrite.
        shadows: What darkens level ground; the pictures' colours alone depend on it.
    """
    if not cameras or len({(camera.width, camera.height) for camera in cameras}) != 1:
        raise HousematesError("A batch of cameras: expected at least one, and one size for all.")
    width, height = cameras[0].width, cameras[0].height
    if scratch is None:
        scratch = empty_scratch(len(faces.corners), width, height)
    if out is None:
        out = empty_pictures(len(cameras), width, height)
    packed = cameras[0].packed[None] if len(cameras) == 1 else np.stack([each.packed for each in cameras])
    red, green, blue = background
    colour = np.uint32(red | green << 8 | blue << 16)
    draw_all(
        tuple(faces), tuple(groups), tuple(shadows), packed, textures, colour, tuple(scratch), tuple(out)
    )
    return out
