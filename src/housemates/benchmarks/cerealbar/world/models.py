"""The hex world as meshes: ground, props, cards and players, in units of a hex's radius."""

from __future__ import annotations

import math
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.world.cards import Card
from housemates.benchmarks.cerealbar.world.hexes import axial, centre, neighbours
from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.benchmarks.cerealbar.world.tables import PROPS, TERRAINS, load
from housemates.home.shapes import Part
from housemates.render import mesh as meshes
from housemates.render.materials import Colour, Material
from housemates.render.mesh import Mesh, Surface

BOTTOM = -0.5
"""Down to where the edge of the map is drawn."""
CARD_HALF, CARD_TOP = 0.62, 0.14
OUTLINE = 0.12
SIDES = 20
"""Corners of a ring printed on a card."""
PLAYER_HEIGHT = 1.7
TINTS = (1.0, 0.965, 0.93)
"""Neighbouring hexes of the same ground differ a little, so that one can count them."""


def looks(name: str) -> Any:
    """An entry of the table of looks."""
    return load("models.toml")["view"][name]


def plain(colour: tuple[float, ...], shade: float = 1.0, glow: bool = False) -> Material:
    """A material of one colour."""
    red, green, blue = (float(part) * shade for part in colour)
    return Material((red, green, blue), (red, green, blue), glow=glow)


def flat(polygon: list[tuple[float, float]], height: float, middle: tuple[float, float]) -> Surface:
    """A level polygon as a fan of faces around a point inside; corners are east and north."""
    corners = []
    for (ax, az), (bx, bz) in pairwise([*polygon, polygon[0]]):
        end = (bx, height, bz)
        corners.append([(middle[0], height, middle[1]), (ax, height, az), end, end])
    return _surface(corners, (0.0, 1.0, 0.0))


def _surface(corners: list[Any], normal: tuple[float, float, float]) -> Surface:
    """Faces with one normal, turned so that they are clockwise as seen."""
    made = np.array(corners, dtype=np.float64)
    across = np.cross(made[:, 2] - made[:, 0], made[:, 3] - made[:, 1]) @ np.array(normal)
    made = np.where(across[:, None, None] < 0.0, made[:, ::-1], made)
    count = len(made)
    return Surface(made, np.tile(np.array(normal), (count, 4, 1)), made[:, :, [0, 2]], np.ones((count, 2)))


def wall(a: tuple[float, float], b: tuple[float, float], low: float, high: float) -> Surface:
    """An upright rectangle between two points, seen from outside."""
    rectangle = [(a[0], low, a[1]), (a[0], high, a[1]), (b[0], high, b[1]), (b[0], low, b[1])]
    out = (a[0] + b[0], a[1] + b[1])
    length = math.hypot(*out)
    return _surface([rectangle], (out[0] / length, 0.0, out[1] / length))


@cache
def corner(number: int) -> tuple[float, float]:
    """A corner of a hex: number 0 in the north, then clockwise; between 0 and 1 lies the heading NE."""
    angle = math.radians(60.0 * number)
    return math.sin(angle), math.cos(angle)


@lru_cache(maxsize=256)
def tile(ground: int, tint: int, lower: tuple[float | None, ...]) -> Mesh:
    """One hex of ground, with a wall towards every side that lies lower."""
    kind = TERRAINS[ground]
    material = plain(kind.colour, TINTS[tint])
    top = [[(corner(i)[0], kind.level, corner(i)[1]) for i in half] for half in ((0, 1, 2, 3), (3, 4, 5, 0))]
    parts = [meshes.paint(_surface(top, (0.0, 1.0, 0.0)), material)]
    dark = plain(kind.colour if kind.level > 0.1 else looks("soil"), 0.8)
    for heading, low in enumerate(lower):
        if low is not None:
            side = wall(corner(heading), corner(heading + 1), low, kind.level)
            parts.append(meshes.paint(side, dark))
    return meshes.join(parts)


def ground_mesh(hexmap: HexMap, at: int) -> Mesh:
    """The ground of a hex."""
    level = TERRAINS[hexmap.terrain[at]].level
    lower: list[float | None] = []
    for to in neighbours(hexmap.size)[at]:
        other = BOTTOM if to < 0 else TERRAINS[hexmap.terrain[to]].level
        lower.append(other if other < level else None)
    q, r = axial(at, hexmap.size.width)
    return tile(hexmap.terrain[at], (q - r) % 3, tuple(lower))


@lru_cache(maxsize=128)
def model(name: str, colour: tuple[int, int, int], height: float) -> Mesh:
    """A prop or player of some colour and height."""
    parts = []
    for row in load("models.toml")["models"][name]:
        lo, hi = list(row["lo"]), list(row["hi"])
        lo[1], hi[1] = lo[1] * height, hi[1] * height
        part = Part(row["kind"], tuple(lo), tuple(hi), taper=row.get("taper", 1.0))
        material = plain(tuple(row.get("colour", colour)), row.get("shade", 1.0), row.get("glow", False))
        parts.append(meshes.paint(meshes.surface(part), material))
    return meshes.join(parts)


