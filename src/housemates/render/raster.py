"""The rasteriser: faces and cameras in; colours, instance numbers and depths out.

Any world can be drawn once it is given as faces; `scene` does so for homes.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.errors import HousematesError
from housemates.render.camera import Camera
from housemates.render.sizes import BLOCK_PX, SHADES

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]
BACKGROUND = (226, 228, 230)
LEAST_FACES = 16_384
"""Buffers have room for scenes of at least so many faces, so that they are seldom made anew."""


class _Columns(NamedTuple):
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


class Faces(_Columns):
    """F flat convex faces of a world; each is seen only from the side to which its normal points."""

    @cached_property
    def row(self) -> NDArray[np.int64]:
        """How many there are, and where their columns are."""
        return np.array([len(self.corners), *addresses(self)], np.int64)


class Groups(NamedTuple):
    """G runs of faces that are drawn or skipped together."""

    runs: Ints
    """(G, 2): the first face of each, and the one after its last."""
    spheres: Floats
    """(G, 4): centre and radius around each run; with a radius of minus infinity it is not drawn."""


class Shadows(NamedTuple):
    """S shadows on level ground: rectangles with round corners that fade out around their edge."""

    spots: Floats
    """(S, 4): middle, and radius of the circle around all that is darker."""
    forms: Floats
    """(S, 7): sine and cosine of its turn, half its width and depth without the corners, their radius, how
    wide the soft edge is, and how much light it takes away, in 256ths."""
    owners: NDArray[np.uint32]
    """(S,): instance that casts it and is not darkened by it."""


NOWHERE = (0.0, 0.0, 0.0, -np.inf)
"""The sphere of what is not drawn."""
NO_OCCLUDERS: Floats = np.empty((0, 8), np.float32)
"""(O, 8): upright rectangles that nothing is higher or lower than, so that they hide what is behind them: x
and z of both ends, the horizontal unit normal of the side that is seen, and their lower and upper end."""
NO_SHADOWS = Shadows(np.empty((0, 4), np.float32), np.empty((0, 7), np.float32), np.empty(0, np.uint32))


class Pictures(NamedTuple):
    """What C cameras see."""

    rgb: Bytes
    """(C, H, W, 3)."""
    ids: NDArray[np.uint16]
    """(C, H, W): the instance of each pixel; 0 for nothing or the building."""
    depth: Floats
    """(C, H, W): metres along the view axis; inf where there is nothing."""


class Sheet(NamedTuple):
    """A world as compiled code is told of it."""

    faces: Faces
    groups: Groups
    shadows: Shadows
    occluders: Floats
    row: NDArray[np.int64]
    """How many faces and groups there are, where the arrays of both are; so for occluders and shadows."""


class Scratch(NamedTuple):
    """Buffers that one frame after another uses. S is one more than the most faces of a scene."""

    winner: Ints
    """(H * W + BLOCK_PX,): which of the drawn faces is nearest so far; 0 for none."""
    columns: Floats
    """(W + BLOCK_PX,): 0, 1, 2 ..."""
    ends: Ints
    """(2 * (H + BLOCK_PX),): where each row of the face at hand begins, then where it ends."""
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
    """(BLOCK_PX,): where the pixels of a block find their texels; then how much light they get, in 256ths."""
    nearness: Floats
    """(H * W + BLOCK_PX,): one over the depth of what is nearest so far, 0 for nothing; then the depth."""
    colours: NDArray[np.uint32]
    """(H * W + BLOCK_PX,): colours, packed as 0xBBGGRR."""
    starts: Ints
    """(W + BLOCK_PX,): where its runs begin that need more than one colour."""


class _Buffers(threading.local):
    """The scratch of each thread, one for each size of pictures."""

    def __init__(self) -> None:
        self.kept: dict[tuple[int, int], tuple[Scratch, NDArray[np.int64]]] = {}


_buffers = _Buffers()


def addresses(arrays: Iterable[NDArray[Any]]) -> list[int]:
    """Where the elements of arrays are; they must lie one after the other, as in a new array."""
    found = []
    for array in arrays:
        assert array.flags.c_contiguous
        found.append(array.ctypes.data)
    return found


def sheet(
    faces: Faces, groups: Groups, shadows: Shadows = NO_SHADOWS, occluders: Floats = NO_OCCLUDERS
) -> Sheet:
    """Write down where the arrays of a world are, to draw it many times; they may change, but not move."""
    told = [len(faces.corners), len(groups.spheres), *addresses([*faces, *groups])]
    told += [len(occluders), *addresses([occluders])]
    told += [len(shadows.owners), *addresses(shadows)]
    return Sheet(faces, groups, shadows, occluders, np.array(told, np.int64))


def shaded(world: Sheet, shadows: Shadows) -> Sheet:
    """The same world with other shadows."""
    row = world.row.copy()
    row[-4:] = len(shadows.owners), *addresses(shadows)
    return world._replace(shadows=shadows, row=row)


def side_by_side(counts: Sequence[int]) -> Ints:
    """Runs of so many faces each, one after the other."""
    ends = np.cumsum(counts, dtype=np.int32)
    return np.column_stack([ends - np.asarray(counts, np.int32), ends])


def glass(world: Sheet, but: Sequence[int]) -> Floats:
    """(N, 4): the spheres around those groups, but some, that let something through."""
    before = np.concatenate([[0], np.cumsum(world.faces.see_through)])
    first, after = world.groups.runs.T
    clear = before[after] > before[first]
    clear[but] = False
    found: Floats = world.groups.spheres[clear]
    return found


def empty_pictures(count: int, width: int, height: int) -> Pictures:
    """Pictures to draw into."""
    return Pictures(
        np.empty((count, height, width, 3), np.uint8),
        np.empty((count, height, width), np.uint16),
        np.empty((count, height, width), np.float32),
    )


def draw_sheets(
    sheets: Sequence[Sheet],
    cameras: Sequence[Camera],
    textures: Bytes,
    out: Pictures,
    places: Sequence[int] | None = None,
    background: tuple[int, int, int] = BACKGROUND,
) -> None:
    """Draw what cameras of one size see, each of its own world, all in one call.

    Args:
        sheets: A world for each camera.
        cameras: Who looks.
        textures: One row of texels (0 .. SHADES - 1) per pattern, as `patterns.textures()` gives.
        out: Pictures to overwrite.
        places: Which of the pictures is each camera's; in order if it is not said.
        background: Colour where there is nothing.
    """
    from housemates.render.kernels import draw_scenes

    if len(cameras) == 1:
        faces, rows, packed = len(sheets[0].faces.instance), sheets[0].row[None], cameras[0].packed[None]
    else:
        faces = max([len(each.faces.instance) for each in sheets])
        rows = np.stack([each.row for each in sheets])
        packed = np.stack([each.packed for each in cameras])
    numbers = _in_order(len(cameras)) if places is None else np.asarray(places)
    scratch = _scratch(faces, cameras[0].width, cameras[0].height)
    draw_scenes(rows, packed, numbers, textures, _packed(background), scratch, out.rgb, out.ids, out.depth)


@cache
def _packed(colour: tuple[int, int, int]) -> np.uint32:
    red, green, blue = colour
    return np.uint32(red | green << 8 | blue << 16)


@cache
def _in_order(count: int) -> NDArray[np.int64]:
    return np.arange(count)


def draw(
    faces: Faces,
    groups: Groups,
    cameras: Sequence[Camera],
    textures: Bytes,
    background: tuple[int, int, int] = BACKGROUND,
    shadows: Shadows = NO_SHADOWS,
) -> Pictures:
    """Draw what each camera sees of one world; all cameras have the same size."""
    if not cameras or len({(camera.width, camera.height) for camera in cameras}) != 1:
        raise HousematesError("A batch of cameras: expected at least one, and one size for all.")
    out = empty_pictures(len(cameras), cameras[0].width, cameras[0].height)
    world = sheet(faces, groups, shadows)
    draw_sheets([world] * len(cameras), cameras, textures, out, background=background)
    return out


def _scratch(faces: int, width: int, height: int) -> NDArray[np.int64]:
    """How many faces fit into this thread's buffers for pictures of this size, and where these are."""
    kept = _buffers.kept.get((width, height))
    if kept is None or len(kept[0].marks) <= faces:
        buffers = _empty_scratch(max(faces + 1, LEAST_FACES), width, height)
        row = np.array([len(buffers.marks), *addresses(buffers)], np.int64)
        kept = _buffers.kept[width, height] = (buffers, row)
    return kept[1]


def _empty_scratch(most: int, width: int, height: int) -> Scratch:
    return Scratch(
        np.empty(height * width + BLOCK_PX, np.int32),
        np.arange(width + BLOCK_PX, dtype=np.float32),
        np.empty(2 * (height + BLOCK_PX), np.int32),
        np.empty(most, np.int32),
        np.empty(most, np.int32),
        np.empty((most, 13), np.float32),
        np.empty(most, np.uint8),
        np.empty(most, np.uint32),
        np.empty(most, np.uint32),
        np.empty((most, SHADES), np.uint32),
        np.ones(width + BLOCK_PX, np.float32),
        np.empty((6, 2), np.float32),
        np.empty(BLOCK_PX, np.int32),
        np.empty(height * width + BLOCK_PX, np.float32),
        np.empty(height * width + BLOCK_PX, np.uint32),
        np.empty(width + BLOCK_PX, np.int32),
    )
