"""Meshes: the faces of a thing's parts in its own frame, with the materials they show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.core.copies import shared
from housemates.home.shapes import Part
from housemates.home.types import Vec
from housemates.jit import compiled
from housemates.render.materials import Material
from housemates.render.raster import addresses
from housemates.render.sizes import TEXTURE_PX

Array = NDArray[np.float64]

ROUNDNESS = ((0.012, 6), (0.02, 8), (0.1, 12), (0.25, 16), (math.inf, 24))
"""Up to which radius in metres a round part has how many sides."""
WALL_SHARE, WALL_M = 0.12, 0.008
"""How thick a hollow part is: this share of its radius, at most so many metres."""
AXES = {"x": (1, 0, 2), "y": (0, 1, 2), "z": (0, 2, 1)}
"""Which coordinates of a turned solid become x, y and z."""
EDGE_ON = 1e-18


class _Columns(NamedTuple):
    corners: NDArray[np.float32]
    """(N, 4, 3): clockwise as seen; a triangle has its last corner twice."""
    normals: NDArray[np.float32]
    """(N, 4, 3): of the true surface at each corner, pointing out."""
    texels: NDArray[np.float32]
    """(N, 4, 2): texture coordinates of each corner."""
    colours: NDArray[np.float32]
    """(N, 2, 3)."""
    pattern: NDArray[np.uint8]
    see_through: NDArray[np.uint8]
    gloss: NDArray[np.float32]
    glow: NDArray[np.uint8]


@shared
class Mesh(_Columns):
    """N faces in a thing's own frame."""

    @cached_property
    def sphere(self) -> tuple[Vec, float]:
        """Centre and radius of a ball around it."""
        centre, radius = _ball(self.corners)
        x, y, z = centre.tolist()
        return (x, y, z), float(radius)

    @cached_property
    def row(self) -> NDArray[np.int64]:
        """How many faces there are, and where their columns are."""
        return np.array([len(self.corners), *addresses(self)], np.int64)


class Surface(NamedTuple):
    """Faces of one part: corners, normals and, in metres, texture coordinates."""

    corners: Array
    normals: Array
    metres: Array
    """(N, 4, 2)."""
    extent: Array
    """(N, 2): what a texture that fits covers, in metres."""


@compiled
def _ball(corners):  # type: ignore[no-untyped-def]
    """The middle of the box around all corners, and how far from it the farthest is."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for face in range(len(corners)):
        for corner in range(4):
            for axis in range(3):
                low[axis] = min(low[axis], corners[face, corner, axis])
                high[axis] = max(high[axis], corners[face, corner, axis])
    if not len(corners):
        return np.zeros(3), 0.0
    centre = (low + high) / 2
    farthest = 0.0
    for face in range(len(corners)):
        for corner in range(4):
            square = 0.0
            for axis in range(3):
                square += (corners[face, corner, axis] - centre[axis]) ** 2
            farthest = max(farthest, square)
    return centre, np.sqrt(farthest) * 1.0001


@lru_cache(maxsize=16384)
def build(parts: tuple[Part, ...], materials: tuple[Material, ...]) -> Mesh:
    """The faces of some parts, each of its material."""
    return join([paint(surface(part, kind.grain), kind) for part, kind in zip(parts, materials, strict=True)])


def join(meshes: Sequence[Mesh]) -> Mesh:
    """Several meshes as one."""
    return Mesh(*(np.concatenate(columns) for columns in zip(*meshes, strict=True)))


def paint(made: Surface, kind: Material) -> Mesh:
    """Give a surface its material."""
    count = len(made.corners)
    scale = TEXTURE_PX / made.extent[:, None, :] if kind.fit else TEXTURE_PX / kind.repeat
    return Mesh(
        made.corners.astype(np.float32, order="C"),
        made.normals.astype(np.float32, order="C"),
        (made.metres * scale).astype(np.float32, order="C"),
        np.tile(np.array([kind.colour, kind.second], np.float32), (count, 1, 1)),
        np.full(count, kind.pattern, np.uint8),
        np.full(count, kind.see_through, np.uint8),
        np.full(count, kind.gloss, np.float32),
        np.full(count, kind.glow, np.uint8),
    )


def surface(part: Part, grain: bool = False) -> Surface:
    """The faces of one part; with `grain`, u runs along its longest side."""
    if part.kind == "box":
        return box(np.array(part.lo), np.array(part.hi), grain)
    return _wound(_turned(part))


class Cube(NamedTuple):
    """The six faces of a box, low and high along x, y and z, clockwise as seen."""

    high: NDArray[np.bool_]
    """(6, 4, 3): whether a corner is at the box's upper end along an axis."""
    normals: Array
    """(6, 4, 3)."""
    sides: NDArray[np.intp]
    """(6, 2): the axes along which u and v run."""
    seen: Array
    """(6, 4, 2): texture coordinates with which a picture is upright and not mirrored from outside."""
    along: Array
    """(6, 4, 2): those that follow the box's axes."""


