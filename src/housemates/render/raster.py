"""The rasteriser: triangles and cameras in; colours, instance numbers and depths out.

Everything that varies over a triangle (its texture coordinates, its light, one over its depth) is an affine
function of the position in the world or in the picture, so nothing is interpolated between corners.
All arithmetic is strict float32: the same triangles give the same bits in every process.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

from housemates.errors import HousematesError
from housemates.render.camera import Camera

Function = TypeVar("Function")
Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]

TEXTURE_PX = 128
TEXTURE_LEVELS = 6
NEAR_M = np.float32(0.02)
FAR_AWAY_TEXELS = np.float32(65536.0)
"""Added to texture coordinates so that they are positive; a multiple of the texture's side."""
ZERO, HALF, ONE, QUARTER = np.float32(0.0), np.float32(0.5), np.float32(1.0), np.float32(0.25)
BLOCK_PX = 16
"""Pixels that share one level of detail."""
FLAT, TEXTURED, SMOOTH, RICH = 0, 1, 2, 3


class Triangles(NamedTuple):
    """T triangles of a world, each clockwise seen from its front; only fronts are drawn."""

    corners: Floats
    """(T, 3, 3): three points in metres."""
    planes: Floats
    """(T, 4): unit normal n and offset d; n·p = d on the triangle."""
    fields: Floats
    """(T, 3, 4): u, v (in texels) and light, each as gradient g and constant c; the value at p is g·p + c."""
    colours: Floats
    """(T, 2, 3): first and second colour in 0..255, which the pattern mixes."""
    pattern: Bytes
    """(T,): row of the textures; 0 is plain."""
    see_through: Bytes
    """(T,): 1 if every other pixel lets through what is behind."""
    instance: NDArray[np.uint16]
    """(T,): number of the thing it belongs to; 0 for none."""


class Groups(NamedTuple):
    """G runs of triangles that are drawn or skipped together."""

    first: Ints
    """(G + 1,): where each run begins; the last one ends at the last entry."""
    spheres: Floats
    """(G, 4): centre and radius around each run."""


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

    nearness: Floats
    """(H, W): one over the depth of the nearest triangle so far."""
    winner: Ints
    """(H, W): which of the drawn triangles that was; 0 for none."""
    order: Ints
    """(G,): the groups in view, nearest first."""
    distance: Floats
    surfaces: Floats
    """(S, 13): u, v and light of each drawn triangle over the picture, and its loss of detail."""
    paints: Ints
    """(S, 9): first colour, difference to the second, way of shading, pattern, instance."""
    polygon: Floats
    """(5, 3): a triangle after clipping, in pixels and nearness."""


def empty_pictures(count: int, width: int, height: int) -> Pictures:
    """Pictures to draw into."""
    return Pictures(
        np.empty((count, height, width, 3), np.uint8),
        np.empty((count, height, width), np.uint16),
        np.empty((count, height, width), np.float32),
    )


def empty_scratch(triangles: int, groups: int, width: int, height: int) -> Scratch:
    """Buffers for frames of this size and scenes up to this many triangles."""
    return Scratch(
        np.empty((height, width), np.float32),
        np.empty((height, width), np.int32),
        np.empty(groups, np.int32),
        np.empty(groups, np.float32),
        np.empty((triangles + 1, 13), np.float32),
        np.empty((triangles + 1, 9), np.int32),
        np.empty((5, 3), np.float32),
    )


def draw(
    triangles: Triangles,
    groups: Groups,
    cameras: Sequence[Camera],
    textures: Bytes,
    background: tuple[int, int, int] = (226, 228, 230),
    scratch: Scratch | None = None,
    out: Pictures | None = None,
) -> Pictures:
    """Draw what each camera sees; all cameras have the same size.

    Args:
        triangles: What there is.
        groups: How it is divided for culling.
        cameras: Who looks.
        textures: One row of texels per pattern, as `patterns.textures()` gives.
        background: Colour where there is nothing.
        scratch: Buffers to reuse, at least as large as `empty_scratch` would make them.
        out: Pictures to overwrite.
    """
    if not cameras or len({(camera.width, camera.height) for camera in cameras}) != 1:
        raise HousematesError("A batch of cameras: expected at least one, and one size for all.")
    width, height = cameras[0].width, cameras[0].height
    if scratch is None:
        scratch = empty_scratch(len(triangles.corners), len(groups.spheres), width, height)
    if out is None:
        out = empty_pictures(len(cameras), width, height)
    packed = np.stack([camera.packed for camera in cameras])
    _draw_all(triangles, groups, packed, textures, np.array(background, np.int32), scratch, out)
    return out


