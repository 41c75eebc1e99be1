"""Boxes of things in the world's frame: nearest points, lines of sight, what the camera takes in."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from housemates.home.things import REACH_M, Agent, Thing, to_local, to_world, turned
from housemates.home.types import Vec
from housemates.home.world import World

Boxes = npt.NDArray[np.float64]
"""One row a box: x0, y0, z0, x1, y1, z1."""
SAMPLES = [(x, y, z) for y in (0.5, 0.95, 0.05) for x in (0.0, -0.45, 0.45) for z in (0.0, -0.45, 0.45)]


@lru_cache(maxsize=2048)
def part_boxes(thing: Thing) -> Boxes:
    """The boxes around each part of a thing, aligned with the world's axes."""
    cosine, sine = turned(1.0, 0.0, thing.yaw)
    cosine, sine = abs(cosine), abs(sine)
    rows = []
    for part in thing.shape_parts():
        middle = to_world(thing, tuple((a + b) / 2 for a, b in zip(part.lo, part.hi, strict=True)))  # type: ignore[arg-type]
        half_x, half_z = (part.hi[0] - part.lo[0]) / 2, (part.hi[2] - part.lo[2]) / 2
        wide, deep = half_x * cosine + half_z * sine, half_x * sine + half_z * cosine
        low, high = thing.position[1] + part.lo[1], thing.position[1] + part.hi[1]
        rows.append((middle[0] - wide, low, middle[2] - deep, middle[0] + wide, high, middle[2] + deep))
    return np.array(rows, dtype=np.float64).reshape(-1, 6)


def bounding_box(thing: Thing) -> tuple[Vec, Vec]:
    """Lowest and highest corner of the thing's box in the world."""
    cosine, sine = turned(1.0, 0.0, thing.yaw)
    cosine, sine = abs(cosine), abs(sine)
    width, height, depth = thing.size
    wide, deep = (width * cosine + depth * sine) / 2, (width * sine + depth * cosine) / 2
    x, y, z = thing.position
    return (x - wide, y, z - deep), (x + wide, y + height, z + deep)


def nearest_distance(thing: Thing, point: Vec) -> float:
    """How far a point is from the nearest part of a thing."""
    x, y, z = to_local(thing, point)
    best = math.inf
    for part in thing.shape_parts():
        lo, hi = part.lo, part.hi
        dx = lo[0] - x if x < lo[0] else x - hi[0] if x > hi[0] else 0.0
        dy = lo[1] - y if y < lo[1] else y - hi[1] if y > hi[1] else 0.0
        dz = lo[2] - z if z < lo[2] else z - hi[2] if z > hi[2] else 0.0
        distance = dx * dx + dy * dy + dz * dz
        if distance < best:
            best = distance
    return math.sqrt(best)


def in_reach(agent: Agent, thing: Thing) -> bool:
    """Whether some part of the thing is within the agent's reach."""
    return nearest_distance(thing, agent.position) <= REACH_M


def in_view(agent: Agent, thing: Thing) -> bool:
    """Whether the camera's field takes in some of the thing (what stands between does not count)."""
    return any(point_in_view(agent, point) for point in sample_points(thing))


def sample_points(thing: Thing) -> Iterable[Vec]:
    """Points spread over a thing's box, its middle first, then the middles of its parts."""
    width, height, depth = thing.size
    for x, y, z in SAMPLES:
        yield to_world(thing, (x * width, y * height, z * depth))
    for part in thing.shape_parts():
        yield to_world(thing, tuple((a + b) / 2 for a, b in zip(part.lo, part.hi, strict=True)))  # type: ignore[arg-type]


def point_in_view(agent: Agent, point: Vec) -> bool:
    """Whether the camera's field takes in a point."""
    eye = agent.eye
    right, ahead = turned(point[0] - eye[0], point[2] - eye[2], -agent.rotation)
    cosine, sine = _pitch(agent.horizon)
    up = point[1] - eye[1]
    depth = ahead * cosine - up * sine
    height = up * cosine + ahead * sine
    edge = depth * _half_field(agent.fov)
    return depth > 0.05 and abs(right) <= edge and abs(height) <= edge


def count_in_view(agent: Agent, points: npt.NDArray[np.float64], horizons: tuple[int, ...]) -> list[int]:
    """How many of the points the camera's field takes in at each horizon."""
    offset = points - np.asarray(agent.eye)
    cosine, sine = turned(1.0, 0.0, agent.rotation)[0], turned(0.0, 1.0, agent.rotation)[0]
    right, ahead = offset[:, 0] * cosine - offset[:, 2] * sine, offset[:, 2] * cosine + offset[:, 0] * sine
    down = np.array([_pitch(horizon) for horizon in horizons])
    depth = ahead * down[:, :1] - offset[:, 1] * down[:, 1:]
    height = offset[:, 1] * down[:, :1] + ahead * down[:, 1:]
    edge = depth * _half_field(agent.fov)
    seen = (depth > 0.05) & (np.abs(right) <= edge) & (np.abs(height) <= edge)
    counts: list[int] = seen.sum(axis=1).tolist()
    return counts


@lru_cache(maxsize=64)
def _pitch(horizon: int) -> tuple[float, float]:
    return math.cos(math.radians(horizon)), math.sin(math.radians(horizon))


@lru_cache(maxsize=16)
def _half_field(fov: int) -> float:
    return math.tan(math.radians(fov / 2))


def obstacles(world: World, ignore: frozenset[str] = frozenset()) -> Boxes:
    """The boxes of everything in the world that can stand between an eye and a thing."""
    rows = [
        part_boxes(thing)
        for thing in world.things.values()
        if thing.solid and thing.id not in ignore and not world.in_hand(thing)
    ]
    shell = [(*structure.lo, *structure.hi) for structure in world.scene.structures]
    return np.concatenate([*rows, np.array(shell, dtype=np.float64).reshape(-1, 6)])


def clear_lines(eye: Vec, points: npt.NDArray[np.float64], boxes: Boxes) -> npt.NDArray[np.bool_]:
    """For each point, whether nothing of `boxes` stands on the line from the eye to it."""
    origin = np.asarray(eye)
    low, high = np.minimum(points.min(axis=0), origin), np.maximum(points.max(axis=0), origin)
    boxes = boxes[(boxes[:, :3] <= high).all(axis=1) & (boxes[:, 3:] >= low).all(axis=1)]
    direction = points - origin
    inverse = 1.0 / np.where(direction == 0, 1e-12, direction)
    enter, leave = np.full((len(points), len(boxes)), -np.inf), np.full((len(points), len(boxes)), np.inf)
    for axis in range(3):
        to_low = (boxes[:, axis] - origin[axis]) * inverse[:, axis, None]
        to_high = (boxes[:, axis + 3] - origin[axis]) * inverse[:, axis, None]
        np.maximum(enter, np.minimum(to_low, to_high), out=enter)
        np.minimum(leave, np.maximum(to_low, to_high), out=leave)
    blocked = (enter < leave) & (leave > 0) & (enter < 0.999)
    return np.logical_not(blocked.any(axis=1))


def visible(world: World, agent: Agent, thing: Thing) -> bool:
    """Whether the agent, standing so, would see some of the thing."""
    if world.enclosing(thing) is not None:
        return False
    points = [point for point in sample_points(thing) if point_in_view(agent, point)]
    if not points:
        return False
    ignore = frozenset([thing.id, *(other.id for other in world.contents_deep(thing))])
    return bool(clear_lines(agent.eye, np.array(points), obstacles(world, ignore)).any())
