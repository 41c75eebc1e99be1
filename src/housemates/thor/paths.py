"""Ways through a scene: shortest paths, where something can be used from, what an expert would do next."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Any

import msgspec

from housemates.home.geometry import nearest_distance, visible
from housemates.home.navigation import HALF_M, HEADINGS, Cell, Pose, cell_of, grid, path, reachable
from housemates.home.placement import surfaces
from housemates.home.things import GRID_M, HORIZON_RANGE_DEG, Agent, Thing, to_world
from housemates.home.types import Vec
from housemates.thor.arguments import Arguments, is_number, is_vector
from housemates.thor.interaction import thing_named
from housemates.thor.replies import INVALID_ARGUMENT, Refused
from housemates.thor.simulation import Simulation, answers

SAMPLE_M = 0.05
"""How finely a straight line is looked at."""
OFF_M = 1.0
"""A place farther from where one can walk than this cannot be reached."""
LATTICE_M = 0.05
ABOVE_M = 0.01
MOST_POSES = 5000
HORIZONS_DEG = (-30, 0, 30, 60)
MOVES = {"Forward": "MoveAhead", "TurnLeft": "RotateLeft", "TurnRight": "RotateRight"}
"""What the home's moves are called, where AI2-THOR calls them otherwise."""


@answers("GetShortestPath")
def shortest_path(simulation: Simulation, arguments: Arguments) -> dict[str, Any]:
    """The way to where an object of an id or of a type is nearest."""
    thing = _wanted(simulation, arguments)
    height = simulation.world.agent.y
    start = _start(simulation, arguments.get("position"))

    def away(cell: Cell) -> float:
        return nearest_distance(thing, (cell.x * GRID_M, height, cell.z * GRID_M))

    goal = min(sorted(reachable(simulation.world, start)), key=away)
    if away(goal) > simulation.settings.reach_m + OFF_M:
        raise Refused(f"Path to {thing.id} was not found")
    return {"corners": _corners(simulation, start, goal)}


@answers("GetShortestPathToPoint")
def shortest_path_to_point(simulation: Simulation, arguments: Arguments) -> dict[str, Any]:
    """The way to a place."""
    target = arguments.get("target")
    if target is None:
        target = {axis: arguments[axis] for axis in "xyz" if axis in arguments}
    if not (isinstance(target, dict) and is_vector(target) and {"x", "z"} <= set(target)):
        raise Refused(
            "action: GetShortestPathToPoint is missing the following arguments: target", INVALID_ARGUMENT
        )
    start = _start(simulation, arguments.get("position"))
    goal = _nearest_cell(simulation, float(target["x"]), float(target["z"]), start)
    return {"corners": _corners(simulation, start, goal)}


def _wanted(simulation: Simulation, arguments: Arguments) -> Thing:
    """The object of an id, or the one of a type that is nearest to the agent."""
    if "objectId" in arguments:
        return thing_named(simulation, arguments["objectId"])
    kind, world = arguments.get("objectType"), simulation.world
    here = world.agent.position
    near = [(nearest_distance(each, here), each.id) for each in world.things.values() if each.type == kind]
    if not near:
        raise Refused(f"Cannot find sim object of type {kind}")
    return world.things[min(near)[1]]


def _start(simulation: Simulation, given: Any) -> Cell:
    if given is None:
        return cell_of(simulation.world.agent)
    place = given if isinstance(given, dict) else {}
    here = simulation.world.agent
    x, z = float(place.get("x", here.x)), float(place.get("z", here.z))
    return _nearest_cell(simulation, x, z, cell_of(here))


def _nearest_cell(simulation: Simulation, x: float, z: float, start: Cell) -> Cell:
    """The cell nearest to a place, of those that can be walked to."""
    cells = sorted(reachable(simulation.world, start))
    cell = min(cells, key=lambda each: math.hypot(each.x * GRID_M - x, each.z * GRID_M - z))
    if math.hypot(cell.x * GRID_M - x, cell.z * GRID_M - z) > OFF_M:
        raise Refused(f"Path to ({x:g}, {z:g}) was not found")
    return cell


def _corners(simulation: Simulation, start: Cell, goal: Cell) -> list[dict[str, float]]:
    """The points where a way turns, its two ends among them; it cuts corners where there is room."""
    ground = grid(simulation.world)
    came: dict[Cell, Cell] = {start: start}
    waiting = deque([start])
    while waiting and goal not in came:
        cell = waiting.popleft()
        for dx, dz in HEADINGS.values():
            beyond = Cell(cell.x + dx, cell.z + dz)
            if beyond not in came and ground.passable(cell, dx, dz):
                came[beyond] = cell
                waiting.append(beyond)
    if goal not in came:
        raise Refused("Path to the target was not found")
    way = [goal]
    while way[-1] != start:
        way.append(came[way[-1]])
    way.reverse()
    kept = [way[0]]
    for here, beyond in pairwise(way):
        if not _straight(ground, kept[-1], beyond):
            kept.append(here)
    ends = [*kept, goal] if kept[-1] != goal or len(kept) == 1 else kept
    y = simulation.world.scene.floor_y
    return [{"x": cell.x * GRID_M, "y": y, "z": cell.z * GRID_M} for cell in ends]


