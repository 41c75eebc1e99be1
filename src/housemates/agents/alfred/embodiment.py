"""Embodiment of ALFRED's agent: dead reckoning, simulator segmentation, masks."""

from __future__ import annotations

import dataclasses

from housemates.agents.embodied.embodiment import Click, Pose
from housemates.agents.embodied.pointing import around
from housemates.benchmarks.alfred.world.dynamics import (
    FOV_DEG,
    INTERACTIONS,
    LOOK_DEG,
    MOVE_NAMES,
    START_HORIZON_DEG,
)
from housemates.core.actions import Act
from housemates.core.outcome import Outcome
from housemates.core.percepts import Percept
from housemates.home.navigation import HEADINGS
from housemates.home.things import AGENT_HEIGHT_M, CAMERA_ABOVE_AGENT_M, GRID_M
from housemates.render.camera import Camera
from housemates.render.frames import Frame

TOUCH_NAMES = {home: name for name, home in INTERACTIONS.items()}
"""ALFRED's name of each object action of the home."""
START = Pose(0.0, AGENT_HEIGHT_M, 0.0, 0.0, float(START_HORIZON_DEG))
"""The origin of the agent's own map."""
FINGER_PX = 6
"""Radius of the mask around a click that hits no object."""
MOVED = {
    "TurnRight": (0.0, 90.0, 0.0),
    "TurnLeft": (0.0, -90.0, 0.0),
    "LookUp": (0.0, 0.0, -float(LOOK_DEG)),
    "LookDown": (0.0, 0.0, float(LOOK_DEG)),
    "Forward": (GRID_M, 0.0, 0.0),
}
"""Change of each move: metres ahead, rotation and horizon in degrees."""


class AlfredEmbodiment:
    """Localises by dead reckoning, and points by mask or as the session allows.

    Args:
        pointing: How things may be pointed at, as in the brief.
    """

    look_deg = LOOK_DEG
    fov_deg = float(FOV_DEG)
    blind_m = 0.9
    wall_m = 3.0
    places_at_click = False
    preferred_distance_m, off_axis_cost = 0.65, 6.0
    max_bumps = 4

    def __init__(self, pointing: str) -> None:
        self.pointing = pointing
        self._stance = START
        self._moving = ""
        self._felt = -1

    def localise(self, percept: Percept) -> Pose:
        """The pose after all moves that succeeded."""
        if percept.turn != self._felt:
            self._felt = percept.turn
            if self._moving and percept.last is not None and percept.last.success:
                self._stance = _moved(self._stance, self._moving)
            self._moving = ""
        return self._stance

    def observe(self, percept: Percept) -> Frame:
        """The simulator's segmentation and depth, with the camera at the believed pose."""
        frame: Frame = percept.data.frame()
        x, y, z, rotation, horizon = self._stance
        height, width = frame.ids.shape
        eye = (x, y + CAMERA_ABOVE_AGENT_M, z)
        return dataclasses.replace(frame, camera=Camera(eye, rotation, horizon, width, height, self.fov_deg))

    def outcome(self, act: Act, percept: Percept) -> Outcome:
        """What came of the last act."""
        assert percept.last is not None
        return percept.last

    def move(self, name: str) -> Act:
        """The act under ALFRED's name."""
        self._moving = name
        return Act(MOVE_NAMES[name])

    def touch(self, name: str, frame: Frame, key: str, click: Click) -> Act:
        """The act with a mask, a point or an id."""
        if self.pointing == "object":
            return Act(TOUCH_NAMES[name], {"object": key})
        if self.pointing == "point":
            return Act(TOUCH_NAMES[name], {"point": (click.x, click.y)})
        mask = frame.mask(key)
        return Act(TOUCH_NAMES[name], {"mask": mask if mask.any() else around(click, frame, FINGER_PX)})


def _moved(stance: Pose, name: str) -> Pose:
    ahead, turn, tilt = MOVED[name]
    dx, dz = HEADINGS[round(stance.rotation) % 360]
    x, y, z, rotation, horizon = stance
    return Pose(x + ahead * dx, y, z + ahead * dz, (rotation + turn) % 360, horizon + tilt)
