"""Where an agent stands and looks, in AI2-THOR's axes and in those of the official files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Pose(NamedTuple):
    """Metres with y up; rotation in degrees clockwise from +z; horizon in degrees, positive looks down."""

    x: float
    y: float
    z: float
    rotation: float
    horizon: float


def from_official(values: Sequence[float]) -> Pose:
    """Read `[z, -x, y, 0, horizon, -rotation]`."""
    z, minus_x, y, _, horizon, minus_rotation = values
    return Pose(-minus_x, y, z, -minus_rotation % 360, horizon)


def to_official(pose: Pose) -> list[float]:
    """Write `[z, -x, y, 0, horizon, -rotation]`, the rotation between 0 and -360."""
    return [pose.z, -pose.x, pose.y, 0.0, pose.horizon, -(pose.rotation % 360)]


def of_agent(agent: Mapping[str, Any]) -> Pose:
    """The pose of an agent or a camera in a recorded state."""
    position, rotation = agent["position"], agent["rotation"]
    horizon = agent.get("cameraHorizon", rotation["x"])
    return Pose(position["x"], position["y"], position["z"], rotation["y"] % 360, horizon)
