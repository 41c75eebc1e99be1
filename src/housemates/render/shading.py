"""Shading: the colours of the faces that were found nearest, compiled to machine code.

All arithmetic is strict float32. `raster.Scratch` says what the buffers hold.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from housemates.jit import compiled
from housemates.render.blocks import LANES, pack_colours
from housemates.render.sizes import BLOCK_PX, SHADES, TEXTURE_BITS, TEXTURE_PX, TEXTURE_TEXELS
from housemates.render.surfaces import ONE, ZERO, U, at_camera, over_picture

TOO_FINE = np.float32(100.0)
"""Texels a pixel from which a pattern is but its mean, even where the face is nearest."""
ONE_TEXEL, ONE_SHADE = np.float32(1 / TEXTURE_PX), np.float32(1 / (SHADES - 1))
FAR_AWAY_TEXELS = np.float32(65536.0)
"""Added to texture coordinates so that they are positive; a multiple of the texture's side."""
QUARTER = np.float32(0.25)
SMALL_PX = 144
"""Faces of fewer pixels are of one colour."""
FLAT, TEXTURED, SMOOTH, RICH = 0, 1, 2, 3
"""Ways of shading: one colour, with a pattern, with changing light, with both."""
LEVEL = 4
"""Added to the way of shading of faces that look up, on which shadows fall."""
UPRIGHT = np.float32(0.98)


@compiled
def prepare(
    corners, planes, fields, colours, pattern, instance, camera, textures, sources, sizes, drawn, surfaces,
    patterns, marks, flats, shades,
):  # fmt: skip
    """Work out how the pixels of the drawn faces get their colours; a small face has the same all over."""
    for number in range(1, drawn):
        face = sources[number]
        u, v, light = fields[face, 0:1], fields[face, 1:2], fields[face, 2:3]
        ahead = planes[face, 3] - at_camera(planes, face, camera)
        texels = u[0, 0] * u[0, 0] + u[0, 1] * u[0, 1] + u[0, 2] * u[0, 2]
        detail = texels / (-ahead * camera[12] * camera[12])
        textured = pattern[face] != 0 and sizes[number] >= SMALL_PX and -detail * ahead**3 < TOO_FINE
        smooth = sizes[number] >= SMALL_PX and (
            light[0, 0] != ZERO or light[0, 1] != ZERO or light[0, 2] != ZERO
        )
        way = (TEXTURED if textured else FLAT) + (SMOOTH if smooth else FLAT)
        if planes[face, 1] > UPRIGHT:
            way += LEVEL
        marks[number] = np.uint32(instance[face]) << np.uint32(8) | np.uint32(way)
        patterns[number] = pattern[face]
        mean = textures[pattern[face], TEXTURE_TEXELS - 1]
        flats[number] = _mix(colours, face, _in_the_middle(corners, face, light), mean)
        if smooth:
            shades[number, 0] = _mix(colours, face, ONE, mean)
            _project(light, camera, surfaces, number, 8, ZERO)
        if textured:
            for step in range(SHADES):
                shades[number, step] = _mix(colours, face, ONE if smooth else light[0, 3], step)
            _project(u, camera, surfaces, number, 0, FAR_AWAY_TEXELS)
            _project(v, camera, surfaces, number, 4, FAR_AWAY_TEXELS)
            surfaces[number, 12] = detail


@compiled
def _in_the_middle(corners, face, field):
    """The value of a field in the middle of a face."""
    total = field[0, 3]
    for axis in range(3):
        across = corners[face, 0, axis] + corners[face, 1, axis] + corners[face, 2, axis]
        total += field[0, axis] * (across + corners[face, 3, axis]) * QUARTER
    return total


@compiled
def _project(field, camera, surfaces, number, place, shift):
    """Write a field as a, b, c, d: at depth z of pixel (x, y) it is d + z (a x + b y + c)."""
    a, b, c = over_picture(field, 0, camera)
    surfaces[number, place], surfaces[number, place + 1], surfaces[number, place + 2] = a, b, c
    surfaces[number, place + 3] = field[0, 3] + at_camera(field, 0, camera) + shift


@compiled
def _mix(colours, face, light, step):
    """The colour that is `step` of SHADES - 1 steps from the first to the second one, packed."""
    part = np.float32(np.int32(step)) * ONE_SHADE
    packed = np.uint32(0)
    for channel in range(3):
        first, second = colours[face, 0, channel], colours[face, 1, channel]
        value = min((first + (second - first) * part) * light, np.float32(255.0))
        packed |= np.uint32(np.int32(value)) << np.uint32(8 * channel)
    return packed


