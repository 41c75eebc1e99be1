"""Placing meshes in the world: turned, moved and lit, as the rasteriser wants them."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from housemates.compiling import compiled
from housemates.home.things import turned
from housemates.home.types import Vec
from housemates.render.mesh import Mesh
from housemates.render.raster import Faces

SUN = (0.36, 0.72, -0.59)
GLINT = (0.28, 0.86, -0.42)
"""Where highlights sit, whoever looks."""
DARKEST, LIGHTEST = np.float32(0.62), np.float32(1.06)


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


def place(mesh: Mesh, position: Vec, yaw: float, instance: int, faces: Faces, first: int) -> None:
    """Write a mesh into `faces` from index `first` on, standing at `position`, turned by `yaw` degrees."""
    stop = first + len(mesh.corners)
    faces.colours[first:stop] = mesh.colours
    faces.pattern[first:stop] = mesh.pattern
    faces.see_through[first:stop] = mesh.see_through
    faces.instance[first:stop] = instance
    sine, cosine = turned(0.0, 1.0, yaw)
    pose = np.array([*position, sine, cosine], np.float32)
    _place(
        mesh.corners, mesh.normals, mesh.texels, mesh.gloss, mesh.glow, pose, _LIGHTS,
        faces.corners[first:stop], faces.planes[first:stop], faces.fields[first:stop],
    )  # fmt: skip


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


_LIGHTS = np.array([_unit(SUN), _unit(GLINT)], np.float32)


@compiled
def _place(corners, normals, texels, gloss, glow, pose, lights, placed, planes, fields):
    values = np.empty(4, np.float32)
    normal = np.empty(3, np.float32)
    for number in range(len(corners)):
        target = placed[number]
        for corner in range(4):
            _turn(corners[number, corner], pose, target[corner])
            for axis in range(3):
                target[corner, axis] += pose[axis]
        _normal(target, planes[number])
        for corner in range(4):
            _turn(normals[number, corner], pose, normal)
            values[corner] = _light(normal, gloss[number], glow[number], lights)
        _field(target, values, fields[number, 2])
        for axis in range(2):
            for corner in range(4):
                values[corner] = texels[number, corner, axis]
            _field(target, values, fields[number, axis])


@compiled
def _turn(vector, pose, out):
    out[0] = vector[0] * pose[4] + vector[2] * pose[3]
    out[1] = vector[1]
    out[2] = vector[2] * pose[4] - vector[0] * pose[3]


@compiled
def _apart(start, end):
    return end[0] - start[0], end[1] - start[1], end[2] - start[2]


@compiled
def _cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@compiled
def _normal(corners, plane):
    """The plane of a face, from its diagonals."""
    a, b = _apart(corners[0], corners[2]), _apart(corners[1], corners[3])
    x, y, z = _cross(a, b)
    length = np.sqrt(x * x + y * y + z * z)
    plane[0], plane[1], plane[2] = x / length, y / length, z / length
    plane[3] = plane[0] * corners[0, 0] + plane[1] * corners[0, 1] + plane[2] * corners[0, 2]


@compiled
def _light(normal, gloss, glow, lights):
    """How bright a surface with this normal is."""
    if glow:
        return np.float32(1.0)
    sun = normal[0] * lights[0, 0] + normal[1] * lights[0, 1] + normal[2] * lights[0, 2]
    glint = normal[0] * lights[1, 0] + normal[1] * lights[1, 1] + normal[2] * lights[1, 2]
    shine = max(glint, np.float32(0.0))
    for _ in range(3):
        shine *= shine
    return DARKEST + (LIGHTEST - DARKEST) * (sun + np.float32(1.0)) * np.float32(0.5) + gloss * shine


@compiled
def _field(corners, values, field):
    """The affine function of the position that agrees with the values along both diagonals and on average."""
    a, b = _apart(corners[0], corners[2]), _apart(corners[1], corners[3])
    x, y, z = _cross(a, b)
    square = x * x + y * y + z * z
    p = (values[2] - values[0]) / square
    q = (values[3] - values[1]) / square
    field[0] = p * (b[1] * z - b[2] * y) + q * (y * a[2] - z * a[1])
    field[1] = p * (b[2] * x - b[0] * z) + q * (z * a[0] - x * a[2])
    field[2] = p * (b[0] * y - b[1] * x) + q * (x * a[1] - y * a[0])
    field[3] = np.float32(0.0)
    for corner in range(4):
        at_corner = (
            field[0] * corners[corner, 0] + field[1] * corners[corner, 1] + field[2] * corners[corner, 2]
        )
        field[3] += (values[corner] - at_corner) * np.float32(0.25)
