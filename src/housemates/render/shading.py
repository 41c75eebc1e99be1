"""How drawn faces get their colours: patterns, light and gloss, compiled to machine code.

Texture coordinates and light are affine functions of the position in the world, so nothing is interpolated
between corners. `raster.Scratch` says what the buffers hold.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from housemates.compiling import compiled
from housemates.render.surfaces import ONE, ZERO, at_camera, over_picture

TEXTURE_BITS = 7
TEXTURE_PX = 1 << TEXTURE_BITS
TEXTURE_TEXELS = (4 * TEXTURE_PX * TEXTURE_PX - 1) // 3
"""Of a texture and all its halvings down to a single texel, its mean."""
TOO_FINE = np.float32(100.0)
"""Texels a pixel from which a pattern is but its mean, even where the face is nearest."""
SHADES = 32
"""Steps from the first to the second colour of a pattern."""
ONE_TEXEL, ONE_SHADE = np.float32(1 / TEXTURE_PX), np.float32(1 / (SHADES - 1))
FAR_AWAY_TEXELS = np.float32(65536.0)
"""Added to texture coordinates so that they are positive; a multiple of the texture's side."""
QUARTER = np.float32(0.25)
BLOCK_PX = 32
"""Pixels whose texels are found together, at one level of detail."""
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
    depth, winner, columns, surfaces, patterns, marks, flats, shades, away, texels, textures, width, top,
    bottom, rgb, ids,
):  # fmt: skip
    """Turn winners into colours and instances, and nearness into depth, row by row and run by run."""
    for offset in range(top * width, bottom * width, width):
        metres = depth[offset : offset + width]
        for column in range(width):
            away[column] = ONE / metres[column]
            metres[column] = away[column]
        row = np.float32(offset // width)
        start = 0
        while start < width:
            number = winner[offset + start]
            stop = _run_end(winner, offset + start + 1, offset + width, number) - offset
            mark = marks[number]
            instance = np.uint16(mark >> np.uint32(8))
            way = mark & np.uint32(RICH)
            if way == FLAT:
                _paint_flat(rgb, ids, offset + start, offset + stop, flats[number], instance)
            else:
                _paint_run(
                    rgb, ids, instance, away, columns, surfaces, number, way, shades, texels,
                    textures[patterns[number]], offset, start, stop, row,
                )  # fmt: skip
            start = stop


@compiled
def _run_end(winner, start, limit, number):
    """The first pixel from `start` on with another winner, or `limit`; four are looked at together."""
    while start + 4 <= limit:
        near = (winner[start] ^ number) | (winner[start + 1] ^ number)
        if near | (winner[start + 2] ^ number) | (winner[start + 3] ^ number):
            break
        start += 4
    while start < limit and winner[start] == number:
        start += 1
    return start


@compiled
def _paint_flat(rgb, ids, start, stop, shade, instance):
    pixels = rgb[3 * start : 3 * stop]
    numbers = ids[start:stop]
    red, green, blue = np.uint8(shade), np.uint8(shade >> np.uint32(8)), np.uint8(shade >> np.uint32(16))
    for pixel in range(stop - start):
        pixels[3 * pixel] = red
        pixels[3 * pixel + 1] = green
        pixels[3 * pixel + 2] = blue
        numbers[pixel] = instance


@compiled
def _paint_run(
    rgb, ids, instance, away, columns, surfaces, number, way, shades, texels, texture, offset, start, stop,
    row,
):  # fmt: skip
    """Paint a run of a row's pixels that show one face, block by block."""
    mixes = shades[number]
    for begin in range(start, stop, BLOCK_PX):
        end = min(stop, begin + BLOCK_PX)
        if way != SMOOTH:
            _find_texels(away, columns, surfaces, number, texels, begin, end, row)
        if way == TEXTURED:
            pixels = rgb[3 * (offset + begin) : 3 * (offset + end)]
            numbers = ids[offset + begin : offset + end]
            for pixel in range(end - begin):
                shade = mixes[texture[np.uint32(texels[pixel])]]
                pixels[3 * pixel] = np.uint8(shade)
                pixels[3 * pixel + 1] = np.uint8(shade >> np.uint32(8))
                pixels[3 * pixel + 2] = np.uint8(shade >> np.uint32(16))
                numbers[pixel] = instance
        else:
            for column in range(begin, end):
                ids[offset + column] = instance
                shade = mixes[0] if way == SMOOTH else mixes[texture[texels[column - begin]]]
                light = _light(surfaces, number, away[column], column, row)
                _paint_lit(rgb, offset + column, shade, light)


@compiled
def _find_texels(away, columns, surfaces, number, texels, start, stop, row):
    """Where each pixel of a block finds its texel; always a whole block, so that many are done at once."""
    middle = away[(start + stop) >> 1]
    scale, first, side = _level(middle * middle * middle * surfaces[number, 12])
    mask = np.int32(side - 1)
    u_slope, u_base = surfaces[number, 0] * scale, (surfaces[number, 1] * row + surfaces[number, 2]) * scale
    v_slope, v_base = surfaces[number, 4] * scale, (surfaces[number, 5] * row + surfaces[number, 6]) * scale
    u_constant, v_constant = surfaces[number, 3] * scale, surfaces[number, 7] * scale
    metres = away[start : start + BLOCK_PX]
    across = columns[start : start + BLOCK_PX]
    for pixel in range(BLOCK_PX):
        u = np.int32(u_constant + metres[pixel] * (u_base + u_slope * across[pixel]))
        v = np.int32(v_constant + metres[pixel] * (v_base + v_slope * across[pixel]))
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
    slope = surfaces[number, 8] * np.float32(column) + surfaces[number, 9] * row + surfaces[number, 10]
    return np.uint32(np.int32(max(surfaces[number, 11] + away * slope, ZERO) * np.float32(256.0)))


@compiled
def _paint_lit(rgb, pixel, shade, light):
    byte, eight = np.uint32(255), np.uint32(8)
    rgb[3 * pixel] = min(byte, ((shade & byte) * light) >> eight)
    rgb[3 * pixel + 1] = min(byte, ((shade >> eight & byte) * light) >> eight)
    rgb[3 * pixel + 2] = min(byte, ((shade >> np.uint32(16) & byte) * light) >> eight)