@compiled
def shade(
    nearness, depth, winner, columns, surfaces, patterns, marks, flats, shades, away, colours, starts, texels,
    textures, width, top, bottom, ids,
):  # fmt: skip
    """Turn winners into colours and instances, and nearness into depth, in its place too, row by row."""
    for offset in range(U(top * width), U(bottom * width), U(width)):
        for column in range(U(width)):
            away[column] = ONE / nearness[offset + column]
        for column in range(U(width)):
            nearness[offset + column] = away[column]
        for column in range(U(width)):
            depth[offset + column] = away[column]
        runs = _look_up(winner, marks, flats, offset, U(width), colours, starts, ids)
        row = np.float32(np.int32(offset // U(width)))
        for run in range(runs):
            start = U(starts[run])
            number = winner[offset + start]
            stop = _run_end(winner, offset + start + U(1), offset + U(width), number) - offset
            _paint_run(
                colours, away, columns, surfaces, U(number), marks[U(number)] & np.uint32(RICH), shades,
                texels, textures, U(patterns[U(number)]), offset, start, stop, row,
            )  # fmt: skip


@compiled
def _look_up(winner, marks, flats, offset, width, colours, starts, ids):
    """Give each pixel of a row its instance, and the colour of its face on the whole.

    Returns:
        How many runs of the row show faces that need more than that; `starts` says where these begin.
    """
    runs, before = U(0), np.int32(0)
    for column in range(width):
        number = winner[offset + column]
        mark = marks[U(number)]
        colours[offset + column] = flats[U(number)]
        ids[offset + column] = np.uint16(mark >> np.uint32(8))
        starts[runs] = column
        runs += U((number != before) & (mark & np.uint32(RICH) != FLAT))
        before = number
    return runs


@compiled
def write(colours, start, stop, rgb):
    """Write the colours of some pixels into the picture."""
    whole = start + (stop - start & ~U(LANES - 1))
    for pixel in range(start, whole, U(LANES)):
        pack_colours(colours, pixel, rgb, U(3) * pixel)
    for pixel in range(whole, stop):
        for channel in range(U(3)):
            rgb[U(3) * pixel + channel] = np.uint8(colours[pixel] >> np.uint32(U(8) * channel))


@compiled
def _run_end(winner, start, limit, number):
    """The first pixel from `start` on with another winner, or `limit`; four are looked at together."""
    while start + U(4) <= limit:
        near = (winner[start] ^ number) | (winner[start + U(1)] ^ number)
        if near | (winner[start + U(2)] ^ number) | (winner[start + U(3)] ^ number):
            break
        start += U(4)
    while start < limit and winner[start] == number:
        start += U(1)
    return start


@compiled
def _paint_run(
    colours, away, columns, surfaces, number, way, shades, texels, textures, pattern, offset, start, stop,
    row,
):  # fmt: skip
    """Paint a run of a row's pixels that show one face, block by block."""
    for begin in range(start, stop, U(BLOCK_PX)):
        end = min(stop, begin + U(BLOCK_PX))
        if way != SMOOTH:
            _find_texels(away, columns, surfaces, number, texels, begin, end, row)
        if way == TEXTURED:
            for column in range(begin, end):
                colours[offset + column] = shades[number, U(textures[pattern, U(texels[column - begin])])]
        else:
            for column in range(begin, end):
                step = U(0) if way == SMOOTH else U(textures[pattern, U(texels[column - begin])])
                light = _light(surfaces, number, away[column], columns[column], row)
                colours[offset + column] = _lit(shades[number, step], light)


@compiled
def _find_texels(away, columns, surfaces, number, texels, start, stop, row):
    """Where each pixel of a block finds its texel; always a whole block, so that many are done at once."""
    middle = away[(start + stop) >> U(1)]
    scale, first, side = _level(middle * middle * middle * surfaces[number, 12])
    mask = np.int32(side - 1)
    u_slope, u_base = surfaces[number, 0] * scale, (surfaces[number, 1] * row + surfaces[number, 2]) * scale
    v_slope, v_base = surfaces[number, 4] * scale, (surfaces[number, 5] * row + surfaces[number, 6]) * scale
    u_constant, v_constant = surfaces[number, 3] * scale, surfaces[number, 7] * scale
    for pixel in range(U(BLOCK_PX)):
        metres, across = away[start + pixel], columns[start + pixel]
        u = np.int32(u_constant + metres * (u_base + u_slope * across))
        v = np.int32(v_constant + metres * (v_base + v_slope * across))
        texels[pixel] = first + (v & mask) * side + (u & mask)


@compiled
def _level(texels):
    """The level of a texture with about one texel a pixel: its scale, where it begins, its side."""
    level = 0
    for fourfold in range(TEXTURE_BITS):
        level += texels > np.float32(2 << 2 * fourfold)
    side = np.int32(TEXTURE_PX >> level)
    before = np.int32(4 * (TEXTURE_PX * TEXTURE_PX - side * side) // 3)
    return np.float32(side) * ONE_TEXEL, before, side


@compiled
def _light(surfaces, number, away, column, row):
    """Light at a pixel in 256ths."""
    slope = surfaces[number, 8] * column + surfaces[number, 9] * row + surfaces[number, 10]
    return np.uint32(np.int32(max(surfaces[number, 11] + away * slope, ZERO) * np.float32(256.0)))


@compiled
def _lit(shade, light):
    """A packed colour in a light that is given in 256ths."""
    byte, eight, sixteen = np.uint32(255), np.uint32(8), np.uint32(16)
    red = min(byte, ((shade & byte) * light) >> eight)
    green = min(byte, ((shade >> eight & byte) * light) >> eight)
    blue = min(byte, ((shade >> sixteen & byte) * light) >> eight)
    return np.uint32(red | green << eight | blue << sixteen)