@cache
def _cube() -> Cube:
    faces = []
    for axis, side in [(axis, side) for axis in range(3) for side in (0, 1)]:
        across, along = {0: (2, 1), 1: (0, 2), 2: (0, 1)}[axis]
        uv = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
        high = np.zeros((4, 3))
        high[:, axis], high[:, across], high[:, along] = side, uv[:, 0], uv[:, 1]
        normal = np.zeros((4, 3))
        normal[:, axis] = 1.0 if side else -1.0
        seen = uv.copy()
        if not {0: side == 1, 1: False, 2: side == 0}[axis]:
            seen[:, 0] = 1.0 - uv[:, 0]
        if axis == 1:
            seen[:, 1] = 1.0 - uv[:, 1]
        clockwise = np.cross(high[2] - high[0], high[3] - high[1]) @ normal[0] > 0.0
        step = 1 if clockwise else -1
        faces.append((high[::step] > 0.5, normal, [across, along], seen[::step], uv[::step]))
    return Cube(*(np.array(column) for column in zip(*faces, strict=True)))


def box(lo: Array, hi: Array, grain: bool = False, faces: Sequence[tuple[int, int]] | None = None) -> Surface:
    """A box, or some of its faces, given as (axis, side) with side 0 at `lo` and 1 at `hi`."""
    cube = _cube()
    extent = (hi - lo)[cube.sides]
    keep = np.flatnonzero(extent[:, 0] * extent[:, 1] > EDGE_ON**0.5 / 2)
    if faces is not None:
        keep = np.array([2 * axis + side for axis, side in faces if 2 * axis + side in keep], dtype=np.intp)
    metres = cube.seen * extent[:, None]
    if grain:
        longer = extent[:, 1] > extent[:, 0]
        metres = cube.along * extent[:, None] + lo[cube.sides][:, None]
        metres[longer] = metres[longer][..., ::-1]
        extent[longer] = extent[longer][:, ::-1]
    corners = np.where(cube.high, hi, lo)
    return Surface(corners[keep], cube.normals[keep], metres[keep], extent[keep])


class Ring(NamedTuple):
    """A point of a profile: radius and height as shares of the box, and the outward direction there."""

    radius: float
    height: float
    out: float
    up: float


Outline = list[tuple[Ring, Ring]]


