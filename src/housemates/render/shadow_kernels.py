"""Shadows on level ground: colours grow darker around what stands there. Compiled to machine code.

No camera tilts sideways, so along a row of pixels all points of a level plane have the same depth, and
where they are on it is an affine function of the column. `raster.Shadows` says what a shadow is.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from housemates.jit import compiled
from housemates.render.blocks import LANES, lanes_between
from housemates.render.shading import LEVEL
from housemates.render.sizes import BLOCK_PX
from housemates.render.surfaces import HALF, NEAR_M, ONE, ZERO, U, hidden, in_view

GRAZING_M = np.float32(0.03)
"""How far the eye must be above a plane for shadows on it to be seen."""
UNEVEN_M = np.float32(0.015)
"""How far from its plane ground may be and still take a shadow."""
LEAST_PX = np.float32(1.5)
"""Shadows whose soft edge is narrower than this are not drawn."""
PARALLEL = np.float32(1e-9)
FULL_LIGHT, NO_SHADE = np.float32(256.0), np.uint32(256)


@compiled
def line_up(spots, forms, camera, height, rows, hiding):
    """Find the rows of the picture that each shadow can reach, if nothing in the way hides it."""
    for number in range(len(spots)):
        rows[number, 0], rows[number, 1] = 0, 0
        if len(hiding) and hidden(spots, number, hiding, camera):
            continue
        if spots[number, 1] - camera[1] < -GRAZING_M and in_view(spots, number, camera):
            rows[number, 0], rows[number, 1] = _rows(spots, forms, number, camera, height)


@compiled
def cast(
    spots, forms, owners, rows, camera, depth, winner, marks, columns, lights, width, top, bottom, colours
):
    """Draw all shadows between two rows; only colours change."""
    for number in range(len(owners)):
        start, stop = max(top, rows[number, 0]), min(bottom, rows[number, 1])
        if start < stop:
            _cast(
                spots, forms, number, owners[number], camera, depth, winner, marks, columns, lights, width,
                start, stop, colours,
            )  # fmt: skip


@compiled
def _rows(spots, forms, number, camera, height):
    """The first row that a shadow can reach and the one after the last; none if it is too far to be seen."""
    x, y, z = spots[number, 0] - camera[0], spots[number, 1] - camera[1], spots[number, 2] - camera[2]
    sine, cosine = forms[number, 0], forms[number, 1]
    rim = forms[number, 4] + forms[number, 5]
    across, along = forms[number, 2] + rim, forms[number, 3] + rim
    if forms[number, 5] * camera[12] < LEAST_PX * (x * camera[9] + y * camera[10] + z * camera[11]):
        return 0, 0
    highest, lowest = np.float32(height), ZERO
    for corner in range(4):
        u = across if corner & 1 else -across
        v = along if corner & 2 else -along
        px, pz = x + u * cosine + v * sine, z + v * cosine - u * sine
        depth = px * camera[9] + y * camera[10] + pz * camera[11]
        if depth < NEAR_M:
            lowest = np.float32(height)
            continue
        row = camera[14] - camera[12] * (px * camera[6] + y * camera[7] + pz * camera[8]) / depth
        highest, lowest = min(highest, row), max(lowest, row)
    top = max(ZERO, np.ceil(highest - HALF))
    bottom = min(np.float32(height), np.ceil(lowest - HALF))
    return int(top), int(bottom)


@compiled
def _cast(
    spots, forms, number, owner, camera, depth, winner, marks, columns, lights, width, top, bottom, colours
):
    """Darken what lies on a shadow's plane and is level, but not the top of what casts it.

    All in one: arrays that are handed on to functions cost more than the shadow.
    """
    half_u, half_v, corner, reach, strength = forms[number, 2:]
    limit_u, limit_v, fade = half_u + corner + reach, half_v + corner + reach, ONE / reach
    below, one_px = spots[number, 1] - camera[1], ONE / camera[12]
    eye_u, eye_v = _along(camera[0] - spots[number, 0], camera[2] - spots[number, 2], forms, number)
    right_u, right_v = _along(camera[3] * one_px, camera[5] * one_px, forms, number)
    up_u, up_v = _along(camera[6] * one_px, camera[8] * one_px, forms, number)
    ahead_u, ahead_v = _along(camera[9], camera[11], forms, number)
    ahead_u, ahead_v = ahead_u + (HALF - camera[13]) * right_u, ahead_v + (HALF - camera[13]) * right_v
    back_u, back_v = _back(below * right_u), _back(below * right_v)
    for row in range(top, bottom):
        up = camera[14] - HALF - np.float32(np.int32(row))
        fall = up * camera[7] * one_px + camera[10]
        if fall > -PARALLEL:
            continue
        away, slack = below / fall, UNEVEN_M / fall
        u, v = eye_u + away * (up * up_u + ahead_u), eye_v + away * (up * up_v + ahead_v)
        start, stop = _within(u, v, fall * back_u, fall * back_v, limit_u, limit_v, width)
        step_u, step_v = away * right_u, away * right_v
        first, near, far = U(row * width), away + slack, away - slack
        for begin in range(U(start), U(max(start, stop)), U(BLOCK_PX)):
            meant = (U(1) << min(U(stop) - begin, U(BLOCK_PX))) - U(1)
            level = _level(depth, first + begin, near, far) & meant
            if not level:
                continue
            for pixel in range(U(BLOCK_PX)):
                across = columns[begin + pixel]
                aside = max(abs(u + across * step_u) - half_u, ZERO)
                beyond = max(abs(v + across * step_v) - half_v, ZERO)
                outside = max(np.sqrt(aside * aside + beyond * beyond) - corner, ZERO)
                dark = max(ONE - outside * fade, ZERO)
                lights[pixel] = np.int32(FULL_LIGHT - strength * dark * dark)
            place = first + begin
            for pixel in range(U(BLOCK_PX)):
                if level >> pixel & U(1):
                    mark = marks[U(winner[place + pixel])]
                    dark = (mark & np.uint32(LEVEL) != 0) & (mark >> np.uint32(8) != owner)
                    light = np.uint32(lights[pixel]) if dark else NO_SHADE
                    colours[place + pixel] = _dimmed(colours[place + pixel], light)


@compiled
def _level(depth, place, near, far):
    """The bits of those pixels of BLOCK_PX whose depths are between two."""
    found = U(0)
    for lane in range(U(0), U(BLOCK_PX), U(LANES)):
        found |= lanes_between(depth, place + lane, near, far) << lane
    return found


@compiled
def _dimmed(colour, light):
    """A packed colour in as many 256ths of its light, at most all; two channels are done at once."""
    outer, inner, eight = np.uint32(0xFF00FF), np.uint32(0xFF00), np.uint32(8)
    return (colour & outer) * light >> eight & outer | (colour & inner) * light >> eight & inner


@compiled
def _along(x, z, forms, number):
    """A level vector in the frame of a shadow."""
    sine, cosine = forms[number, 0], forms[number, 1]
    return x * cosine - z * sine, x * sine + z * cosine


@compiled
def _back(step):
    """One over a step, or 0 where a coordinate does not change along a row."""
    return ONE / step if abs(step) > PARALLEL else ZERO


@compiled
def _within(u, v, back_u, back_v, limit_u, limit_v, width):
    """About from which column to which one both coordinates are within their limits."""
    first_u, last_u = _reach(u, back_u, limit_u, width)
    first_v, last_v = _reach(v, back_v, limit_v, width)
    return int(max(first_u, first_v)), int(min(last_u, last_v))


@compiled
def _reach(value, back, limit, width):
    """Between which columns a coordinate is within a limit, for its value and one over its step there."""
    most = np.float32(width)
    if back == ZERO:
        return ZERO, most if abs(value) < limit else ZERO
    middle, half = -value * back, abs(limit * back)
    return max(middle - half, ZERO), min(middle + half, most)