def prop_mesh(prop: int) -> Mesh:
    """What stands on a hex."""
    kind = PROPS[prop]
    return model(kind.model, kind.colour, kind.height)


def player_mesh(role: str) -> Mesh:
    """The mesh of a player, in units of a hex's radius."""
    return model("player", tuple(looks(role)), PLAYER_HEIGHT)


def outline(shape: str) -> list[tuple[float, float]]:
    """The corners of a symbol of half-size 1."""
    if shape == "plus":
        arm = 0.36
        quarter = [(arm, 1.0), (arm, arm), (1.0, arm)]
        turns = [[(x, z), (z, -x), (-x, -z), (-z, x)] for x, z in quarter]
        return [turns[i][turn] for turn in range(4) for i in range(3)]
    if shape == "star":
        radii = [1.05, 0.45] * 5
        return [
            (radius * math.sin(k * math.pi / 5), radius * math.cos(k * math.pi / 5))
            for k, radius in enumerate(radii)
        ]
    if shape == "heart":
        angles = np.linspace(0.0, 2.0 * math.pi, 24, endpoint=False)
        return [(float(np.sin(t) ** 3), float(_heart(t))) for t in angles]
    return {
        "diamond": [(0.0, 1.05), (0.7, 0.0), (0.0, -1.05), (-0.7, 0.0)],
        "cube": [(-0.85, 0.85), (0.85, 0.85), (0.85, -0.85), (-0.85, -0.85)],
        "triangle": [(0.0, 1.0), (0.95, -0.8), (-0.95, -0.8)],
    }[shape]


def _heart(angle: NDArray[np.float64]) -> Any:
    return (13 * np.cos(angle) - 5 * np.cos(2 * angle) - 2 * np.cos(3 * angle) - np.cos(4 * angle)) / 16.0


def symbol(shape: str, middle: tuple[float, float], half: float, height: float) -> Surface:
    """A symbol printed on a card."""
    x, z = middle
    if shape != "torus":
        points = [(x + half * px, z + half * pz) for px, pz in outline(shape)]
        return flat(points, height, middle)
    angles = [2 * math.pi * k / SIDES for k in range(SIDES + 1)]
    corners = []
    for a, b in pairwise(angles):
        inner, outer = (
            [(x + half * radius * math.sin(t), height, z + half * radius * math.cos(t)) for t in (a, b)]
            for radius in (0.5, 1.0)
        )
        corners.append([inner[0], outer[0], outer[1], inner[1]])
    return _surface(corners, (0.0, 1.0, 0.0))


@lru_cache(maxsize=1024)
def card_mesh(card: Card | None, edge: str, tilt: float = 0.0) -> Mesh:
    """A card on its hex; without a face it is covered.

    Args:
        card: What is printed on it.
        edge: `selected`, `invalid` or empty.
        tilt: Degrees by which its far edge is lifted; 0 lies flat.
    """
    parts = []
    if edge:
        half = CARD_HALF + OUTLINE
        parts.append(_slab(half, CARD_TOP * 0.7, looks(edge), glow=True))
    parts.append(_slab(CARD_HALF, CARD_TOP, looks("card" if card else "cover"), glow=card is not None))
    if card:
        material = plain(tuple(load("models.toml")["symbols"][card.colour]), glow=True)
        places = {1: [0.0], 2: [0.28, -0.28], 3: [0.4, 0.0, -0.4]}[card.number]
        half = {1: 0.36, 2: 0.25, 3: 0.185}[card.number]
        parts += [meshes.paint(symbol(card.shape, (0.0, z), half, CARD_TOP + 0.01), material) for z in places]
    return _tilted(meshes.join(parts), math.radians(tilt))


def _tilted(made: Mesh, angle: float) -> Mesh:
    """A mesh turned up around its near edge."""
    sine, cosine = math.sin(angle), math.cos(angle)
    turn = np.array([[1.0, 0.0, 0.0], [0.0, cosine, -sine], [0.0, sine, cosine]])
    near = np.array([0.0, 0.0, -CARD_HALF])
    corners = ((made.corners - near) @ turn + near).astype(np.float32)
    return made._replace(corners=corners, normals=(made.normals @ turn).astype(np.float32))


def _slab(half: float, top: float, colour: Colour, glow: bool = False) -> Mesh:
    part = Part("box", (-half, 0.0, -half), (half, top, half))
    return meshes.paint(meshes.surface(part), plain(tuple(colour), glow=glow))


def stand(hexmap: HexMap, at: int) -> tuple[float, float, float]:
    """Where a thing on a hex stands."""
    east, north = centre(at, hexmap.size.width)
    return east, TERRAINS[hexmap.terrain[at]].level, north
