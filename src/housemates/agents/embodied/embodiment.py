"""What a benchmark tells of one who acts: where it believes to be, what it sees, how it moves and points."""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

from housemates.core.actions import Act
from housemates.core.percepts import Percept
from housemates.render.frames import Frame


class Stance(NamedTuple):
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


class Senses(Protocol):
    """The part of a benchmark in a body."""

    look_deg: int
    """How far one looks up or down at once."""
    fov_deg: float
    blind_m: float
    """How far around its feet it does not see the floor when it looks ahead."""
    wall_m: float
    """How far to both sides of where it bumped it fears a wall that it does not see."""
    exact: bool
    """Whether things come to lie where it points."""
    stand_m: float
    """How far from a thing it likes to stand."""
    aside: float
    """How much it minds a thing that is not straight ahead."""
    bumps: int
    """How often it may bump into something before it explores no further."""

    def feel(self, percept: Percept) -> Stance:
        """Where it believes to stand and to look, now that it perceives this."""

    def see(self, percept: Percept) -> Frame:
        """What it sees, with the thing and the depth at each pixel, from where it believes to stand."""

    def move(self, name: str) -> Act:
        """The benchmark's act for one of the home's moves: `Forward`, `TurnLeft`, `LookDown`, ..."""

    def touch(self, name: str, frame: Frame, key: str, click: Click) -> Act:
        """The benchmark's act for one of the home's object actions, on a thing of the picture."""


def half_width(senses: Senses) -> float:
    """How far to the side the picture reaches a metre ahead."""
    return math.tan(math.radians(senses.fov_deg) / 2)
