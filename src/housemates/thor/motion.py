"""Moving about as AI2-THOR's agents do: steps of any length, turns and looks of any angle, teleports."""

from __future__ import annotations

import math

import msgspec

from housemates.home.geometry import nearest_distance
from housemates.home.navigation import HALF_M, blocks, grid
from housemates.home.things import AGENT_RADIUS_M, HORIZON_RANGE_DEG, Agent, turned
from housemates.thor.arguments import Arguments, angle_given, degrees, place_given
from housemates.thor.replies import Refused
from housemates.thor.simulation import Simulation, answers

WAYS = {"MoveAhead": 0.0, "MoveRight": 90.0, "MoveBack": 180.0, "MoveLeft": 270.0}
"""By how many degrees to the right of where the agent looks each step goes."""
LOOK_DEG = 30.0
FARTHEST_M = 100.0
NEAR_M = 1e-3
LEVEL_M = 0.05
"""A teleport farther above or below the floor than this is a mistake."""
OLD_LEVEL_M = 0.5
"""The same for version 2."""
STEEPEST_DEG = 90


def _step(simulation: Simulation, arguments: Arguments, way: float) -> None:
    settings, agent = simulation.settings, simulation.world.agent
    length = float(arguments.get("moveMagnitude") or settings.grid_m)
    if not 0 < length <= FARTHEST_M:
        raise Refused(f"moveMagnitude must be within (0, {FARTHEST_M:g}]")
    dx, dz = turned(0.0, length, agent.rotation + way)
    x, z = agent.x + dx, agent.z + dz
    if settings.snap:
        x, z = _snapped(x, settings.grid_m), _snapped(z, settings.grid_m)
    _walk(simulation, agent, x, z, round(way))


def _snapped(value: float, grid_m: float) -> float:
    return round(round(value / grid_m) * grid_m, 6) + 0.0


def _walk(simulation: Simulation, agent: Agent, x: float, z: float, way: int) -> None:
    """Go straight to a place if nothing is on the way there."""
    ground = grid(simulation.world)
    steps = max(1, math.ceil(math.hypot(x - agent.x, z - agent.z) / HALF_M - 1e-6))
    for step in range(1, steps + 1):
        share = step / steps
        here = (agent.x + share * (x - agent.x), agent.z + share * (z - agent.z))
        if not ground.at(round(here[0] / HALF_M), round(here[1] / HALF_M)):
            what = _in_the_way(simulation, here)
            raise Refused(f"{what} is blocking Agent {simulation.active} from moving {way}")
        for number, other in enumerate(simulation.agents):
            if number != simulation.active and _meet(here, other) and not _meet((agent.x, agent.z), other):
                raise Refused(f"agent_{number} is blocking Agent {simulation.active} from moving {way}")
    simulation.world.agent = msgspec.structs.replace(agent, x=round(x, 6) + 0.0, z=round(z, 6) + 0.0)


def _meet(here: tuple[float, float], other: Agent) -> bool:
    return math.hypot(here[0] - other.x, here[1] - other.z) < 2 * AGENT_RADIUS_M - 1e-6


def _in_the_way(simulation: Simulation, here: tuple[float, float]) -> str:
    """The name of what is nearest to a place where the agent does not fit."""
    world = simulation.world
    point = (here[0], world.agent.y, here[1])
    near = [
        (nearest_distance(thing, point), thing.id) for thing in world.things.values() if blocks(world, thing)
    ]
    away, name = min(near, default=(math.inf, ""))
    return (world.things[name].name or name) if away < 2 * AGENT_RADIUS_M else "Wall"


@answers("MoveAhead")
def move_ahead(simulation: Simulation, arguments: Arguments) -> None:
    """Move ahead by a step, as `MoveAhead` does."""
    _step(simulation, arguments, WAYS["MoveAhead"])


@answers("MoveBack")
def move_back(simulation: Simulation, arguments: Arguments) -> None:
    """Step back without turning."""
    _step(simulation, arguments, WAYS["MoveBack"])


@answers("MoveLeft")
def move_left(simulation: Simulation, arguments: Arguments) -> None:
    """Step to the left without turning."""
    _step(simulation, arguments, WAYS["MoveLeft"])


@answers("MoveRight")
def move_right(simulation: Simulation, arguments: Arguments) -> None:
    """Step to the right without turning."""
    _step(simulation, arguments, WAYS["MoveRight"])


