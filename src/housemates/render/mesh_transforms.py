"""Placing meshes in the world: turned, moved and lit, as the rasteriser wants them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from housemates.home.things import turned
from housemates.home.types import Vec
from housemates.render.mesh import Mesh
from housemates.render.raster import Faces

SUN = (0.36, 0.72, -0.59)
GLINT = (0.28, 0.86, -0.42)
"""Where highlights sit, whoever looks."""


def empty_faces(count: int) -> Faces:
    """Room for this many faces."""
    return Faces(
        np.empty((count, 4, 3), np.float32),
        np.empty((count, 4), np.float32),
        np.empty((count, 3, 4), np.float32),
        np.empty((count, 2, 3), np.float32),
        np.empty(count, np.uint8),
        np.empty(count, np.uint8),
        np.empty(count, np.uint16),
    )


def place(
    mesh: Mesh,
    position: Vec,
    yaw: float,
    instance: int,
    faces: Faces,
    first: int,
    lights: NDArray[np.float32] | None = None,
) -> None:
    """Write a mesh into `faces` from index `first` on, standing at `position`, turned by `yaw` degrees.

    `lights` are the directions of the sun and of highlights, as rows.
    """
    from housemates.render.lighting import put

    sine, cosine = turned(0.0, 1.0, yaw)
    pose = np.array([*position, sine, cosine], np.float32)
    put(mesh.row, faces.row, first, instance, pose, LIGHTS if lights is None else lights)


def take_over(
    old: Faces, at: NDArray[np.int32], faces: Faces, first: NDArray[np.int32], counts: NDArray[np.int32]
) -> None:
    """Copy runs of placed faces: so many from each index `at` of `old` to the index `first` of `faces`."""
    along = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    sources, targets = np.repeat(at, counts) + along, np.repeat(first, counts) + along
    columns: tuple[NDArray[Any], ...] = faces
    values: tuple[NDArray[Any], ...] = old
    for column, value in zip(columns, values, strict=True):
        column[targets] = value[sources]


def _unit(vector: Vec) -> Vec:
    length = math.sqrt(sum(part * part for part in vector))
    return vector[0] / length, vector[1] / length, vector[2] / length


def lights_from(sun: Vec) -> NDArray[np.float32]:
    """Directions of the sun and of highlights, as rows, where the sun stands there."""
    return np.array([_unit(sun), _unit((0.8 * sun[0], sun[1] + 0.15, 0.8 * sun[2]))], np.float32)


LIGHTS: NDArray[np.float32] = np.array([_unit(SUN), _unit(GLINT)], np.float32)
"""Directions of the usual sun and of highlights, as rows."""
