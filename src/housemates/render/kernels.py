"""The rasteriser's inner loops, compiled to machine code.

Everything that varies over a face (its texture coordinates, its light, one over its depth) is an affine
function of the position in the world or in the picture, so nothing is interpolated between corners.
All arithmetic is strict float32: the same faces give the same bits in every process.
`raster.Scratch` says what the buffers hold.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from housemates.compiling import compiled
from housemates.render.addresses import floats, ints, octets, shorts, uints

TEXTURE_BITS = 7
TEXTURE_PX = 1 << TEXTURE_BITS
TEXTURE_TEXELS = (4 * TEXTURE_PX * TEXTURE_PX - 1) // 3
"""Of a texture and all its halvings down to a single texel, its mean."""
TOO_FINE = np.float32(100.0)
"""Texels a pixel from which a pattern is but its mean, even where the face is nearest."""
SHADES = 32
"""Steps from the first to the second colour of a pattern."""
ONE_TEXEL, ONE_SHADE = np.float32(1 / TEXTURE_PX), np.float32(1 / (SHADES - 1))
NEAR_M = np.float32(0.02)
FAR_AWAY_TEXELS = np.float32(65536.0)
"""Added to texture coordinates so that they are positive; a multiple of the texture's side."""
EDGE_ON = np.float32(-1e-6)
U = np.uint64
"""Indices are without a sign: they need no check for being counted from the end."""
ZERO, HALF, ONE, QUARTER = np.float32(0.0), np.float32(0.5), np.float32(1.0), np.float32(0.25)
BLOCK_PX = 32
"""Pixels whose texels are found together, at one level of detail."""
SMALL_PX = 144
"""Faces of fewer pixels are of one colour."""
FLAT, TEXTURED, SMOOTH, RICH = 0, 1, 2, 3
"""Ways of shading: one colour, with a pattern, with changing light, with both."""


@compiled
def draw_scenes(scenes, cameras, places, textures, background, scratch, all_rgb, all_ids, all_depth):
    """Draw what each camera sees of its scene, into the picture at its place.

    While a picture is drawn, its depths are kept as one over the depth: its nearness.

    Args:
        scenes: A row for each camera: `raster.Sheet.row`.
        cameras: Their `Camera.packed`.
        places: Which picture each of them draws.
        textures: One row of texels for each pattern.
        background: Colour where there is nothing, packed as 0xBBGGRR.
        scratch: `raster.Scratch.row`.
        all_rgb: Colours of all pictures.
        all_ids: Their instances.
        all_depth: Their depths.
    """
    height, width, most = all_ids.shape[1], all_ids.shape[2], scratch[0]
    winner, columns = ints(scratch[1], height * width), floats(scratch[2], width + BLOCK_PX)
    lefts, rights = ints(scratch[3], height), ints(scratch[4], height)
    sources, sizes = ints(scratch[5], most), ints(scratch[6], most)
    surfaces, patterns = floats(scratch[7], (most, 13)), octets(scratch[8], most)
    marks, flats, shades = (
        uints(scratch[9], most),
        uints(scratch[10], most),
        uints(scratch[11], (most, SHADES)),
    )
    away, polygon = floats(scratch[12], width + BLOCK_PX), floats(scratch[13], (6, 2))
    texels = ints(scratch[14], BLOCK_PX)
    marks[0] = 0
    flats[0] = background
    for number in range(len(cameras)):
        camera, scene, place = cameras[number], scenes[number], places[number]
        faces, groups = scene[0], scene[1]
        corners, planes = floats(scene[2], (faces, 4, 3)), floats(scene[3], (faces, 4))
        fields, colours = floats(scene[4], (faces, 3, 4)), floats(scene[5], (faces, 2, 3))
        pattern, see_through = octets(scene[6], faces), octets(scene[7], faces)
        first, spheres = ints(scene[9], groups + 1), floats(scene[10], (groups, 4))
        rgb, ids = all_rgb[place].reshape(-1), all_ids[place].reshape(-1)
        nearness = all_depth[place].reshape(-1)
        nearness[:] = ZERO
        winner[:] = 0
        drawn = _draw_groups(
            first, spheres, corners, planes, see_through, camera, polygon, nearness, winner, width, columns,
            lefts, rights, sources, sizes,
        )  # fmt: skip
        _prepare(
            corners, planes, fields, colours, pattern, shorts(scene[8], faces), camera, textures, sources,
            sizes, drawn, surfaces, patterns, marks, flats, shades,
        )  # fmt: skip
        _shade(
            nearness, winner, columns, surfaces, patterns, marks, flats, shades, away, texels, textures,
            width, rgb, ids,
        )  # fmt: skip


