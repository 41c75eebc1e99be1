"""Where a thing is by several looks: eyes know well in which direction it is, and less well how far."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
ASIDE, AWAY = 0.03, 0.25
"""How much eyes err about where a thing is, for each metre it is away: across the view, and along it."""
ASTRAY = 4.0
"""A look that is so many times farther from what others say than it should be is at something else."""


@dataclass
class PositionEstimate:
    """What all looks at a thing say together about where it is, as sums of least squares."""

    weights: NDArray[np.float64] = field(default_factory=lambda: np.zeros((3, 3)))
    pulls: Vector = field(default_factory=lambda: np.zeros(3))
    looks: int = 0

    def add(self, eye: Vector, middle: Vector) -> Vector:
        """Take in where a thing seems to be from somewhere; returns where it is by all looks."""
        weights = _precision(eye, middle)
        if self.looks:
            off, blur = middle - self.place, np.linalg.inv(weights) + np.linalg.inv(self.weights)
            if off @ np.linalg.solve(blur, off) > ASTRAY**2:
                self.weights, self.pulls, self.looks = np.zeros((3, 3)), np.zeros(3), 0
        self.weights = self.weights + weights
        self.pulls = self.pulls + weights @ middle
        self.looks += 1
        return self.place

    @property
    def place(self) -> Vector:
        """Where the thing is."""
        return np.asarray(np.linalg.solve(self.weights, self.pulls), np.float64)


def _precision(eye: Vector, middle: Vector) -> NDArray[np.float64]:
    """How much a look says about each direction."""
    away = max(float(np.linalg.norm(middle - eye)), 0.1)
    ray = (middle - eye) / away
    along = np.outer(ray, ray)
    found: NDArray[np.float64] = (np.eye(3) - along) / (ASIDE * away) ** 2 + along / (AWAY * away) ** 2
    return found
