"""Where the agent can stand and how it gets there: walkable cells, shortest paths, standing poses."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from housemates.home.geometry import (
    clear_lines,
    count_in_view,
    nearest_distance,
    obstacles,
    sample_points,
)
from housemates.home.things import (
    AGENT_RADIUS_M,
    GRID_M,
    HORIZON_RANGE_DEG,
    REACH_M,
    Agent,
    Scene,
    Structure,
    Thing,
    opening_shift,
    turned,
)
from housemates.home.world import World, on_ground

HALF_M = GRID_M / 2
BODY_M = (0.1, 1.7)
"""Heights above the floor between which a part is in the agent's way."""
HEADINGS = {0: (0, 1), 90: (1, 0), 180: (0, -1), 270: (-1, 0)}
"""Steps in x and z for each rotation."""
Rect = tuple[float, float, float, float]
"""Left, back, right and front edge, seen from above."""


class Cell(NamedTuple):
    """A place of the grid, in steps of 0.25 m."""

    x: int
    z: int


class Pose(NamedTuple):
    """A cell, a rotation and a horizon."""

    x: int
    z: int
    rotation: int
    horizon: int


class Grid(NamedTuple):
    """What is free at every half step of the grid; cells lie at even places, ways between them at odd."""

    x0: int
    z0: int
    free: npt.NDArray[np.bool_]

    def at(self, half_x: int, half_z: int) -> bool:
        """Whether the agent fits at this half step."""
        x, z = half_x - self.x0, half_z - self.z0
        if 0 <= x < self.free.shape[0] and 0 <= z < self.free.shape[1]:
            return bool(self.free[x, z])
        return False

    def passable(self, cell: Cell, dx: int, dz: int) -> bool:
        """Whether the agent can step from a cell to its neighbour."""
        x, z = 2 * cell.x, 2 * cell.z
        return self.at(x + 2 * dx, z + 2 * dz) and self.at(x + dx, z + dz)

    def cells(self) -> list[Cell]:
        """Every cell where the agent fits."""
        xs, zs = np.nonzero(self.free)
        places = zip((xs + self.x0).tolist(), (zs + self.z0).tolist(), strict=True)
        return [Cell(x // 2, z // 2) for x, z in places if x % 2 == 0 and z % 2 == 0]


def grid(world: World) -> Grid:
    """The world's grid as it is now; computed again only when something has moved."""
    if world.grid is None:
        blockers = tuple(_footing(thing) for thing in world.things.values() if blocks(world, thing))
        world.grid = _grid(_ground(world.scene), blockers)
    found: Grid = world.grid
    return found


def blocks(world: World, thing: Thing) -> bool:
    """Whether a thing can stand in the agent's way: what rests on the floor, and doors that stand open."""
    if not thing.solid or thing.type == "Floor" or not on_ground(thing):
        return False
    return not thing.kind.can("pickup") or (thing.size[1] > BODY_M[0] and not world.in_hand(thing))


class Blocked(NamedTuple):
    """A window of the grid, and the half steps in it where the agent does not fit."""

    window: tuple[slice, slice]
    near: npt.NDArray[np.bool_]


class Ground(NamedTuple):
    """What never changes about a scene's grid."""

    bounds: tuple[float, float, float, float]
    floor_y: float
    structures: tuple[Structure, ...]
    walkable: tuple[tuple[int, int], ...] | None


@lru_cache(maxsize=32)
def _ground(scene: Scene) -> Ground:
    floors = [thing for thing in scene.things if thing.type == "Floor"]
    if scene.walkable is not None:
        xs, zs = [x for x, _ in scene.walkable], [z for _, z in scene.walkable]
        bounds = (min(xs) * GRID_M, min(zs) * GRID_M, max(xs) * GRID_M, max(zs) * GRID_M)
    else:
        bounds = (
            min(floor.position[0] - floor.size[0] / 2 for floor in floors) + AGENT_RADIUS_M,
            min(floor.position[2] - floor.size[2] / 2 for floor in floors) + AGENT_RADIUS_M,
            max(floor.position[0] + floor.size[0] / 2 for floor in floors) - AGENT_RADIUS_M,
            max(floor.position[2] + floor.size[2] / 2 for floor in floors) - AGENT_RADIUS_M,
        )
    return Ground(bounds, scene.floor_y, scene.structures, scene.walkable)


def _footing(thing: Thing) -> Thing:
    """The thing with only what matters for the grid, so that equal grids are found again."""
    return msgspec.structs.replace(
        thing, on=False, cooked=False, dirty=False, broken=False, liquid="", temperature="RoomTemp",
        warm_until=0, parents=(), look=0,
    )  # fmt: skip


@lru_cache(maxsize=128)
def _grid(ground: Ground, blockers: tuple[Thing, ...]) -> Grid:
    x0, z0 = (math.ceil(value / HALF_M - 1e-6) for value in ground.bounds[:2])
    x1, z1 = (math.floor(value / HALF_M + 1e-6) for value in ground.bounds[2:])
    free = _standing_room(ground, x0, z0, x1, z1)
    for thing in blockers:
        if ground.walkable is None or thing.open or thing.kind.passage:
            only_moved = ground.walkable is not None and not thing.kind.passage
            blocked = _blocked_by(thing, ground.floor_y, x0, z0, x1, z1, only_moved)
            if blocked is not None:
                free[blocked.window] &= ~blocked.near
    return Grid(x0, z0, free)


def _standing_room(ground: Ground, x0: int, z0: int, x1: int, z1: int) -> npt.NDArray[np.bool_]:
    """The half steps that the building itself leaves free."""
    if ground.walkable is not None:
        free = np.zeros((x1 - x0 + 1, z1 - z0 + 1), dtype=bool)
        known = set(ground.walkable)
        for x, z in known:
            free[2 * x - x0, 2 * z - z0] = True
            for dx, dz in ((1, 0), (0, 1)):
                if (x + dx, z + dz) in known:
                    free[2 * x + dx - x0, 2 * z + dz - z0] = True
        return free
    free = np.ones((x1 - x0 + 1, z1 - z0 + 1), dtype=bool)
    for structure in ground.structures:
        if structure.hi[1] > ground.floor_y + BODY_M[0] and structure.lo[1] < ground.floor_y + BODY_M[1]:
            rect = (structure.lo[0], structure.lo[2], structure.hi[0], structure.hi[2])
            blocked = _near_rects([rect], (0.0, 0.0), 0.0, x0, z0, x1, z1)
            free[blocked.window] &= ~blocked.near
    return free


@lru_cache(maxsize=1024)
def _blocked_by(
    thing: Thing, floor_y: float, x0: int, z0: int, x1: int, z1: int, only_moved: bool
) -> Blocked | None:
    """The half steps where the agent would touch the thing, or only the parts that opening moved."""
    parts = thing.shape_parts()
    if only_moved:
        shut = set(msgspec.structs.replace(thing, open=False).shape_parts())
        parts = tuple(part for part in parts if part not in shut)
    base = thing.position[1] - floor_y
    rects = _outermost(
        (part.lo[0], part.lo[2], part.hi[0], part.hi[2])
        for part in parts
        if base + part.hi[1] > BODY_M[0] and base + part.lo[1] < BODY_M[1]
    )
    place = (thing.position[0], thing.position[2])
    return _near_rects(rects, place, thing.yaw, x0, z0, x1, z1) if rects else None


def _outermost(rects: Iterable[Rect]) -> list[Rect]:
    """The rectangles that do not lie within another one."""
    kept: list[Rect] = []
    for rect in sorted(rects, key=lambda each: (each[0] - each[2]) * (each[3] - each[1])):
        if not any(
            outer[0] <= rect[0] and outer[1] <= rect[1] and rect[2] <= outer[2] and rect[3] <= outer[3]
            for outer in kept
        ):
            kept.append(rect)
    return kept


def _near_rects(
    rects: list[Rect], place: tuple[float, float], yaw: float, x0: int, z0: int, x1: int, z1: int
) -> Blocked:
    """The half steps nearer than the agent's radius to one of the rectangles of what stands at a place."""
    cosine, sine = turned(1.0, 0.0, -yaw)
    corners = [(x, z) for left, back, right, front in rects for x in (left, right) for z in (back, front)]
    first, last = _span([place[0] + x * cosine + z * sine for x, z in corners], x0, x1)
    lowest, highest = _span([place[1] + z * cosine - x * sine for x, z in corners], z0, z1)
    x = np.arange(first, last + 1)[:, None] * HALF_M - place[0]
    z = np.arange(lowest, highest + 1)[None, :] * HALF_M - place[1]
    local_x, local_z = x * cosine - z * sine, z * cosine + x * sine
    near = np.zeros(local_x.shape, dtype=bool)
    for left, back, right, front in rects:
        away_x = np.maximum(np.maximum(left - local_x, local_x - right), 0.0)
        away_z = np.maximum(np.maximum(back - local_z, local_z - front), 0.0)
        near |= away_x * away_x + away_z * away_z < (AGENT_RADIUS_M - 1e-6) ** 2
    return Blocked((slice(first - x0, last + 1 - x0), slice(lowest - z0, highest + 1 - z0)), near)


def _span(places: list[float], low: int, high: int) -> tuple[int, int]:
    """The first and last half step of a side that can be near one of the places on it."""
    first = math.floor((min(places) - AGENT_RADIUS_M) / HALF_M)
    last = math.ceil((max(places) + AGENT_RADIUS_M) / HALF_M)
    return min(max(first, low), high + 1), max(min(last, high), low - 1)


def cell_of(agent: Agent) -> Cell:
    """The cell the agent stands in."""
    return Cell(round(agent.x / GRID_M), round(agent.z / GRID_M))


def reachable(world: World, start: Cell | None = None) -> set[Cell]:
    """Every cell the agent can walk to."""
    ground = grid(world)
    first = start or cell_of(world.agent)
    seen, queue = {first}, deque([first])
    while queue:
        cell = queue.popleft()
        for dx, dz in HEADINGS.values():
            step = Cell(cell.x + dx, cell.z + dz)
            if step not in seen and ground.passable(cell, dx, dz):
                seen.add(step)
                queue.append(step)
    return seen


def path(
    world: World, goal: Callable[[Pose], bool], start: Pose | None = None, look_deg: int = 30
) -> list[str] | None:
    """The shortest list of moves to a pose that meets the goal; None if there is none.

    Moves are Forward, TurnLeft, TurnRight, LookUp and LookDown, each of the same cost.
    """
    first = start or pose_of(world.agent)
    if goal(first):
        return []
    ground = grid(world)
    came: dict[Pose, tuple[Pose, str]] = {}
    queue = deque([first])
    seen = {first}
    while queue:
        pose = queue.popleft()
        for move, after in _neighbours(ground, pose, look_deg):
            if after in seen:
                continue
            seen.add(after)
            came[after] = (pose, move)
            if goal(after):
                return _trace_back(came, after, first)
            queue.append(after)
    return None


def _neighbours(ground: Grid, pose: Pose, look_deg: int) -> Iterator[tuple[str, Pose]]:
    x, z, rotation, horizon = pose
    dx, dz = HEADINGS[rotation]
    if ground.passable(Cell(x, z), dx, dz):
        yield "Forward", Pose(x + dx, z + dz, rotation, horizon)
    yield "TurnRight", Pose(x, z, (rotation + 90) % 360, horizon)
    yield "TurnLeft", Pose(x, z, (rotation - 90) % 360, horizon)
    if horizon + look_deg <= HORIZON_RANGE_DEG[1]:
        yield "LookDown", Pose(x, z, rotation, horizon + look_deg)
    if horizon - look_deg >= HORIZON_RANGE_DEG[0]:
        yield "LookUp", Pose(x, z, rotation, horizon - look_deg)


def _trace_back(came: dict[Pose, tuple[Pose, str]], pose: Pose, first: Pose) -> list[str]:
    moves = []
    while pose != first:
        pose, move = came[pose]
        moves.append(move)
    return moves[::-1]


def pose_of(agent: Agent) -> Pose:
    """The agent's pose on the grid."""
    return Pose(*cell_of(agent), agent.rotation, agent.horizon)


def agent_at(agent: Agent, pose: Pose) -> Agent:
    """The agent as it would be in a pose."""
    return msgspec.structs.replace(
        agent, x=pose.x * GRID_M, z=pose.z * GRID_M, rotation=pose.rotation, horizon=pose.horizon
    )


def standing_poses(
    world: World, thing: Thing, cells: set[Cell] | None = None, look_deg: int = 30
) -> list[Pose]:
    """Poses from which a thing is seen and within reach, those with the clearest view first.

    What shuts it in is taken as open; `cells` are those the agent can get to, computed if not given.
    """
    ignore = {thing.id, *(other.id for other in world.contents_deep(thing))}
    shut = world.enclosing(thing)
    if shut is not None:
        ignore.add(shut.id)
        moved = [at + by for at, by in zip(thing.position, opening_shift(shut), strict=True)]
        thing = msgspec.structs.replace(thing, position=tuple(moved))
    points = np.array(list(sample_points(thing)))
    boxes = obstacles(world, frozenset(ignore))
    horizons = tuple(range(HORIZON_RANGE_DEG[0], HORIZON_RANGE_DEG[1] + 1, look_deg))
    found = []
    for cell in sorted(cells if cells is not None else reachable(world)):
        spot = msgspec.structs.replace(world.agent, x=cell.x * GRID_M, z=cell.z * GRID_M)
        if nearest_distance(thing, spot.position) > REACH_M - 0.02:
            continue
        seen = points[clear_lines(spot.eye, points, boxes)]
        if not len(seen):
            continue
        for rotation in HEADINGS:
            counts = count_in_view(msgspec.structs.replace(spot, rotation=rotation), seen, horizons)
            for horizon, count in zip(horizons, counts, strict=True):
                if count:
                    found.append((-count, Pose(cell.x, cell.z, rotation, horizon)))
    return [pose for _, pose in sorted(found)]
