"""Viewpoints: a grid pose and a horizon."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from housemates.agents.embodied.occupancy import GridPose, Points
from housemates.home.things import GRID_M, HORIZON_RANGE_DEG


class Viewpoint(NamedTuple):
    """A grid pose and a horizon in degrees."""

    pose: GridPose
    horizon: int


def place(view: Viewpoint) -> Points:
    """The x and z of a viewpoint in metres."""
    return np.array([view.pose.x * GRID_M, view.pose.z * GRID_M])


def horizons(best: int, look: int) -> list[int]:
    """Horizons in degrees to try for a height: the best, then the next beside it."""
    return [best, best + look if best + look <= HORIZON_RANGE_DEG[1] else best - look]


def alignment(one: Points, other: Points) -> float:
    """The cosine of the angle between two directions; 1 if one of them is null."""
    size = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / size if size > 1e-6 else 1.0