def _straight(ground: Any, first: Cell, last: Cell) -> bool:
    """Whether one can walk straight from one cell to another."""
    dx, dz = (last.x - first.x) * GRID_M, (last.z - first.z) * GRID_M
    steps = max(1, math.ceil(math.hypot(dx, dz) / SAMPLE_M))
    return all(
        ground.at(
            round((first.x * GRID_M + dx * step / steps) / HALF_M),
            round((first.z * GRID_M + dz * step / steps) / HALF_M),
        )
        for step in range(steps + 1)
    )


@answers("GetInteractablePoses", required=("objectId",))
def interactable_poses(simulation: Simulation, arguments: Arguments) -> list[dict[str, Any]]:
    """Where an object can be seen within reach from."""
    thing = thing_named(simulation, arguments["objectId"])
    most = int(arguments.get("maxPoses", MOST_POSES))
    return list(islice(_poses(simulation, thing, arguments), max(0, most)))


def _poses(simulation: Simulation, thing: Thing, arguments: Arguments) -> Iterator[dict[str, Any]]:
    world, y = simulation.world, simulation.world.agent.y
    reach = float(arguments.get("maxDistance", simulation.settings.reach_m))
    rotations = _numbers(arguments.get("rotations"), (0, 90, 180, 270))
    horizons = _numbers(arguments.get("horizons"), HORIZONS_DEG)
    if True not in [bool(each) for each in arguments.get("standings") or (True,)]:
        return
    low, high = HORIZON_RANGE_DEG
    for x, z in _places(simulation, arguments.get("positions")):
        if nearest_distance(thing, (x, y, z)) > reach:
            continue
        for rotation in rotations:
            for horizon in (each for each in horizons if low <= each <= high):
                agent = _standing(world.agent, x, z, rotation, horizon)
                if visible(world, agent, thing):
                    pose = {"rotation": float(rotation), "standing": True, "horizon": float(horizon)}
                    yield {"x": x, "y": y, "z": z, **pose}


def _places(simulation: Simulation, given: Any) -> list[tuple[float, float]]:
    """The places that are asked about: those given, else all that can be walked to."""
    if given is None:
        return [(cell.x * GRID_M, cell.z * GRID_M) for cell in sorted(reachable(simulation.world))]
    if not all(isinstance(each, dict) and is_vector(each) and {"x", "z"} <= set(each) for each in given):
        raise Refused("positions: expected a list of x, y and z", INVALID_ARGUMENT)
    return [(float(each["x"]), float(each["z"])) for each in given]


def _numbers(given: Any, usual: tuple[int, ...]) -> list[int]:
    if given is None:
        return list(usual)
    if not all(map(is_number, given)):
        raise Refused("expected a list of numbers", INVALID_ARGUMENT)
    return [round(float(each)) for each in given]


def _standing(agent: Agent, x: float, z: float, rotation: int, horizon: int) -> Agent:
    return msgspec.structs.replace(agent, x=x, z=z, rotation=rotation % 360, horizon=horizon)


@answers("ObjectNavExpertAction")
def expert_action(simulation: Simulation, arguments: Arguments) -> str | None:
    """The next action on the shortest way to seeing an object within reach; None where it is seen already."""
    world = simulation.world
    thing = _wanted(simulation, arguments)

    def good(pose: Pose) -> bool:
        x, z = pose.x * GRID_M, pose.z * GRID_M
        near = nearest_distance(thing, (x, world.agent.y, z)) <= simulation.settings.reach_m
        return near and visible(world, _standing(world.agent, x, z, pose.rotation, pose.horizon), thing)

    if world.agent.rotation not in HEADINGS:
        raise Refused(f"The agent faces {world.agent.rotation:g} degrees, not along an axis")
    moves = path(world, good)
    if moves is None:
        raise Refused(f"Path to {thing.id} was not found")
    return MOVES.get(moves[0], moves[0]) if moves else None


@answers("GetSpawnCoordinatesAboveReceptacle", required=("objectId",))
def spawn_coordinates(simulation: Simulation, arguments: Arguments) -> list[dict[str, float]]:
    """Points just above the surfaces of a receptacle; unless `anywhere` is set, those within reach."""
    receptacle = thing_named(simulation, arguments["objectId"])
    if not receptacle.can("receptacle"):
        raise Refused("This target object is NOT a receptacle!")
    here, reach = simulation.world.agent.position, simulation.settings.reach_m
    near = not arguments.get("anywhere", True)
    return [
        dict(zip("xyz", point, strict=True))
        for point in _above(receptacle)
        if not near or math.dist(point, here) <= reach
    ]


def _above(receptacle: Thing) -> Iterator[Vec]:
    for level in surfaces(receptacle):
        for column in range(int((level.x1 - level.x0) / LATTICE_M) + 1):
            for row in range(int((level.z1 - level.z0) / LATTICE_M) + 1):
                x, z = level.x0 + column * LATTICE_M, level.z0 + row * LATTICE_M
                yield to_world(receptacle, (x, level.y + ABOVE_M, z))
