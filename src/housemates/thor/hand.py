"""Moving and turning what is held, before the agent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial

from housemates.home.things import Thing
from housemates.home.types import Vec
from housemates.thor.arguments import Arguments
from housemates.thor.replies import Refused
from housemates.thor.simulation import Simulation, answers

REACH_M = 0.5
"""How far from its place before the agent what is held can be moved."""
WAYS: Mapping[str, Vec] = {
    "Ahead": (0.0, 0.0, 1.0), "Back": (0.0, 0.0, -1.0), "Left": (-1.0, 0.0, 0.0),
    "Right": (1.0, 0.0, 0.0), "Up": (0.0, 1.0, 0.0), "Down": (0.0, -1.0, 0.0),
}  # fmt: skip
"""To the right, up and ahead."""


def rest(thing: Thing) -> Vec:
    """Where a thing is in the frame of the hand that has just taken it."""
    return (0.0, -thing.size[1] / 2, 0.0)


def _held(simulation: Simulation) -> Thing:
    held = simulation.world.held
    if held is None:
        raise Refused("Agent can only move hand if holding an item")
    return held


def _shift(simulation: Simulation, by: Vec) -> None:
    held = _held(simulation)
    place = tuple(old + more for old, more in zip(held.position, by, strict=True))
    if math.dist(place, rest(held)) > REACH_M:
        raise Refused("Target position is out of the Agent's reach.")
    simulation.world.move(held, (place[0], place[1], place[2]), held.yaw, ())


@answers("MoveHeldObject", "MoveHand")
def move_held(simulation: Simulation, arguments: Arguments) -> None:
    """Move what is held ahead, to the right and up."""
    right, up, ahead = (float(arguments.get(name, 0.0)) for name in ("right", "up", "ahead"))
    _shift(simulation, (right, up, ahead))


def _one_way(way: Vec, simulation: Simulation, arguments: Arguments) -> None:
    far = float(arguments.get("moveMagnitude") or simulation.settings.grid_m)
    _shift(simulation, (way[0] * far, way[1] * far, way[2] * far))


for _name, _way in WAYS.items():
    answers(f"MoveHeldObject{_name}", f"MoveHand{_name}")(partial(_one_way, _way))


@answers("RotateHeldObject")
def rotate_held(simulation: Simulation, arguments: Arguments) -> None:
    """Turn what is held by pitch, yaw and roll, or to a rotation."""
    given = arguments.get("rotation")
    if isinstance(given, Mapping):
        _turn(simulation, (given.get("x", 0.0), given.get("y", 0.0), given.get("z", 0.0)))
        return
    x, y, z = simulation.shown.hand_turn
    pitch, yaw, roll = (float(arguments.get(name, 0.0)) for name in ("pitch", "yaw", "roll"))
    _turn(simulation, (x + pitch, y + yaw, z - roll))


@answers("RotateHand")
def rotate_hand(simulation: Simulation, arguments: Arguments) -> None:
    """Turn what is held to the angles x, y and z."""
    _turn(simulation, (arguments.get("x", 0.0), arguments.get("y", 0.0), arguments.get("z", 0.0)))


def _turn(simulation: Simulation, angles: Vec) -> None:
    held = _held(simulation)
    x, y, z = (float(angle) % 360 for angle in angles)
    simulation.shown = simulation.shown._replace(hand_turn=(x, y, z))
    simulation.world.move(held, held.position, y, ())