def _profile(part: Part, segments: int) -> Outline:
    """The outline that, turned around its axis, gives the part; each piece has its own two normals."""
    bottom, top = (part.taper, 1.0) if part.flip else (1.0, part.taper)
    if part.kind == "ellipsoid":
        return _arc(-90.0, 90.0, segments // 2, 1.0, 0.5, 1.0)
    if part.kind == "bowl":
        wall = _wall(part)
        outer = _arc(-90.0, 0.0, segments // 4 + 1, 1.0, 1.0, 1.0)
        inner = _arc(0.0, -90.0, segments // 4 + 1, 1.0 - wall, 1.0 - wall, -1.0)
        return [*outer, (Ring(1.0, 1.0, 0.0, 1.0), Ring(1.0 - wall, 1.0, 0.0, 1.0)), *inner]
    side = (Ring(bottom, 0.0, 1.0, bottom - top), Ring(top, 1.0, 1.0, bottom - top))
    base = (Ring(0.0, 0.0, 0.0, -1.0), Ring(bottom, 0.0, 0.0, -1.0))
    if part.kind != "tube":
        return [base, side, (Ring(top, 1.0, 0.0, 1.0), Ring(0.0, 1.0, 0.0, 1.0))]
    wall = _wall(part)
    floor = min(0.5, 0.006 / max(_extent(part)[1], 1e-6))
    inside, foot = top * (1.0 - wall), bottom * (1.0 - wall)
    return [
        base,
        side,
        (Ring(top, 1.0, 0.0, 1.0), Ring(inside, 1.0, 0.0, 1.0)),
        (Ring(inside, 1.0, -1.0, top - bottom), Ring(foot, floor, -1.0, top - bottom)),
        (Ring(foot, floor, 0.0, 1.0), Ring(0.0, floor, 0.0, 1.0)),
    ]


def _arc(start: float, stop: float, pieces: int, radius: float, rise: float, facing: float) -> Outline:
    """Part of an ellipse from one latitude to another; `facing` is -1 for the inside of a hollow."""
    rings = []
    for angle in np.radians(np.linspace(start, stop, pieces + 1)):
        cosine, sine = float(np.cos(angle)), float(np.sin(angle))
        middle = 0.5 if stop > 0.0 else 1.0
        rings.append(
            Ring(radius * cosine, middle + rise * sine, facing * cosine, facing * sine * radius / rise)
        )
    return list(pairwise(rings))


def _wall(part: Part) -> float:
    width, _, depth = _extent(part)
    return min(WALL_SHARE, WALL_M / max(min(width, depth) / 2, 1e-6))


def _extent(part: Part) -> tuple[float, float, float]:
    """Width, height and depth of a part as if its axis were upright."""
    size = [part.hi[axis] - part.lo[axis] for axis in range(3)]
    first, second, third = AXES[part.axis]
    return size[first], size[second], size[third]


def _turned(part: Part) -> Surface:
    """A solid of revolution with an elliptic cross-section, in the part's box."""
    width, height, depth = _extent(part)
    segments = next(sides for radius, sides in ROUNDNESS if max(width, depth) / 2 <= radius)
    half, girth = np.array([width / 2, height, depth / 2]), math.pi * (width + depth) / 2
    rings = np.array(_profile(part, segments))
    flat = rings[:, 0, 2] == 0.0
    points, facing = _around(rings, flat, segments, half)
    metres = np.empty((*points.shape[:3], 2))
    metres[..., 0] = np.linspace(0.0, girth, segments + 1)
    metres[..., 1] = (rings[..., 1] * half[1])[..., None]
    metres[flat] = points[flat][..., [0, 2]] + half[[0, 2]]
    extent = np.where(flat[:, None], 2 * half[[0, 2]], np.array([girth, half[1]]))
    order = list(np.argsort(AXES[part.axis]))
    middle = np.array([(part.lo[axis] + part.hi[axis]) / 2 for axis in range(3)])
    return Surface(
        _quads(points)[:, :, order] + middle,
        _quads(facing)[:, :, order],
        _quads(metres),
        np.repeat(np.maximum(extent, 1e-6), segments, axis=0),
    )


def _around(rings: Array, flat: NDArray[np.bool_], segments: int, half: Array) -> tuple[Array, Array]:
    """Points and directions around each of two rings of each piece, from the middle of the box."""
    angles = np.arange(segments + 1) * (2 * math.pi / segments)
    circle = np.stack([np.sin(angles), np.ones(segments + 1), np.cos(angles)], axis=1)
    circle[-1] = circle[0]
    radius, height, out, up = np.moveaxis(rings, 2, 0)[..., None, None]
    points = np.concatenate([radius, height - 0.5, radius], axis=-1) * circle * half
    facing = np.concatenate([out, up, out], axis=-1) * circle
    facing[~flat] /= np.maximum(half, 1e-9)
    return points, facing / np.linalg.norm(facing, axis=-1, keepdims=True)


def _quads(rows: Array) -> Array:
    """The corners of the faces between two rings, of each piece in turn."""
    low, high = rows[:, 0], rows[:, 1]
    quads = np.stack([low[:, :-1], high[:, :-1], high[:, 1:], low[:, 1:]], axis=2)
    return quads.reshape(-1, *quads.shape[2:])


def _wound(made: Surface) -> Surface:
    """The same faces, all clockwise as seen from where their normals point, and none without area."""
    across = np.cross(made.corners[:, 2] - made.corners[:, 0], made.corners[:, 3] - made.corners[:, 1])
    keep = (across**2).sum(axis=1) > EDGE_ON
    turn = (across * made.normals.sum(axis=1)).sum(axis=1) < 0.0
    columns = [np.where(turn[:, None, None], each[:, ::-1], each) for each in made[:3]]
    return Surface(*(each[keep] for each in (*columns, made.extent)))