def compiled(function: Function) -> Function:
    """Compile to machine code once and keep it on disk; strict IEEE arithmetic."""
    made: Any = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=False)(function)
    return made  # type: ignore[no-any-return]


@compiled
def _draw_all(triangles, groups, cameras, textures, background, scratch, out):  # type: ignore[no-untyped-def]
    for number in range(len(cameras)):
        camera = cameras[number]
        scratch.nearness[:] = ZERO
        scratch.winner[:] = 0
        for channel in range(3):
            scratch.paints[0, channel] = background[channel]
        scratch.paints[0, 6] = FLAT
        scratch.paints[0, 8] = 0
        drawn = 1
        count = _groups_in_view(groups.spheres, camera, scratch)
        for rank in range(count):
            group = scratch.order[rank]
            for triangle in range(groups.first[group], groups.first[group + 1]):
                drawn = _draw_triangle(triangles, triangle, camera, scratch, drawn)
        _shade(scratch, textures, out.rgb[number], out.ids[number], out.depth[number])


@compiled
def _groups_in_view(spheres, camera, scratch):  # type: ignore[no-untyped-def]
    """List the groups whose sphere meets the view, nearest first; return how many."""
    height, width = scratch.nearness.shape
    across = np.float32(width) * HALF / camera[12]
    upward = np.float32(height) * HALF / camera[12]
    slack_x = np.sqrt(ONE + across * across)
    slack_y = np.sqrt(ONE + upward * upward)
    count = 0
    for group in range(len(spheres)):
        x = spheres[group, 0] - camera[0]
        y = spheres[group, 1] - camera[1]
        z = spheres[group, 2] - camera[2]
        radius = spheres[group, 3]
        depth = x * camera[9] + y * camera[10] + z * camera[11]
        right = x * camera[3] + y * camera[4] + z * camera[5]
        up = x * camera[6] + y * camera[7] + z * camera[8]
        if depth + radius < NEAR_M:
            continue
        if abs(right) - depth * across > radius * slack_x or abs(up) - depth * upward > radius * slack_y:
            continue
        place = count
        while place > 0 and scratch.distance[place - 1] > depth:
            scratch.distance[place] = scratch.distance[place - 1]
            scratch.order[place] = scratch.order[place - 1]
            place -= 1
        scratch.distance[place] = depth
        scratch.order[place] = group
        count += 1
    return count


@compiled
def _over_picture(field, camera):  # type: ignore[no-untyped-def]
    """A gradient in the world as a, b, c: along the ray of pixel (x, y) it grows by a x + b y + c a metre."""
    a = (field[0] * camera[3] + field[1] * camera[4] + field[2] * camera[5]) / camera[12]
    b = -(field[0] * camera[6] + field[1] * camera[7] + field[2] * camera[8]) / camera[12]
    c = field[0] * camera[9] + field[1] * camera[10] + field[2] * camera[11]
    return a, b, c + a * (HALF - camera[13]) + b * (HALF - camera[14])


@compiled
def _at_camera(field, camera):  # type: ignore[no-untyped-def]
    """The value of a gradient's linear part where the camera is."""
    return field[0] * camera[0] + field[1] * camera[1] + field[2] * camera[2]


@compiled
def _draw_triangle(triangles, triangle, camera, scratch, drawn):  # type: ignore[no-untyped-def]
    """Draw one triangle under the number `drawn`; return the next free number."""
    plane = triangles.planes[triangle]
    ahead = plane[3] - _at_camera(plane, camera)
    if ahead > np.float32(-1e-6):
        return drawn
    sides = _clip(triangles.corners[triangle], camera, scratch.polygon)
    if sides == 0:
        return drawn
    a, b, c = _over_picture(plane, camera)
    a, b, c = a / ahead, b / ahead, c / ahead
    step = 1 + triangles.see_through[triangle]
    polygon = scratch.polygon
    touched = False
    for corner in range(1, sides - 1):
        touched |= _fill(
            scratch.nearness, scratch.winner, polygon[0, 0], polygon[0, 1], polygon[corner, 0],
            polygon[corner, 1], polygon[corner + 1, 0], polygon[corner + 1, 1], a, b, c, drawn, step,
        )  # fmt: skip
    if not touched:
        return drawn
    _prepare(triangles, triangle, camera, scratch.surfaces[drawn], scratch.paints[drawn], ahead)
    return drawn + 1


