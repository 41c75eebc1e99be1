"""Clicks: the pixel at which to touch an object or to put something down on it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from housemates.agents.embodied.embodiment import Click
from housemates.agents.embodied.occupancy import Points
from housemates.home.things import REACH_M
from housemates.render.frames import Frame

SLACK_M = 0.03
"""Safety margin to the agent's reach."""
PLACING_M = 1.3
"""Reach for putting something down, which may come to rest a little farther away."""
LEVEL_M = 0.012
"""Height difference between rows of a level surface."""
LEAST_PX = 3
RIM_M = 0.04
"""Depth below its rim at which the inside of a container begins."""
Vec = tuple[float, float, float]


def points_of(frame: Frame, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Points:
    """The points in metres at some pixels, one row each."""
    height, width = frame.ids.shape
    focal = frame.camera.focal
    rays = np.stack(
        [(columns + 0.5 - width / 2) / focal, (height / 2 - rows - 0.5) / focal, np.ones(len(rows))], axis=1
    )
    depth = frame.depth[rows, columns].astype(np.float64)[:, None]
    points: Points = np.asarray(frame.camera.position) + depth * (rays @ frame.camera.axes)
    return points


def point_at(frame: Frame, click: Click) -> Points:
    """The point in metres under a click, as one row."""
    height, width = frame.ids.shape
    return points_of(frame, np.array([int(click.y * height)]), np.array([int(click.x * width)]))


def on_thing(frame: Frame, key: str, position: Vec, reach: float = REACH_M) -> Click | None:
    """A click well inside the visible part of an object within reach; None if there is none."""
    reachable = _within(frame, frame.mask(key), position, reach - SLACK_M)
    return _deepest(reachable, frame) if np.count_nonzero(reachable) >= LEAST_PX else None


def away(frame: Frame, key: str, position: Vec) -> float:
    """Distance in metres to the nearest visible point of an object; infinite if it is not seen."""
    rows, columns = np.nonzero(frame.mask(key))
    apart = np.linalg.norm(points_of(frame, rows, columns) - np.asarray(position), axis=1)
    return float(np.min(apart[np.isfinite(apart)], initial=np.inf))


def click_at(frame: Frame, point: Vec, position: Vec) -> Click | None:
    """The click that shows a point within reach; None if it is out of the picture."""
    height, width = frame.ids.shape
    column, row, depth = frame.camera.pixel(point)
    shown = depth > 0 and 0 < column < width and 0 < row < height
    return Click(column / width, row / height) if shown and math.dist(point, position) < REACH_M else None


def on_surface(frame: Frame, key: str, position: Vec, avoid: int = 0) -> Click | None:
    """A click in the middle of a free part of a level surface, or anywhere on it if none is level.

    Args:
        frame: The picture.
        key: On what something is to be put.
        position: Where reach is measured from, in metres.
        avoid: Number of best clicks to skip, as they failed.
    """
    mask = frame.mask(key)
    for limit in (PLACING_M, REACH_M - SLACK_M):
        reachable = _within(frame, mask, position, limit)
        for each in (reachable & _level(frame), reachable):
            for _ in range(avoid):
                best = _deepest(each, frame) if each.any() else None
                if best is not None:
                    each = each & ~around(best, frame, 30)
            if np.count_nonzero(each) >= 3 * LEAST_PX:
                return _deepest(each, frame)
    return None


def inside(frame: Frame, key: str, position: Vec, top: float) -> Click | None:
    """A click on a level surface inside an open container below its top; None if none is seen."""
    level = _within(frame, frame.mask(key), position, REACH_M - SLACK_M) & _level(frame)
    rows, columns = np.nonzero(level)
    low = points_of(frame, rows, columns)[:, 1] < top - RIM_M if len(rows) else np.empty(0, bool)
    within = np.zeros_like(level)
    within[rows[low], columns[low]] = True
    return _deepest(within, frame) if np.count_nonzero(within) >= 3 * LEAST_PX else None


def around(click: Click, frame: Frame, radius: int) -> NDArray[np.bool_]:
    """Mask of the pixels within a radius of a click."""
    height, width = frame.ids.shape
    rows, columns = np.ogrid[0:height, 0:width]
    near = (rows - click.y * height) ** 2 + (columns - click.x * width) ** 2 < radius**2
    return np.asarray(near)


def _within(frame: Frame, mask: NDArray[np.bool_], position: Vec, limit: float) -> NDArray[np.bool_]:
    rows, columns = np.nonzero(mask)
    near = np.zeros_like(mask)
    if len(rows):
        away = points_of(frame, rows, columns) - np.asarray(position)
        keep = (away**2).sum(axis=1) <= limit**2
        near[rows[keep], columns[keep]] = True
    return near


def _level(frame: Frame) -> NDArray[np.bool_]:
    """Mask of the pixels that show a level surface."""
    height, width = frame.ids.shape
    rows = np.arange(height)[:, None] + 0.5
    up = (height / 2 - rows) / frame.camera.focal
    axes = frame.camera.axes
    across = (np.arange(width)[None] + 0.5 - width / 2) / frame.camera.focal
    with np.errstate(invalid="ignore"):
        level = frame.depth * (across * axes[0, 1] + up * axes[1, 1] + axes[2, 1])
        steps = np.abs(np.diff(level, axis=0, append=level[-1:]))
    return np.asarray(steps < LEVEL_M / 4)


def _deepest(mask: NDArray[np.bool_], frame: Frame) -> Click:
    """The pixel of a mask that is farthest from its edge, by repeated erosion."""
    inner = mask
    while True:
        smaller = inner.copy()
        smaller[1:] &= inner[:-1]
        smaller[:-1] &= inner[1:]
        smaller[:, 1:] &= inner[:, :-1]
        smaller[:, :-1] &= inner[:, 1:]
        smaller[[0, -1]] = False
        smaller[:, [0, -1]] = False
        if not smaller.any():
            break
        inner = smaller
    rows, columns = np.nonzero(inner)
    away = (rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2
    best = int(np.argmin(away))
    height, width = mask.shape
    return Click((float(columns[best]) + 0.5) / width, (float(rows[best]) + 0.5) / height)
