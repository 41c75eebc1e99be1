"""What a benchmark tells of one who acts: where it believes to be, what it sees, how it moves and points."""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

from housemates.core.actions import Act
from housemates.core.percepts import Percept
from housemates.render.frames import Frame


class Pose(NamedTuple):
    """Metres with y up; rotation in degrees clockwise from +z; horizon in degrees, positive looks down."""

    x: float
    y: float
    z: float
    rotation: float
    horizon: float


class Click(NamedTuple):
    """A place of the picture, 0 to 1 from the left and from the top."""

    x: float
    y: float


class Embodiment(Protocol):
    """The part of a benchmark in a body."""

    look_deg: int
    """How far one looks up or down at once."""
    fov_deg: float
    blind_m: float
    """How far around its feet it does not see the floor when it looks ahead."""
    wall_m: float
    """How far to both sides of where it bumped it fears a wall that it does not see."""
    places_at_click: bool
    """Whether things come to lie where it points."""
    preferred_distance_m: float
    """How far from a thing it likes to stand."""
    off_axis_cost: float
    """How much it minds a thing that is not straight ahead."""
    max_bumps: int
    """How often it may bump into something before it explores no further."""

    def localise(self, percept: Percept) -> Pose:
        """Where it believes to stand and to look, now that it perceives this."""

    def observe(self, percept: Percept) -> Frame:
        """What it sees, with the thing and the depth at each pixel, from where it believes to stand."""

    def move(self, name: str) -> Act:
        """The benchmark's act for one of the home's moves: `Forward`, `TurnLeft`, `LookDown`, ..."""

    def touch(self, name: str, frame: Frame, key: str, click: Click) -> Act:
        """The benchmark's act for one of the home's object actions, on a thing of the picture."""


def half_width(embodiment: Embodiment) -> float:
    """How far to the side the picture reaches a metre ahead."""
    return math.tan(math.radians(embodiment.fov_deg) / 2)
