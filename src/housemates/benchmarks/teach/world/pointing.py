"""From a click on the Follower's picture to the thing that is meant, by the rule of TEACh's interface."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from housemates.home.actions import ACTIONS
from housemates.home.interactions import basin_of
from housemates.home.placement import heights
from housemates.home.things import REACH_M, Thing
from housemates.home.types import Vec
from housemates.home.world import World
from housemates.render.camera import Camera
from housemates.render.frames import Frame

REFERENCE_PX = 900
"""Side of the picture in which windows are measured."""
WINDOWS = {"reference": 10, "paper": 5}
"""Half the side of the window around a click: the code's 20x20, the paper's 10x10."""
SLACK_M = 0.02
"""What is pointed at this far beyond reach is touched all the same, as shapes are not known better."""


class Pointed(NamedTuple):
    """What a click means: a thing, and the point of the world under the click."""

    thing: str
    at: Vec


def resolve(
    world: World, frame: Frame, action: str, x: float, y: float, window: str = "reference"
) -> Pointed | None:
    """The thing a click is meant for: the one at the pixel if it affords the action, else the best nearby.

    The best is the one with the largest share of its own pixels in the window around the click. A click
    beside the picture, of which recordings have one, is meant for nothing.

    Args:
        world: The home that the frame shows.
        frame: The Follower's picture.
        action: One of the object actions.
        x: Across the picture, 0 to 1 from the left.
        y: Down the picture, 0 to 1 from the top.
        window: `reference` (20x20 of 900) or `paper` (10x10).
    """
    met = straight(world, frame, action, x, y)
    if met is not None or not (0 <= x <= 1 and 0 <= y <= 1):
        return met
    column, row = _pixel(frame, x, y)
    half = WINDOWS[window] * len(frame.ids) / REFERENCE_PX
    number = _best_nearby(world, frame, action, column, row, half)
    return None if number == 0 else _met(world, frame, *_nearest_pixel(frame, number, column, row))


class Touched(NamedTuple):
    """What whoever names a thing touches, and where on the picture."""

    pointed: Pointed
    x: float
    y: float


def touch_named(
    world: World, frame: Frame, camera: Camera, action: str, thing: Thing, x: float, y: float
) -> Touched | None:
    """What naming a thing touches, as a click on what is seen of it would; None if it is not seen.

    It is what is seen next to a place of the picture, or the nearest part where that is out of reach. The
    point that is touched is then as replays find it from such a click; see `aim`.
    """
    number = frame.numbers.get(thing.id, 0)
    if not number or not np.any(frame.ids == number):
        return None
    column, row = _nearest_pixel(frame, number, *_pixel(frame, x, y))
    if math.dist(_met(world, frame, column, row).at, world.agent.position) > REACH_M:
        rows, columns = np.nonzero(frame.ids == number)
        nearest = int(np.argmin(frame.depth[rows, columns]))
        column, row = int(columns[nearest]), int(rows[nearest])
    met, (height, width) = _met(world, frame, column, row), frame.ids.shape
    x, y = (column + 0.5) / width, (row + 0.5) / height
    if math.dist(met.at, world.agent.position) > REACH_M:
        return Touched(met, x, y)
    return Touched(Pointed(thing.id, aim(world, thing, action, camera, x, y)), x, y)


def straight(world: World, frame: Frame, action: str, x: float, y: float) -> Pointed | None:
    """The thing at the very pixel of a click, if it affords the action; see `resolve`."""
    if not (0 <= x <= 1 and 0 <= y <= 1):
        return None
    column, row = _pixel(frame, x, y)
    fitting = _fits(world, action, frame.labels[int(frame.ids[row, column])].id)
    return _met(world, frame, column, row) if fitting else None


def _pixel(frame: Frame, x: float, y: float) -> tuple[int, int]:
    """The column and row of a place of the picture."""
    height, width = frame.ids.shape
    return min(int(x * width), width - 1), min(int(y * height), height - 1)


def _met(world: World, frame: Frame, column: int, row: int) -> Pointed:
    """The thing at a pixel, and the point of it that is touched there."""
    depth = float(frame.depth[row, column])
    at = frame.camera.point(column + 0.5, row + 0.5, depth if math.isfinite(depth) else 10.0)
    if math.dist(at, world.agent.position) <= REACH_M + SLACK_M:
        at = _within_reach(frame.camera.position, at, world)
    return Pointed(frame.labels[int(frame.ids[row, column])].id, at)


def fits(world: World, action: str, thing: Thing) -> bool:
    """Whether an action can be meant for a thing that is not in the hand."""
    return ACTIONS[action].meant(thing) and not world.in_hand(thing)


def _fits(world: World, action: str, name: str) -> bool:
    return bool(name) and fits(world, action, world.things[name])


def _best_nearby(world: World, frame: Frame, action: str, column: int, row: int, half: float) -> int:
    reach = max(1, round(half))
    near = frame.ids[max(0, row - reach) : row + reach, max(0, column - reach) : column + reach]
    numbers, counts = np.unique(near, return_counts=True)
    best, share = 0, 0.0
    for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
        if _fits(world, action, frame.labels[number].id):
            whole = int(np.count_nonzero(frame.ids == number))
            if count / whole > share:
                best, share = number, count / whole
    return best


def _nearest_pixel(frame: Frame, number: int, column: int, row: int) -> tuple[int, int]:
    """The pixel of a thing that is nearest to a click beside it."""
    rows, columns = np.nonzero(frame.ids == number)
    nearest = int(np.argmin((rows - row) ** 2 + (columns - column) ** 2))
    return int(columns[nearest]), int(rows[nearest])


def aim(world: World, thing: Thing, action: str, camera: Camera, x: float, y: float) -> Vec:
    """The point that a click on a known thing touches, within reach.

    For a place it is where the click's ray meets the surface, otherwise where it passes the thing.
    """
    ray = camera.ray(x * camera.width, y * camera.height)
    eye = camera.position
    middle = (thing.position[0], thing.position[1] + thing.size[1] / 2, thing.position[2])
    if action == "Place" and abs(ray[1]) > 1e-3:
        met = _on_surface(thing, eye, ray)
        if met is not None:
            met = _on_surface(basin_of(world, thing, met), eye, ray) or met
            return _within_reach(eye, met, world)
    length = sum(part * part for part in ray)
    depth = sum((m - e) * r for m, e, r in zip(middle, eye, ray, strict=True)) / length
    return _within_reach(eye, _along(eye, ray, max(depth, 0.1)), world)


def _on_surface(thing: Thing, eye: Vec, ray: Vec) -> Vec | None:
    """Where a ray meets the surface of a thing that is nearest to its middle."""
    middle = (thing.position[0], thing.position[1] + thing.size[1] / 2, thing.position[2])
    depths = [(thing.position[1] + height - eye[1]) / ray[1] for height in heights(thing)]
    points = [_along(eye, ray, depth) for depth in depths if depth > 0.1]
    return min(points, key=lambda point: math.dist(point, middle), default=None)


def _along(eye: Vec, ray: Vec, depth: float) -> Vec:
    return (eye[0] + depth * ray[0], eye[1] + depth * ray[1], eye[2] + depth * ray[2])


def _within_reach(eye: Vec, point: Vec, world: World) -> Vec:
    """The point, drawn towards the eye until the agent can reach it."""
    for step in range(40):
        share = 1.0 - step / 40
        nearer = (
            eye[0] + share * (point[0] - eye[0]),
            eye[1] + share * (point[1] - eye[1]),
            eye[2] + share * (point[2] - eye[2]),
        )
        if math.dist(nearer, world.agent.position) < REACH_M:
            return nearer
    return point
