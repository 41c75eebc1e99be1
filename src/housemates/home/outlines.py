"""The outlines of parts seen from above, and whether they touch."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from housemates.home.things import Structure, Thing, to_world, turned

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

SLACK_M = 1e-6
"""More than rounding makes of a distance."""
ROUND = ("cylinder", "cone", "ellipsoid", "bowl", "tube")


class Outlines(NamedTuple):
    """Rectangles and ellipses in the world, one a row, with the heights between which they hold."""

    rows: Array
    """(N, 9): x, z, half width, half depth, cosine and sine of the turn, 1 for an ellipse, low, high."""

    def between(self, low: float, high: float) -> Outlines:
        """Those that reach into this range of heights."""
        return Outlines(self.rows[(self.rows[:, 8] > low) & (self.rows[:, 7] < high)])

    def near(self, x: Array, z: Array, radius: float) -> Outlines:
        """Those that a circle with its middle at one of these places may touch, and perhaps others."""
        reach = np.hypot(self.rows[:, 2], self.rows[:, 3]) + radius + SLACK_M
        beside = np.maximum(self.rows[:, 0] - x.max(), x.min() - self.rows[:, 0])
        before = np.maximum(self.rows[:, 1] - z.max(), z.min() - self.rows[:, 1])
        return Outlines(self.rows[np.maximum(beside, before) <= reach])


NONE = Outlines(np.empty((0, 9)))


def joined(outlines: Iterable[Outlines]) -> Outlines:
    """The union of some outlines."""
    return Outlines(np.concatenate([NONE.rows, *(each.rows for each in outlines)]))


@lru_cache(maxsize=2048)
def outlines(thing: Thing) -> Outlines:
    """The outlines of a thing's parts."""
    sine, cosine = turned(0.0, 1.0, thing.yaw)
    rows = []
    for part in thing.shape_parts():
        half_x, half_z = (part.hi[0] - part.lo[0]) / 2, (part.hi[2] - part.lo[2]) / 2
        x, y, z = to_world(thing, (part.lo[0] + half_x, part.lo[1], part.lo[2] + half_z))
        is_round = float(part.kind in ROUND and (part.axis == "y" or part.kind == "ellipsoid"))
        rows.append((x, z, half_x, half_z, cosine, sine, is_round, y, y + part.hi[1] - part.lo[1]))
    return Outlines(np.array(rows, dtype=np.float64).reshape(-1, 9))


def standing(structure: Structure) -> Outlines:
    """The outline of a part of the building."""
    (x0, low, z0), (x1, high, z1) = structure.lo, structure.hi
    row = ((x0 + x1) / 2, (z0 + z1) / 2, (x1 - x0) / 2, (z1 - z0) / 2, 1.0, 0.0, 0.0, low, high)
    return Outlines(np.array([row]))


def touching(x: Array, z: Array, half_x: float, half_z: float, yaw: float, others: Outlines) -> Mask:
    """Whether a rectangle, with its middle at each of these places, touches one of the others.

    Two outlines are apart if along one of their axes, or along the line between their middles, their
    extents do not meet.
    """
    rows = others.near(x, z, math.hypot(half_x, half_z)).rows if len(x) else others.rows
    if not len(rows):
        return np.zeros(len(x), dtype=bool)
    sine, cosine = turned(0.0, 1.0, yaw)
    away_x, away_z = rows[:, 0] - x[:, None], rows[:, 1] - z[:, None]
    length = np.maximum(np.hypot(away_x, away_z), 1e-9)
    between_x, between_z = away_x / length, away_z / length
    sides_x, sides_z = np.empty((4, 1, len(rows))), np.empty((4, 1, len(rows)))
    sides_x[0], sides_x[1], sides_x[2], sides_x[3] = cosine, sine, rows[:, 4], rows[:, 5]
    sides_z[0], sides_z[1], sides_z[2], sides_z[3] = -sine, cosine, -rows[:, 5], rows[:, 4]
    apart = np.zeros(away_x.shape, dtype=bool)
    for axis_x, axis_z in ((sides_x, sides_z), (between_x, between_z)):
        mine = half_x * np.abs(axis_x * cosine - axis_z * sine) + half_z * np.abs(
            axis_x * sine + axis_z * cosine
        )
        clear = np.abs(away_x * axis_x + away_z * axis_z) > mine + _extent(rows, axis_x, axis_z)
        apart |= clear.any(axis=0) if clear.ndim == 3 else clear
    together: Mask = np.logical_not(apart)
    return np.asarray(together.any(axis=1))


def _extent(rows: Array, axis_x: Array, axis_z: Array) -> Array:
    """How far each outline reaches from its middle along an axis."""
    across = rows[:, 2] * np.abs(axis_x * rows[:, 4] - axis_z * rows[:, 5])
    along = rows[:, 3] * np.abs(axis_x * rows[:, 5] + axis_z * rows[:, 4])
    extent: Array = np.where(rows[:, 6] > 0, np.hypot(across, along), across + along)
    return extent
