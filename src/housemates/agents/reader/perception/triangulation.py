"""Triangulation: an information filter over the bearings and depths at which an object was seen."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
ASIDE, AWAY = 0.03, 0.25
"""Standard deviation per metre of depth, across the ray and along it."""
ASTRAY = 4.0
"""Mahalanobis distance beyond which an observation is of another object and the filter restarts."""


@dataclass
class PositionEstimate:
    """A Gaussian over a position in information form: precision matrix and its product with the mean."""

    weights: NDArray[np.float64] = field(default_factory=lambda: np.zeros((3, 3)))
    pulls: Vector = field(default_factory=lambda: np.zeros(3))
    looks: int = 0

    def add(self, eye: Vector, middle: Vector) -> Vector:
        """Add an observed position, seen from `eye`; returns the new estimate."""
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
        """The mean, in metres."""
        return np.asarray(np.linalg.solve(self.weights, self.pulls), np.float64)


def _precision(eye: Vector, middle: Vector) -> NDArray[np.float64]:
    """The precision matrix of one observation."""
    away = max(float(np.linalg.norm(middle - eye)), 0.1)
    ray = (middle - eye) / away
    along = np.outer(ray, ray)
    found: NDArray[np.float64] = (np.eye(3) - along) / (ASIDE * away) ** 2 + along / (AWAY * away) ** 2
    return found