@compiled
def _draw_groups(
    first, spheres, corners, planes, see_through, camera, polygon, nearness, winner, width, columns, lefts,
    rights, sources, sizes,
):  # fmt: skip
    """Draw the groups in view; number the faces that came out from 1 and return the next free number."""
    drawn = np.int32(1)
    for group in range(U(len(spheres))):
        if not _in_view(spheres, group, camera):
            continue
        for face in range(U(first[group]), U(first[group + U(1)])):
            ahead = planes[face, 3] - _at(planes, face, camera)
            if ahead > EDGE_ON:
                continue
            sides = _clip(corners, face, camera, polygon)
            top, bottom = _outline(polygon, sides, width, len(lefts), lefts, rights)
            if top < bottom:
                a, b, c = _over_picture(planes, face, camera)
                a, b, c = a / ahead, b / ahead, c / ahead
                sizes[U(drawn)] = _fill(
                    nearness, winner, width, columns, lefts, rights, top, bottom, a, b, c, drawn,
                    see_through[face],
                )  # fmt: skip
                sources[U(drawn)] = face
                drawn += np.int32(1)
    return drawn


@compiled
def _in_view(spheres, group, camera):
    """Whether a group's sphere meets what the camera sees."""
    x = spheres[group, 0] - camera[0]
    y = spheres[group, 1] - camera[1]
    z = spheres[group, 2] - camera[2]
    radius = spheres[group, 3]
    depth = x * camera[9] + y * camera[10] + z * camera[11]
    right = x * camera[3] + y * camera[4] + z * camera[5]
    up = x * camera[6] + y * camera[7] + z * camera[8]
    across, upward = camera[13] / camera[12], camera[14] / camera[12]
    return (
        depth + radius >= NEAR_M
        and abs(right) - depth * across <= radius * np.sqrt(ONE + across * across)
        and abs(up) - depth * upward <= radius * np.sqrt(ONE + upward * upward)
    )


@compiled
def _at(gradients, row, camera):
    """The linear part of a function of the position, where the camera is."""
    return gradients[row, 0] * camera[0] + gradients[row, 1] * camera[1] + gradients[row, 2] * camera[2]


@compiled
def _over_picture(gradients, row, camera):
    """A gradient in the world as a, b, c: along the ray of pixel (x, y) it grows by a x + b y + c a metre."""
    x, y, z = gradients[row, 0], gradients[row, 1], gradients[row, 2]
    a = (x * camera[3] + y * camera[4] + z * camera[5]) / camera[12]
    b = -(x * camera[6] + y * camera[7] + z * camera[8]) / camera[12]
    c = x * camera[9] + y * camera[10] + z * camera[11]
    return a, b, c + a * (HALF - camera[13]) + b * (HALF - camera[14])


@compiled
def _clip(corners, face, camera, polygon):
    """Put the part of a face before the near plane into `polygon` as pixels; return its number of corners."""
    sides = U(0)
    u, v, w = _seen(corners, face, U(0), camera)
    for corner in range(U(4)):
        x, y, z = u, v, w
        if z >= NEAR_M:
            polygon[sides, 0] = camera[13] + camera[12] * x / z
            polygon[sides, 1] = camera[14] - camera[12] * y / z
            sides += U(1)
        u, v, w = _seen(corners, face, (corner + U(1)) & U(3), camera)
        if (z >= NEAR_M) != (w >= NEAR_M):
            part = (z - NEAR_M) / (z - w) if z > w else (w - NEAR_M) / (w - z)
            near_x = x + (u - x) * part if z > w else u + (x - u) * part
            near_y = y + (v - y) * part if z > w else v + (y - v) * part
            polygon[sides, 0] = camera[13] + camera[12] * near_x / NEAR_M
            polygon[sides, 1] = camera[14] - camera[12] * near_y / NEAR_M
            sides += U(1)
    return sides


