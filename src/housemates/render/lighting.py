"""Faces of a mesh in the world: where they are, their planes, and how bright they are. Compiled code.

All arithmetic is strict float32.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from housemates.jit import compiled
from housemates.render.addresses import floats, octets, shorts

DARKEST, LIGHTEST = np.float32(0.62), np.float32(1.06)


@compiled
def put(mesh, faces, first, instance, pose, lights):
    """Write a mesh into faces from index `first` on.

    Args:
        mesh: `Mesh.row`.
        faces: `raster.Faces.row`.
        first: Where its first face goes.
        instance: The number of the thing.
        pose: Where it stands, and the sine and cosine of its turn.
        lights: Directions of the sun and of highlights, as rows.
    """
    own, most = mesh[0], faces[0]
    shapes, normals = floats(mesh[1], (own, 4, 3)), floats(mesh[2], (own, 4, 3))
    texels, colours = floats(mesh[3], (own, 4, 2)), floats(mesh[4], (own, 2, 3))
    pattern, see_through = octets(mesh[5], own), octets(mesh[6], own)
    gloss, glow = floats(mesh[7], own), octets(mesh[8], own)
    stop = first + own
    placed, planes = floats(faces[1], (most, 4, 3))[first:stop], floats(faces[2], (most, 4))[first:stop]
    fields = floats(faces[3], (most, 3, 4))[first:stop]
    floats(faces[4], (most, 2, 3))[first:stop] = colours
    octets(faces[5], most)[first:stop] = pattern
    octets(faces[6], most)[first:stop] = see_through
    shorts(faces[7], most)[first:stop] = instance
    _place(shapes, normals, texels, gloss, glow, pose, lights, placed, planes, fields)


@compiled
def _place(corners, normals, texels, gloss, glow, pose, lights, placed, planes, fields):
    for number in range(len(corners)):
        target = placed[number]
        for corner in range(4):
            x, y, z = _turned(corners[number, corner], pose)
            target[corner, 0], target[corner, 1], target[corner, 2] = x + pose[0], y + pose[1], z + pose[2]
        a, b = _apart(target[0], target[2]), _apart(target[1], target[3])
        across = _cross(a, b)
        _plane(target[0], across, planes[number])
        own = normals[number]
        lit = (
            _light(_turned(own[0], pose), gloss[number], glow[number], lights),
            _light(_turned(own[1], pose), gloss[number], glow[number], lights),
            _light(_turned(own[2], pose), gloss[number], glow[number], lights),
            _light(_turned(own[3], pose), gloss[number], glow[number], lights),
        )
        _field(target, a, b, across, lit, fields[number, 2])
        for axis in range(2):
            at = texels[number]
            values = (at[0, axis], at[1, axis], at[2, axis], at[3, axis])
            _field(target, a, b, across, values, fields[number, axis])


@compiled
def _turned(vector, pose):
    return vector[0] * pose[4] + vector[2] * pose[3], vector[1], vector[2] * pose[4] - vector[0] * pose[3]


@compiled
def _apart(start, end):
    return end[0] - start[0], end[1] - start[1], end[2] - start[2]


@compiled
def _cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@compiled
def _plane(corner, across, plane):
    """The plane of a face through a corner, for the cross product of its diagonals."""
    x, y, z = across
    length = np.sqrt(x * x + y * y + z * z)
    x, y, z = x / length, y / length, z / length
    plane[0], plane[1], plane[2] = x, y, z
    plane[3] = x * corner[0] + y * corner[1] + z * corner[2]


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
def _field(corners, a, b, across, values, field):
    """The affine function of the position that agrees with the values along both diagonals and on average.

    Args:
        corners: Of the face.
        a: The first diagonal.
        b: The second one.
        across: Their cross product.
        values: At the corners.
        field: Where the function is written to.
    """
    x, y, z = across
    square = x * x + y * y + z * z
    p = (values[2] - values[0]) / square
    q = (values[3] - values[1]) / square
    fx = p * (b[1] * z - b[2] * y) + q * (y * a[2] - z * a[1])
    fy = p * (b[2] * x - b[0] * z) + q * (z * a[0] - x * a[2])
    fz = p * (b[0] * y - b[1] * x) + q * (x * a[1] - y * a[0])
    constant = np.float32(0.0)
    for corner in range(4):
        at_corner = fx * corners[corner, 0] + fy * corners[corner, 1] + fz * corners[corner, 2]
        constant += (values[corner] - at_corner) * np.float32(0.25)
    field[0], field[1], field[2], field[3] = fx, fy, fz, constant
