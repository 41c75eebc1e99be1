"""What stands beyond the edges of a counter: a wall or a stove, wherever nobody can walk."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from housemates.home.geometry import bounding_box
from housemates.home.outlines import NONE, Outlines
from housemates.home.things import GRID_M, Thing
from housemates.home.world import World

BACKED = ("CounterTop",)
STEP_M = 0.1
"""How finely the edges are looked at."""
BESIDE_M = 0.25
AHEAD_M = 0.6
"""Where somebody can stand so near before an edge, there is nothing beyond it."""
THICK_M = 0.4
HIGH_M = 3.0


def backing(world: World, receptacle: Thing) -> Outlines:
    """The outlines of what stands around a counter beside the room, as far as its scene tells."""
    cells = world.scene.walkable
    if receptacle.type not in BACKED or cells is None:
        return NONE
    (x0, _, z0), (x1, _, z1) = bounding_box(receptacle)
    return _backing(cells, round(x0, 3), round(z0, 3), round(x1, 3), round(z1, 3))


@lru_cache(maxsize=64)
def _backing(cells: tuple[tuple[int, int], ...], x0: float, z0: float, x1: float, z1: float) -> Outlines:
    walked = np.array(cells, dtype=np.float64).reshape(-1, 2) * GRID_M
    rows = []
    for edge, outward in ((x0, -1), (x1, 1)):
        for low, high in _closed(walked, edge, outward, z0, z1):
            rows.append((edge + outward * THICK_M / 2, (low + high) / 2, THICK_M / 2, (high - low) / 2))
    for edge, outward in ((z0, -1), (z1, 1)):
        for low, high in _closed(walked[:, ::-1], edge, outward, x0, x1):
            rows.append(((low + high) / 2, edge + outward * THICK_M / 2, (high - low) / 2, THICK_M / 2))
    return Outlines(np.array([(*row, 1.0, 0.0, 0.0, -HIGH_M, HIGH_M) for row in rows]).reshape(-1, 9))


def _closed(
    walked: npt.NDArray[np.float64], edge: float, outward: int, start: float, end: float
) -> list[tuple[float, float]]:
    """The stretches of an edge before which nobody can stand; `walked` is across and along the edge."""
    ahead = (walked[:, 0] - edge) * outward
    near = walked[(ahead > -BESIDE_M / 2) & (ahead < AHEAD_M), 1]
    marks = np.arange(start, end, STEP_M)
    stretches: list[tuple[float, float]] = []
    for mark in marks:
        low, high = float(mark), min(float(mark) + STEP_M, end)
        if len(near) and np.abs(near - (low + high) / 2).min() < BESIDE_M:
            continue
        if stretches and abs(stretches[-1][1] - low) < 1e-9:
            low = stretches.pop()[0]
        stretches.append((low, high))
    return stretches