@answers("RotateLeft")
def rotate_left(simulation: Simulation, arguments: Arguments) -> None:
    """Turn to the left."""
    _turn(simulation, arguments, -1)


@answers("RotateRight")
def rotate_right(simulation: Simulation, arguments: Arguments) -> None:
    """Turn to the right."""
    _turn(simulation, arguments, 1)


def _turn(simulation: Simulation, arguments: Arguments, sign: int) -> None:
    by = float(arguments.get("degrees") or simulation.settings.turn_deg)
    agent = simulation.world.agent
    simulation.world.agent = _facing(agent, agent.rotation + sign * by)


def _facing(agent: Agent, rotation: float) -> Agent:
    """The agent turned so; whole degrees are whole numbers."""
    turn = degrees(rotation)
    return msgspec.structs.replace(agent, rotation=int(turn) if turn.is_integer() else turn)


@answers("LookUp")
def look_up(simulation: Simulation, arguments: Arguments) -> None:
    """Tilt the camera up."""
    _look(simulation, -float(arguments.get("degrees") or LOOK_DEG))


@answers("LookDown")
def look_down(simulation: Simulation, arguments: Arguments) -> None:
    """Tilt the camera down."""
    _look(simulation, float(arguments.get("degrees") or LOOK_DEG))


def _look(simulation: Simulation, by: float) -> None:
    low, high = HORIZON_RANGE_DEG
    horizon = round(simulation.world.agent.horizon + by)
    if horizon > high:
        raise Refused(
            f"can't look down beyond {high} degrees below the forward horizon", "LookDownCantExceedMin"
        )
    if horizon < low:
        raise Refused(f"can't look up beyond {-low} degrees above the forward horizon", "LookUpCantExceedMax")
    simulation.world.agent = msgspec.structs.replace(simulation.world.agent, horizon=horizon)


@answers("RotateLook")
def rotate_look(simulation: Simulation, arguments: Arguments) -> None:
    """Turn to an angle and tilt the camera to another, both at once."""
    agent, rotation = simulation.world.agent, angle_given(arguments)
    horizon = _horizon(simulation, float(arguments.get("horizon", agent.horizon)))
    agent = msgspec.structs.replace(agent, horizon=horizon)
    simulation.world.agent = agent if rotation is None else _facing(agent, rotation)


def _horizon(simulation: Simulation, asked: float) -> int:
    """A tilt of the camera within its limits; version 2 has none but straight up and straight down."""
    horizon = round((asked + 180) % 360 - 180)
    low, high = (-STEEPEST_DEG, STEEPEST_DEG) if simulation.settings.old else HORIZON_RANGE_DEG
    if not low <= horizon <= high:
        raise Refused(f"Each horizon must be in [{low}:{high}]")
    return horizon


@answers("Teleport", "TeleportFull")
def teleport(simulation: Simulation, arguments: Arguments) -> None:
    """Stand somewhere else at once; what is not named stays as it is."""
    agent, place = simulation.world.agent, place_given(arguments)
    x, y, z = place.get("x", agent.x), place.get("y", agent.y), place.get("z", agent.z)
    rotation = angle_given(arguments)
    horizon = _horizon(simulation, float(arguments.get("horizon", agent.horizon)))
    level = OLD_LEVEL_M if simulation.settings.old or arguments.get("forceAction") else LEVEL_M
    if abs(y - agent.y) > level + 1e-6:
        raise Refused(f"Teleport target ({x:g}, {y:g}, {z:g}) is too far above or below the floor.")
    if simulation.settings.snap and not arguments.get("forceAction"):
        x, z = _snapped(x, simulation.settings.grid_m), _snapped(z, simulation.settings.grid_m)
    if not arguments.get("forceAction"):
        _need_room(simulation, x, z)
    agent = msgspec.structs.replace(agent, x=round(x, 6) + 0.0, z=round(z, 6) + 0.0, horizon=horizon)
    simulation.world.agent = agent if rotation is None else _facing(agent, rotation)


def _need_room(simulation: Simulation, x: float, z: float) -> None:
    here = simulation.world.agent
    if math.hypot(here.x - x, here.z - z) < NEAR_M:
        return
    if not grid(simulation.world).at(round(x / HALF_M), round(z / HALF_M)):
        what = _in_the_way(simulation, (x, z))
        raise Refused(f"Collided with: {what} while trying to teleport to ({x:g}, {z:g}).")
    if any(_meet((x, z), other) for other in simulation.others()):
        raise Refused(f"Collided with: another agent while trying to teleport to ({x:g}, {z:g}).")
