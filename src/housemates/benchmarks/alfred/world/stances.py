"""Where the agent of a demonstration stands and looks before and after each of its actions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from housemates.benchmarks.alfred.formats.episodes import Trajectory
from housemates.benchmarks.alfred.world.dynamics import LOOK_DEG
from housemates.home.navigation import HEADINGS
from housemates.home.things import GRID_M


class Stance(NamedTuple):
    """Where the agent stands and looks."""

    x: float
    z: float
    rotation: int
    horizon: int


def stances(trajectory: Trajectory) -> Iterator[Stance]:
    """Where the agent stands before the first action and after each one, if all moves succeed."""
    start = trajectory.scene.init_action
    here = Stance(float(start.x), float(start.z), round(start.rotation / 90) * 90 % 360, round(start.horizon))
    yield here
    for low in trajectory.low_actions:
        here = _after(here, low.name)
        yield here


def _after(stance: Stance, action: str) -> Stance:
    if action == "MoveAhead":
        dx, dz = HEADINGS[stance.rotation]
        return stance._replace(x=stance.x + dx * GRID_M, z=stance.z + dz * GRID_M)
    turn = {"RotateRight": 90, "RotateLeft": -90}.get(action, 0)
    look = {"LookDown": LOOK_DEG, "LookUp": -LOOK_DEG}.get(action, 0)
    return stance._replace(rotation=(stance.rotation + turn) % 360, horizon=stance.horizon + look)