@compiled
def _clip(corners, camera, polygon):  # type: ignore[no-untyped-def]
    """Put the part of a triangle before the near plane into `polygon` as pixels; return its corners."""
    sides = 0
    for corner in range(3):
        x, y, z = _seen(corners[corner], camera)
        u, v, w = _seen(corners[(corner + 1) % 3], camera)
        if z >= NEAR_M:
            polygon[sides, 0] = camera[13] + camera[12] * x / z
            polygon[sides, 1] = camera[14] - camera[12] * y / z
            sides += 1
        if (z >= NEAR_M) != (w >= NEAR_M):
            if w >= NEAR_M:
                x, y, z, u, v, w = u, v, w, x, y, z
            part = (z - NEAR_M) / (z - w)
            polygon[sides, 0] = camera[13] + camera[12] * (x + (u - x) * part) / NEAR_M
            polygon[sides, 1] = camera[14] - camera[12] * (y + (v - y) * part) / NEAR_M
            sides += 1
    return sides


@compiled
def _seen(point, camera):  # type: ignore[no-untyped-def]
    """Right, up and forward of a point as the camera sees it, in metres."""
    x, y, z = point[0] - camera[0], point[1] - camera[1], point[2] - camera[2]
    return (
        x * camera[3] + y * camera[4] + z * camera[5],
        x * camera[6] + y * camera[7] + z * camera[8],
        x * camera[9] + y * camera[10] + z * camera[11],
    )


@compiled
def _fill(nearness, winner, x0, y0, x1, y1, x2, y2, a, b, c, number, step):  # type: ignore[no-untyped-def]
    """Mark the pixels whose middle is in the triangle and nearer there than all before; say if any could be.

    Each edge is followed from its upper end, so triangles that share one leave no gap and no overlap.
    """
    if y1 < y0:
        x0, y0, x1, y1 = x1, y1, x0, y0
    if y2 < y0:
        x0, y0, x2, y2 = x2, y2, x0, y0
    if y2 < y1:
        x1, y1, x2, y2 = x2, y2, x1, y1
    height, width = nearness.shape
    top = max(0, int(np.ceil(y0 - HALF)))
    bottom = min(height, int(np.ceil(y2 - HALF)))
    if top >= bottom:
        return False
    turn = int(np.ceil(y1 - HALF))
    long = (x2 - x0) / (y2 - y0)
    upper = (x1 - x0) / (y1 - y0)
    lower = (x2 - x1) / (y2 - y1)
    long_is_left = x0 + (y1 - y0) * long < x1
    touched = False
    for row in range(top, bottom):
        middle = np.float32(row) + HALF
        left = x0 + (middle - y0) * long
        right = x0 + (middle - y0) * upper if row < turn else x1 + (middle - y1) * lower
        if not long_is_left:
            left, right = right, left
        start = max(0, int(np.ceil(left - HALF)))
        stop = min(width, int(np.ceil(right - HALF)))
        if start < stop:
            touched = True
            base = b * np.float32(row) + c
            if step == 1:
                _span(nearness[row], winner[row], start, stop, a, base, number)
            else:
                _dotted_span(nearness[row], winner[row], start + ((start + row) & 1), stop, a, base, number)
    return touched


@compiled
def _span(nearness, winner, start, stop, a, base, number):  # type: ignore[no-untyped-def]
    near = nearness[start:stop]
    best = winner[start:stop]
    for column in range(stop - start):
        value = base + a * np.float32(start + column)
        old = near[column]
        near[column] = value if value > old else old
        best[column] = number if value > old else best[column]


@compiled
def _dotted_span(nearness, winner, start, stop, a, base, number):  # type: ignore[no-untyped-def]
    for column in range(start, stop, 2):
        value = base + a * np.float32(column)
        if value > nearness[column]:
            nearness[column] = value
            winner[column] = number


@compiled
def _prepare(triangles, triangle, camera, surface, paint, ahead):  # type: ignore[no-untyped-def]
    """Work out how the pixels of a drawn triangle get their colours."""
    fields = triangles.fields[triangle]
    pattern = triangles.pattern[triangle]
    light = fields[2]
    smooth = light[0] != ZERO or light[1] != ZERO or light[2] != ZERO
    paint[6] = (TEXTURED if pattern else 0) + (SMOOTH if smooth else 0)
    paint[7] = pattern
    paint[8] = triangles.instance[triangle]
    brightness = np.float32(256.0) * (ONE if smooth else light[3])
    if not smooth and not pattern:
        brightness = light[3]
    for channel in range(3):
        first = triangles.colours[triangle, 0, channel]
        second = triangles.colours[triangle, 1, channel]
        paint[channel] = np.int32(
            min(first * brightness, np.float32(65535.0) if paint[6] else np.float32(255.0))
        )
        paint[3 + channel] = np.int32((second - first) * brightness / np.float32(256.0))
    if smooth:
        surface[8], surface[9], surface[10] = _over_picture(light, camera)
        surface[11] = light[3] + _at_camera(light, camera)
    if pattern:
        u, v = fields[0], fields[1]
        surface[0], surface[1], surface[2] = _over_picture(u, camera)
        surface[3] = u[3] + _at_camera(u, camera) + FAR_AWAY_TEXELS
        surface[4], surface[5], surface[6] = _over_picture(v, camera)
        surface[7] = v[3] + _at_camera(v, camera) + FAR_AWAY_TEXELS
        texels = u[0] * u[0] + u[1] * u[1] + u[2] * u[2]
        surface[12] = texels / (-ahead * camera[12] * camera[12])


