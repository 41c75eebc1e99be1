"""Hidden surfaces: which face is nearest at each pixel, compiled to machine code.

Everything that varies over a face (its texture coordinates, its light, one over its depth) is an affine
function of the position in the world or in the picture, so nothing is interpolated between corners.
All arithmetic is strict float32: the same faces give the same bits in every process.
`raster.Scratch` says what the buffers hold.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from housemates.jit import compiled
from housemates.render.blocks import ALL, LANES, first_lanes, follow_edge, mark_nearer

NEAR_M = np.float32(0.02)
EDGE_ON = np.float32(-1e-6)
U = np.uint64
"""Indices are without a sign: they need no check for being counted from the end."""
DOTS = U(0x55)
ZERO, HALF, ONE = np.float32(0.0), np.float32(0.5), np.float32(1.0)


@compiled
def draw_groups(
    runs, spheres, hiding, corners, planes, see_through, camera, polygon, nearness, winner, width, height,
    columns, ends, sources, sizes,
):  # fmt: skip
    """Draw the groups that are seen; number the faces that came out from 1 and return the next number."""
    drawn = np.int32(1)
    for group in range(U(len(spheres))):
        if not in_view(spheres, group, camera):
            continue
        if len(hiding) and hidden(spheres, group, hiding, camera):
            continue
        for face in range(U(runs[group, 0]), U(runs[group, 1])):
            ahead = planes[face, 3] - at_camera(planes, face, camera)
            if ahead > EDGE_ON:
                continue
            sides = _clip(corners, face, camera, polygon)
            top, bottom = _outline(polygon, sides, width, height, ends)
            if top < bottom:
                a, b, c = over_picture(planes, face, camera)
                a, b, c = a / ahead, b / ahead, c / ahead
                sizes[U(drawn)] = _fill(
                    nearness, winner, width, columns, ends, top, bottom, a, b, c, drawn, see_through[face]
                )  # fmt: skip
                sources[U(drawn)] = face
                drawn += np.int32(1)
    return drawn


@compiled
def in_view(spheres, group, camera):
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
def in_the_way(occluders, camera):
    """What hides something from a camera, as three half-planes seen from above in which all is hidden.

    They are behind the occluder (a normal, and how far it is) and between the lines to its ends.
    """
    found, count = np.empty((len(occluders), 8), np.float32), 0
    for number in range(len(occluders)):
        x0, z0 = occluders[number, 0] - camera[0], occluders[number, 1] - camera[2]
        x1, z1 = occluders[number, 2] - camera[0], occluders[number, 3] - camera[2]
        normal_x, normal_z = occluders[number, 4], occluders[number, 5]
        away = -(x0 * normal_x + z0 * normal_z)
        if away <= NEAR_M or not occluders[number, 6] < camera[1] < occluders[number, 7]:
            continue
        turn = ONE if x0 * z1 - z0 * x1 > ZERO else -ONE
        first, second = turn / np.sqrt(x0 * x0 + z0 * z0), turn / np.sqrt(x1 * x1 + z1 * z1)
        found[count, 0], found[count, 1], found[count, 2] = -normal_x, -normal_z, away
        found[count, 3], found[count, 4] = -z0 * first, x0 * first
        found[count, 5], found[count, 6] = z1 * second, -x1 * second
        count += 1
    return found[:count]


@compiled
def hidden(spheres, group, hiding, camera):
    """Whether a group's sphere is hidden by one occluder."""
    x, z = spheres[group, 0] - camera[0], spheres[group, 2] - camera[2]
    radius = spheres[group, 3]
    for number in range(len(hiding)):
        if (
            x * hiding[number, 3] + z * hiding[number, 4] >= radius
            and x * hiding[number, 5] + z * hiding[number, 6] >= radius
            and x * hiding[number, 0] + z * hiding[number, 1] >= hiding[number, 2] + radius
        ):
            return True
    return False


@compiled
def any_in_view(spheres, camera):
    """Whether something in one of these spheres may be seen by a camera, given as `Camera.packed`."""
    for sphere in range(len(spheres)):  # noqa: SIM110
        if in_view(spheres, sphere, camera):
            return True
    return False


@compiled
def at_camera(gradients, row, camera):
    """The linear part of a function of the position, where the camera is."""
    return gradients[row, 0] * camera[0] + gradients[row, 1] * camera[1] + gradients[row, 2] * camera[2]


@compiled
def over_picture(gradients, row, camera):
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
def _outline(polygon, sides, width, height, ends):
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
    most = np.float32(width)
    for corner in range(sides):
        after = corner + U(1) if corner + U(1) < sides else U(0)
        x0, y0, x1, y1 = polygon[corner, 0], polygon[corner, 1], polygon[after, 0], polygon[after, 1]
        down = y0 < y1
        if not down:
            x0, y0, x1, y1 = x1, y1, x0, y0
        start = max(0, int(np.ceil(y0 - HALF)))
        stop = min(height, int(np.ceil(y1 - HALF)))
        if start < stop:
            slope, side = (x1 - x0) / (y1 - y0), len(ends) // 2 if down else 0
            for row in range(start, stop, LANES):
                follow_edge(ends, side + row, row, x0, y0, slope, most, first_lanes(stop - row))
    return top, bottom


@compiled
def _fill(nearness, winner, width, columns, ends, top, bottom, a, b, c, number, dotted):
    """Mark the pixels of a face that are nearer than all before; return how many it has in the picture.

    Of a dotted face that is every other one, as on a chequerboard.
    """
    pixels, rights = 0, U(len(ends) // 2)
    for row in range(U(top), U(bottom)):
        start, stop = ends[row], ends[rights + row]
        if start < stop:
            pixels += stop - start
            base = b * np.float32(np.int32(row)) + c
            first = row * U(width)
            lanes = DOTS << ((U(start) + row) & U(1)) if dotted else ALL
            column, after = U(start), U(stop)
            while column + U(LANES) <= after:
                mark_nearer(nearness, winner, columns, first + column, column, a, base, number, lanes)
                column += U(LANES)
            if column < after:
                lanes &= first_lanes(after - column)
                mark_nearer(nearness, winner, columns, first + column, column, a, base, number, lanes)
    return pixels
