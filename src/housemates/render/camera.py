"""Cameras: where one looks from, and how points of the world and pixels of a picture correspond."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from housemates.errors import HousematesError
from housemates.home.things import CAMERA_ABOVE_AGENT_M, Agent, turned
from housemates.home.types import Vec

MAX_SIDE_PX = 2048
MAX_DISTANCE_M = 10_000.0
OVERHEAD_M = 300.0
"""So high that what is 2 m tall and 3 m from the middle leans by 2 cm: practically a plan."""


def read_size(size: int | str | Sequence[int]) -> tuple[int, int]:
    """Width and height of pictures, given as a number of pixels for both, a pair or `160x120`."""
    sides = [str(each) for each in size] if isinstance(size, tuple | list) else str(size).lower().split("x")
    numbers = [int(each) for each in sides if each.isascii() and each.isdigit()]
    if not (len(numbers) == len(sides) <= 2 and all(1 <= each <= MAX_SIDE_PX for each in numbers)):
        raise HousematesError(
            f"size: expected pixels from 1 to {MAX_SIDE_PX}, or width and height such as 160x120, "
            f"found {size!r}."
        )
    return numbers[0], numbers[-1]


@dataclass(frozen=True)
class Camera:
    """A pinhole camera that never tilts sideways."""

    position: Vec
    rotation: float = 0.0
    """Degrees clockwise from +z, seen from above."""
    horizon: float = 0.0
    """Degrees it looks down."""
    width: int = 300
    height: int = 300
    fov: float = 90.0
    """Vertical field of view in degrees."""

    def __post_init__(self) -> None:
        for side in (self.width, self.height):
            if (
                isinstance(side, bool)
                or not isinstance(side, int | np.integer)
                or not 1 <= side <= MAX_SIDE_PX
            ):
                raise HousematesError(
                    f"Camera: expected a size from 1x1 to {MAX_SIDE_PX}x{MAX_SIDE_PX} pixels, "
                    f"found {self.width}x{self.height}."
                )
        numbers = (*self.position, self.rotation, self.horizon, self.fov)
        if len(self.position) != 3 or not all(math.isfinite(number) for number in numbers):
            raise HousematesError(f"Camera: expected finite numbers, found {self}.")
        if max(map(abs, self.position)) > MAX_DISTANCE_M:
            raise HousematesError(f"Camera: position {self.position} is over {MAX_DISTANCE_M:.0f} m away.")
        if not 0.0 < self.fov < 180.0:
            raise HousematesError(f"Camera: expected a field of view between 0 and 180, found {self.fov}.")

    @cached_property
    def axes(self) -> NDArray[np.float64]:
        """Unit vectors to the right, up and forward, as rows."""
        return axes_of(self.rotation, self.horizon)

    @cached_property
    def focal(self) -> float:
        """Distance of the picture from the eye, in pixels."""
        return self.height / 2 / math.tan(math.radians(self.fov) / 2)

    @cached_property
    def packed(self) -> NDArray[np.float32]:
        """Position, axes, focal length and the picture's middle, as the rasteriser reads them."""
        axes = self.axes.ravel().tolist()
        return np.array([*self.position, *axes, self.focal, self.width / 2, self.height / 2], np.float32)

    def pixel(self, point: Vec) -> tuple[float, float, float]:
        """Column, row and depth (metres along the view axis) of a point; behind the camera depth is < 0."""
        right, up, depth = self.axes @ (np.asarray(point, dtype=float) - self.position)
        scale = self.focal / depth if depth else math.inf
        return float(self.width / 2 + right * scale), float(self.height / 2 - up * scale), float(depth)

    def ray(self, column: float, row: float) -> Vec:
        """The direction (one metre along the view axis) of a place in the picture.

        The middle of the pixel in column 0 and row 0 is at 0.5, 0.5.
        """
        offsets = [(column - self.width / 2) / self.focal, (self.height / 2 - row) / self.focal, 1.0]
        x, y, z = np.asarray(offsets) @ self.axes
        return float(x), float(y), float(z)

    def point(self, column: float, row: float, depth: float) -> Vec:
        """The point of the world seen there at this depth."""
        x, y, z = self.ray(column, row)
        eye = self.position
        return eye[0] + depth * x, eye[1] + depth * y, eye[2] + depth * z


@lru_cache(maxsize=1024)
def axes_of(rotation: float, horizon: float) -> NDArray[np.float64]:
    """Unit vectors to the right, up and forward of who looks that way, as rows; not to be changed."""
    sine, cosine = turned(0.0, 1.0, rotation)
    down, level = turned(0.0, 1.0, horizon)
    return np.array(
        [
            [cosine, 0.0, -sine],
            [sine * down, level, cosine * down],
            [sine * level, -down, cosine * level],
        ]
    )


def agent_camera(agent: Agent, width: int = 300, height: int = 300, fov: float | None = None) -> Camera:
    """What the agent sees, with its own field of view unless another is given."""
    wide = agent.fov if fov is None else fov
    return _known_camera(agent.x, agent.y, agent.z, agent.rotation, agent.horizon, width, height, wide)


@lru_cache(maxsize=4096)
def _known_camera(
    x: float, y: float, z: float, rotation: int, horizon: int, width: int, height: int, fov: float
) -> Camera:
    eye = (x, y + CAMERA_ABOVE_AGENT_M, z)
    return Camera(eye, rotation, horizon, width, height, fov)


def overhead_camera(centre: Vec, metres: float, width: int = 300, height: int = 300) -> Camera:
    """Look straight down, +z up in the picture, which is `metres` high at `centre`."""
    if not 0.0 < metres <= MAX_DISTANCE_M:
        raise HousematesError(f"Overhead camera: expected a positive height in metres, found {metres}.")
    above = (centre[0], centre[1] + OVERHEAD_M, centre[2])
    fov = math.degrees(2 * math.atan(metres / 2 / OVERHEAD_M))
    return Camera(above, 0.0, 90.0, width, height, fov)


def look_at(position: Vec, target: Vec, width: int = 300, height: int = 300, fov: float = 60.0) -> Camera:
    """A camera at `position` with `target` in the middle of its picture."""
    x, y, z = (target[axis] - position[axis] for axis in range(3))
    rotation = math.degrees(math.atan2(x, z))
    horizon = math.degrees(math.atan2(-y, math.hypot(x, z)))
    return Camera(position, rotation, horizon, width, height, fov)