@compiled
def _seen(corners, face, corner, camera):
    """Right, up and forward of a corner as the camera sees it, in metres."""
    x = corners[face, corner, 0] - camera[0]
    y = corners[face, corner, 1] - camera[1]
    z = corners[face, corner, 2] - camera[2]
    return (
        x * camera[3] + y * camera[4] + z * camera[5],
        x * camera[6] + y * camera[7] + z * camera[8],
        x * camera[9] + y * camera[10] + z * camera[11],
    )


@compiled
def _outline(polygon, sides, width, height, lefts, rights):
    """Work out the pixels of each row whose middle is in a polygon; return its first row and the one after.

    Each edge is followed from its upper end, so faces that share one leave no gap and no overlap.
    """
    leftmost, rightmost = np.float32(width), ZERO
    highest, lowest = np.float32(height), ZERO
    for corner in range(sides):
        leftmost = min(leftmost, polygon[corner, 0])
        rightmost = max(rightmost, polygon[corner, 0])
        highest = min(highest, polygon[corner, 1])
        lowest = max(lowest, polygon[corner, 1])
    top = max(0, int(np.ceil(highest - HALF)))
    bottom = min(height, int(np.ceil(lowest - HALF)))
    if rightmost <= HALF or leftmost >= np.float32(width) - HALF or top >= bottom:
        return 0, 0
    for corner in range(sides):
        after = corner + U(1) if corner + U(1) < sides else U(0)
        x0, y0, x1, y1 = polygon[corner, 0], polygon[corner, 1], polygon[after, 0], polygon[after, 1]
        down = y0 < y1
        if not down:
            x0, y0, x1, y1 = x1, y1, x0, y0
        start = max(0, int(np.ceil(y0 - HALF)))
        stop = min(height, int(np.ceil(y1 - HALF)))
        if start < stop:
            _follow(x0, y0, (x1 - x0) / (y1 - y0), start, stop, width, rights if down else lefts)
    return top, bottom


@compiled
def _follow(x, y, slope, start, stop, width, ends):
    """Where an edge crosses each row: the first column whose middle is not left of it."""
    least, most = ZERO, np.float32(width)
    for row in range(U(start), U(stop)):
        across = x + (np.float32(np.int32(row)) + HALF - y) * slope
        ends[row] = np.int32(min(max(np.ceil(across - HALF), least), most))


@compiled
def _fill(nearness, winner, width, columns, lefts, rights, top, bottom, a, b, c, number, dotted):
    """Mark the pixels of a face that are nearer than all before; return how many it has in the picture."""
    pixels = 0
    for row in range(U(top), U(bottom)):
        start, stop = lefts[row], rights[row]
        if start < stop:
            pixels += stop - start
            base = b * np.float32(np.int32(row)) + c
            first = row * U(width)
            if dotted:
                odd = (U(start) + row) & U(1)
                _span(nearness, winner, columns, first, U(start) + odd, U(stop), U(2), a, base, number)
            else:
                _span(nearness, winner, columns, first, U(start), U(stop), U(1), a, base, number)
    return pixels


@compiled
def _span(nearness, winner, columns, first, start, stop, step, a, base, number):
    """Mark the pixels of a row, or every other one of them, as on a chequerboard."""
    for column in range(start, stop, step):
        value = base + a * columns[column]
        if value > nearness[first + column]:
            nearness[first + column] = value
            winner[first + column] = number


