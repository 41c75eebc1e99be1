"""The hexagonal grid: pointy-top hexes in odd-r offset coordinates, row 0 in the south.

A hex is the number `y * width + x`; a heading is 0 to 5 clockwise: NE, E, SE, SW, W, NW.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

HEADINGS = ("NE", "E", "SE", "SW", "W", "NW")
DEGREES = (30, 90, 150, 210, 270, 330)
SPACING_X = math.sqrt(3.0)
"""Distance between neighbouring hexes of a row, where a hex has a corner radius of 1."""
SPACING_Y = 1.5
AXIAL = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
"""The step of each heading in axial coordinates (q, r), which do not depend on the row."""


class Size(NamedTuple):
    """How many hexes a map has from west to east and from south to north."""

    width: int
    height: int


def axial(hexagon: int, width: int) -> tuple[int, int]:
    """Axial coordinates of a hex."""
    y, x = divmod(hexagon, width)
    return x - (y - (y & 1)) // 2, y


def from_axial(q: int, r: int, size: Size) -> int:
    """The hex at axial coordinates, or -1 beyond the edge."""
    x = q + (r - (r & 1)) // 2
    return r * size.width + x if 0 <= x < size.width and 0 <= r < size.height else -1


def rotate(q: int, r: int, times: int) -> tuple[int, int]:
    """Turn an axial offset clockwise by `times` sixths of a circle, exactly."""
    for _ in range(times % 6):
        q, r = q + r, -q
    return q, r


def distance(a: int, b: int, width: int) -> int:
    """Steps between two hexes on an empty map."""
    (aq, ar), (bq, br) = axial(a, width), axial(b, width)
    dq, dr = aq - bq, ar - br
    return max(abs(dq), abs(dr), abs(dq + dr))


def centre(hexagon: int, width: int) -> tuple[float, float]:
    """Where a hex is in the plane: east, north."""
    y, x = divmod(hexagon, width)
    return (x + 0.5 * (y & 1)) * SPACING_X, y * SPACING_Y


def bearing(origin: int, heading: int, target: int, width: int) -> float:
    """Degrees from where one looks to a target, clockwise positive, in (-180, 180]."""
    (ox, oy), (tx, ty) = centre(origin, width), centre(target, width)
    if origin == target:
        return 0.0
    angle = math.degrees(math.atan2(tx - ox, ty - oy)) - DEGREES[heading]
    return -((-angle + 180.0) % 360.0 - 180.0)


@cache
def neighbours(size: Size) -> tuple[tuple[int, ...], ...]:
    """For every hex the six hexes around it by heading; -1 beyond the edge."""
    around = []
    for hexagon in range(size.width * size.height):
        q, r = axial(hexagon, size.width)
        around.append(tuple(from_axial(q + dq, r + dr, size) for dq, dr in AXIAL))
    return tuple(around)


@cache
def centres(size: Size) -> NDArray[np.float64]:
    """East and north of every hex, as an array of two columns."""
    return np.array([centre(hexagon, size.width) for hexagon in range(size.width * size.height)])


@cache
def edge(size: Size) -> frozenset[int]:
    """The outermost hexes, where nothing is ever placed."""
    width, height = size
    return frozenset(
        y * width + x
        for y in range(height)
        for x in range(width)
        if x in (0, width - 1) or y in (0, height - 1)
    )