@compiled
def _shade(scratch, textures, rgb, ids, depth):  # type: ignore[no-untyped-def]
    """Turn the winners of each pixel into colours, instances and depths, run by run."""
    height, width = scratch.nearness.shape
    for row in range(height):
        near = scratch.nearness[row]
        metres = depth[row]
        for column in range(width):
            metres[column] = ONE / near[column]
        winner = scratch.winner[row]
        start = 0
        while start < width:
            number = winner[start]
            stop = start + 1
            while stop < width and winner[stop] == number:
                stop += 1
            paint = scratch.paints[number]
            ids[row, start:stop] = paint[8]
            way = paint[6]
            if way == FLAT:
                _paint_flat(rgb[row, start:stop], paint)
            else:
                surface = scratch.surfaces[number]
                while start < stop:
                    end = min(stop, start + BLOCK_PX)
                    if way == SMOOTH:
                        _paint_smooth(rgb[row], metres, start, end, np.float32(row), surface, paint)
                    else:
                        _paint_pattern(
                            rgb[row], metres, start, end, np.float32(row), surface, paint, textures[paint[7]]
                        )
                    start = end
            start = stop


@compiled
def _paint_flat(pixels, paint):  # type: ignore[no-untyped-def]
    red, green, blue = np.uint8(paint[0]), np.uint8(paint[1]), np.uint8(paint[2])
    for column in range(len(pixels)):
        pixels[column, 0] = red
        pixels[column, 1] = green
        pixels[column, 2] = blue


@compiled
def _paint_smooth(pixels, metres, start, stop, row, surface, paint):  # type: ignore[no-untyped-def]
    slope = surface[8]
    base = surface[9] * row + surface[10]
    constant = surface[11]
    red, green, blue = paint[0], paint[1], paint[2]
    for column in range(start, stop):
        light = np.int32(
            (constant + metres[column] * (base + slope * np.float32(column))) * np.float32(256.0)
        )
        pixels[column, 0] = min(255, (red * light) >> 16)
        pixels[column, 1] = min(255, (green * light) >> 16)
        pixels[column, 2] = min(255, (blue * light) >> 16)


@compiled
def _paint_pattern(pixels, metres, start, stop, row, surface, paint, texture):  # type: ignore[no-untyped-def]
    """Mix the two colours as the texture says, at the level of detail that the block's middle needs."""
    level, offset, side = _level(metres[(start + stop) >> 1], surface[12])
    mask = side - 1
    u_slope, u_base, u_constant = surface[0], surface[1] * row + surface[2], surface[3]
    v_slope, v_base, v_constant = surface[4], surface[5] * row + surface[6], surface[7]
    smooth = paint[6] == RICH
    l_slope, l_base, l_constant = surface[8], surface[9] * row + surface[10], surface[11]
    for column in range(start, stop):
        away = metres[column]
        x = np.float32(column)
        u = np.int32(u_constant + away * (u_base + u_slope * x)) >> level
        v = np.int32(v_constant + away * (v_base + v_slope * x)) >> level
        mix = np.int32(texture[offset + (v & mask) * side + (u & mask)])
        red = paint[0] + paint[3] * mix
        green = paint[1] + paint[4] * mix
        blue = paint[2] + paint[5] * mix
        if smooth:
            light = np.int32((l_constant + away * (l_base + l_slope * x)) * np.float32(256.0))
            red, green, blue = (red * light) >> 8, (green * light) >> 8, (blue * light) >> 8
        pixels[column, 0] = min(255, red >> 8)
        pixels[column, 1] = min(255, green >> 8)
        pixels[column, 2] = min(255, blue >> 8)


@compiled
def _level(away, detail):  # type: ignore[no-untyped-def]
    """The level of a texture with about one texel a pixel: its number, where it begins, its side."""
    texels = away * away * away * detail
    level = 0
    offset = 0
    side = TEXTURE_PX
    while texels > np.float32(2.0) and level < TEXTURE_LEVELS - 1:
        texels *= QUARTER
        offset += side * side
        side >>= 1
        level += 1
    return level, offset, side