@compiled
def _prepare(
    corners, planes, fields, colours, pattern, instance, camera, textures, sources, sizes, drawn, surfaces,
    patterns, marks, flats, shades,
):  # fmt: skip
    """Work out how the pixels of the drawn faces get their colours; a small face has the same all over."""
    for number in range(1, drawn):
        face = sources[number]
        u, v, light = fields[face, 0:1], fields[face, 1:2], fields[face, 2:3]
        ahead = planes[face, 3] - _at(planes, face, camera)
        texels = u[0, 0] * u[0, 0] + u[0, 1] * u[0, 1] + u[0, 2] * u[0, 2]
        detail = texels / (-ahead * camera[12] * camera[12])
        textured = pattern[face] != 0 and sizes[number] >= SMALL_PX and -detail * ahead**3 < TOO_FINE
        smooth = sizes[number] >= SMALL_PX and (
            light[0, 0] != ZERO or light[0, 1] != ZERO or light[0, 2] != ZERO
        )
        way = (TEXTURED if textured else FLAT) + (SMOOTH if smooth else FLAT)
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
    a, b, c = _over_picture(field, 0, camera)
    surfaces[number, place], surfaces[number, place + 1], surfaces[number, place + 2] = a, b, c
    surfaces[number, place + 3] = field[0, 3] + _at(field, 0, camera) + shift


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
def _shade(
    depth, winner, columns, surfaces, patterns, marks, flats, shades, away, texels, textures, width, rgb, ids
):
    """Turn winners into colours and instances, and nearness into depth, row by row and run by run."""
    for offset in range(U(0), U(len(winner)), U(width)):
        for column in range(U(width)):
            away[column] = ONE / depth[offset + column]
        for column in range(U(width)):
            depth[offset + column] = away[column]
        row = np.float32(np.int32(offset // U(width)))
        start, end = offset, offset + U(width)
        while start < end:
            number = U(winner[start])
            stop = _run_end(winner, start + U(1), end, winner[start])
            mark = marks[number]
            instance = np.uint16(mark >> np.uint32(8))
            way = mark & np.uint32(RICH)
            if way == FLAT:
                _paint_flat(rgb, ids, start, stop, flats[number], instance)
            else:
                _paint_run(
                    rgb, ids, instance, away, columns, surfaces, number, way, shades, texels, textures,
                    U(patterns[number]), offset, start, stop, row,
                )  # fmt: skip
            start = stop


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
def _paint_flat(rgb, ids, start, stop, shade, instance):
    red, green, blue = np.uint8(shade), np.uint8(shade >> np.uint32(8)), np.uint8(shade >> np.uint32(16))
    for pixel in range(start, stop):
        rgb[U(3) * pixel] = red
        rgb[U(3) * pixel + U(1)] = green
        rgb[U(3) * pixel + U(2)] = blue
    for pixel in range(start, stop):
        ids[pixel] = instance


@compiled
def _paint_run(
    rgb, ids, instance, away, columns, surfaces, number, way, shades, texels, textures, pattern, offset,
    start, stop, row,
):  # fmt: skip
    """Paint a run of a row's pixels that show one face, block by block."""
    for pixel in range(start, stop):
        ids[pixel] = instance
    for begin in range(start, stop, U(BLOCK_PX)):
        end = min(stop, begin + U(BLOCK_PX))
        if way != SMOOTH:
            _find_texels(away, columns, surfaces, number, texels, begin - offset, end - offset, row)
        if way == TEXTURED:
            for pixel in range(begin, end):
                shade = shades[number, U(textures[pattern, U(texels[pixel - begin])])]
                rgb[U(3) * pixel] = np.uint8(shade)
                rgb[U(3) * pixel + U(1)] = np.uint8(shade >> np.uint32(8))
                rgb[U(3) * pixel + U(2)] = np.uint8(shade >> np.uint32(16))
        else:
            for pixel in range(begin, end):
                step = U(0) if way == SMOOTH else U(textures[pattern, U(texels[pixel - begin])])
                column = pixel - offset
                light = _light(surfaces, number, away[column], columns[column], row)
                _paint_lit(rgb, pixel, shades[number, step], light)


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
def _paint_lit(rgb, pixel, shade, light):
    byte, eight = np.uint32(255), np.uint32(8)
    rgb[U(3) * pixel] = min(byte, ((shade & byte) * light) >> eight)
    rgb[U(3) * pixel + U(1)] = min(byte, ((shade >> eight & byte) * light) >> eight)
    rgb[U(3) * pixel + U(2)] = min(byte, ((shade >> np.uint32(16) & byte) * light) >> eight)
