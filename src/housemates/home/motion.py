"""Moving about: steps of 0.25 m, turns of 90 degrees, looks up and down, teleports."""

from __future__ import annotations

import msgspec

from housemates.core.outcome import Outcome, Reason, done, refuse
from housemates.home.actions import action
from housemates.home.navigation import HEADINGS, Cell, cell_of, grid
from housemates.home.things import GRID_M, HORIZON_RANGE_DEG
from housemates.home.world import World


def _step(world: World, turn: int, way: str) -> Outcome:
    agent = world.agent
    dx, dz = HEADINGS[(agent.rotation + turn) % 360]
    if not grid(world).passable(cell_of(agent), dx, dz):
        return refuse(Reason.BLOCKED, f"The way {way} is blocked.")
    world.agent = msgspec.structs.replace(agent, x=agent.x + dx * GRID_M, z=agent.z + dz * GRID_M)
    return done()


@action("Forward", interaction=False)
def forward(world: World) -> Outcome:
    """Step 0.25 m ahead."""
    return _step(world, 0, "ahead")


@action("Backward", interaction=False)
def backward(world: World) -> Outcome:
    """Step 0.25 m back without turning."""
    return _step(world, 180, "behind you")


@action("PanLeft", interaction=False)
def pan_left(world: World) -> Outcome:
    """Step 0.25 m to the left without turning."""
    return _step(world, 270, "to your left")


@action("PanRight", interaction=False)
def pan_right(world: World) -> Outcome:
    """Step 0.25 m to the right without turning."""
    return _step(world, 90, "to your right")


@action("TurnLeft", interaction=False)
def turn_left(world: World) -> Outcome:
    """Turn 90 degrees to the left."""
    world.agent = msgspec.structs.replace(world.agent, rotation=(world.agent.rotation - 90) % 360)
    return done()


@action("TurnRight", interaction=False)
def turn_right(world: World) -> Outcome:
    """Turn 90 degrees to the right."""
    world.agent = msgspec.structs.replace(world.agent, rotation=(world.agent.rotation + 90) % 360)
    return done()


def _look(world: World, degrees: int) -> Outcome:
    horizon = world.agent.horizon + int(degrees)
    low, high = HORIZON_RANGE_DEG
    if not low <= horizon <= high:
        return refuse(Reason.TOO_FAR, f"You cannot look any further {'down' if degrees > 0 else 'up'}.")
    world.agent = msgspec.structs.replace(world.agent, horizon=horizon)
    return done()


@action("LookUp", optional=("degrees",), interaction=False)
def look_up(world: World, degrees: int = 30) -> Outcome:
    """Tilt the camera up."""
    return _look(world, -degrees)


@action("LookDown", optional=("degrees",), interaction=False)
def look_down(world: World, degrees: int = 30) -> Outcome:
    """Tilt the camera down."""
    return _look(world, degrees)


@action("Teleport", required=("x", "z"), optional=("rotation", "horizon"), interaction=False)
def teleport(
    world: World, x: float, z: float, rotation: int | None = None, horizon: int | None = None
) -> Outcome:
    """Stand at a place of the grid at once, if the agent fits there."""
    cell = Cell(round(x / GRID_M), round(z / GRID_M))
    if abs(cell.x * GRID_M - x) > 1e-3 or abs(cell.z * GRID_M - z) > 1e-3:
        return refuse(Reason.MALFORMED, f"({x}, {z}) is not on the grid of {GRID_M} m.")
    if not grid(world).at(2 * cell.x, 2 * cell.z):
        return refuse(Reason.BLOCKED, f"There is no room to stand at ({x}, {z}).")
    agent = world.agent
    looking = agent.horizon if horizon is None else int(horizon)
    if not HORIZON_RANGE_DEG[0] <= looking <= HORIZON_RANGE_DEG[1]:
        told = f"The horizon must lie between {HORIZON_RANGE_DEG[0]} and {HORIZON_RANGE_DEG[1]}."
        return refuse(Reason.MALFORMED, told)
    facing = agent.rotation if rotation is None else int(rotation)
    world.agent = msgspec.structs.replace(
        agent, x=cell.x * GRID_M, z=cell.z * GRID_M, rotation=facing, horizon=looking
    )
    return done()
