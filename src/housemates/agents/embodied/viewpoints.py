"""Views: where to stand and how far to look down."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from housemates.agents.embodied.occupancy import GridPose, Points
from housemates.home.things import GRID_M, HORIZON_RANGE_DEG


class Viewpoint(NamedTuple):
    """A stand and a horizon in degrees."""

    stand: GridPose
    horizon: int


def place(view: Viewpoint) -> Points:
    """Where one stands in a view, in metres."""
    return np.array([view.stand.x * GRID_M, view.stand.z * GRID_M])


def horizons(best: int, look: int) -> list[int]:
    """How far to look down for a height: the best, then one look beside it."""
    return [best, best + look if best + look <= HORIZON_RANGE_DEG[1] else best - look]


def alignment(one: Points, other: Points) -> float:
    """1 for the same direction, -1 for opposite ones."""
    size = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / size if size > 1e-6 else 1.0
