"""Embodiment: what a benchmark defines of localisation, observation, camera and action names."""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

from housemates.core.actions import Act
from housemates.core.outcome import Outcome
from housemates.core.percepts import Percept
from housemates.render.frames import Frame


class Pose(NamedTuple):
    """Position in metres, y up; rotation in degrees clockwise from +z; horizon in degrees below level."""

    x: float
    y: float
    z: float
    rotation: float
    horizon: float


class Click(NamedTuple):
    """A point of the picture, from 0 to 1 from the left and from the top."""

    x: float
    y: float


class Embodiment(Protocol):
    """The benchmark's part of an embodied agent."""

    look_deg: int
    """Degrees of one `LookUp` or `LookDown`."""
    fov_deg: float
    blind_m: float
    """Radius around the feet within which the floor is out of view when looking ahead."""
    wall_m: float
    """How far to both sides of a bump an unseen wall is assumed."""
    places_at_click: bool
    """Whether an object that is put down comes to lie at the point that was clicked."""
    preferred_distance_m: float
    """Preferred horizontal distance to an object."""
    off_axis_cost: float
    """Cost of a viewpoint for each unit of tan(bearing) by which the object is off the optical axis."""
    max_bumps: int
    """Bumps after which exploration ends."""

    def localise(self, percept: Percept) -> Pose:
        """The believed pose at this percept."""

    def observe(self, percept: Percept) -> Frame:
        """The picture with segmentation and depth at each pixel, its camera at the believed pose."""

    def outcome(self, act: Act, percept: Percept) -> Outcome:
        """The outcome of the agent's last act, whatever was done in its name since."""

    def move(self, name: str) -> Act:
        """The benchmark's act for a move of the home: `Forward`, `TurnLeft`, `LookDown`, ..."""

    def touch(self, name: str, frame: Frame, key: str, click: Click) -> Act:
        """The benchmark's act for an object action of the home, at a click on an object of the picture."""


def half_width(embodiment: Embodiment) -> float:
    """The tangent of half the horizontal field of view."""
    return math.tan(math.radians(embodiment.fov_deg) / 2)
