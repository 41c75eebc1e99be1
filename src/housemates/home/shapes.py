"""Shapes: the parts a thing is made of, which the renderer draws, things rest on and agents bump into.

Parts are axis-aligned in the thing's own frame: metres, origin at the middle of the base of its box,
x to its right, y up, z to its front.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any, NamedTuple

from housemates.files import shipped
from housemates.home.types import Vec

KINDS = ("box", "cylinder", "cone", "ellipsoid", "bowl", "tube")
SHELF_M = 0.02
"""What a shelf takes from the room below it."""
TERM = re.compile(r"([+-]?)([0-9.]*)([smwdlrbf]?)")


OPEN_M = 100.0
"""Free height above a support with nothing over it; a number that JSON has."""


class Support(NamedTuple):
    """The top of a part that carries things."""

    inset: float
    """How far from the edges things must stay, in metres."""
    inside: bool
    """Whether the thing must be open to reach it."""
    room: float
    """Free height above it in metres."""


class Part(NamedTuple):
    """One solid of a shape, filling the box from `lo` to `hi`."""

    kind: str
    lo: Vec
    hi: Vec
    material: str = ""
    """A palette name; empty for the thing's own look, `accent` for its second colour."""
    axis: str = "y"
    taper: float = 1.0
    """Width of a cone's narrow end, relative to the wide one."""
    flip: bool = False
    """Whether a cone is narrow at the bottom."""
    support: Support | None = None


class Row(NamedTuple):
    """One part as the table states it."""

    kind: str
    bounds: tuple[Any, ...]
    attributes: dict[str, Any]


class Shape(NamedTuple):
    """One entry of `shapes.toml`."""

    levels: tuple[float, ...]
    """Default heights of the supports, as fractions of the box."""
    open_shift: Vec
    """How far it moves when opened, as fractions of its box."""
    rows: tuple[Row, ...]
    walls: tuple[float | str, ...] = ()
    """How far its cavity is from its left, right and back, and its supports from its front, by default."""


class Frame(NamedTuple):
    """What the terms of a shape are measured by."""

    size: Vec
    level: float
    """The height of a support."""
    walls: tuple[float, ...] = ()


@cache
def shape(name: str) -> Shape:
    """The shape of this name."""
    entry = shape_table()[name]
    rows = []
    for row in entry["parts"]:
        kind = next(key for key in row if key in KINDS)
        rows.append(Row(kind, tuple(row[kind]), {key: row[key] for key in row if key != kind}))
    shift = entry.get("open_shift", (0.0, 0.0, 0.0))
    levels, walls = tuple(entry.get("levels", [1.0])), tuple(entry.get("walls", []))
    return Shape(levels, (shift[0], shift[1], shift[2]), tuple(rows), walls)


def shape_table() -> dict[str, Any]:
    """The whole of `shapes.toml`."""
    return shipped(__package__, "shapes.toml")


@lru_cache(maxsize=2048)
def parts(
    name: str,
    size: Vec,
    states: frozenset[str],
    levels: tuple[float, ...] = (),
    mirrored: bool = False,
    walls: tuple[float, ...] = (),
) -> tuple[Part, ...]:
    """The parts of a shape for a box of this size, in the states that hold.

    Args:
        name: Shape in `shapes.toml`.
        size: The box in metres.
        states: Of `open closed on off filled dry hot cool dirty`, those that hold.
        levels: Heights of the supports above the base, if they are not the shape's defaults.
        mirrored: Swap left and right, as for a door with its hinge on the other side.
        walls: How far its cavity is from its left, right and back, and each of its supports, from the lowest
            to the highest, from its front, if not as in the shape.
    """
    found = shape(name)
    around = walls or _default_walls(found, size)
    if mirrored:
        around = (*around[1::-1], *around[2:])
    heights = levels or tuple(level * size[1] for level in found.levels)
    shift = found.open_shift if "open" in states else (0.0, 0.0, 0.0)
    moved = (shift[0] * size[0], shift[1] * size[1], shift[2] * size[2])
    made = []
    for row in found.rows:
        if set(row.attributes.get("when", "").split()) <= states:
            for index in range(len(heights) if row.attributes.get("each") else 1):
                front = around[3 + index : 4 + index] or around[-1:]
                frame = Frame(size, heights[index], (*around[:3], *front))
                part = _part(row, frame, heights[index + 1 :], moved)
                made.extend(_mirrored(part, row.attributes.get("mirror", "")))
    return tuple(_flip_x(part) for part in made) if mirrored else tuple(made)


def _default_walls(found: Shape, size: Vec) -> tuple[float, ...]:
    sides = (size[0], size[0], size[2], size[2])
    return tuple(
        measure(term, side, Frame(size, 0.0)) for term, side in zip(found.walls, sides, strict=False)
    )


def _part(row: Row, frame: Frame, above: tuple[float, ...], moved: Vec) -> Part:
    """One part; `above` are the heights of the supports above its own."""
    size = frame.size
    x0, y0, z0, x1, y1, z1 = (measure(term, size[axis % 3], frame) for axis, term in enumerate(row.bounds))
    lo = (x0 - size[0] / 2 + moved[0], y0 + moved[1], z0 - size[2] / 2 + moved[2])
    hi = (x1 - size[0] / 2 + moved[0], y1 + moved[1], z1 - size[2] / 2 + moved[2])
    given = row.attributes
    support = None
    if "support" in given:
        top = measure(given["room"], size[1], frame) + moved[1] if "room" in given else OPEN_M
        if given.get("each") and above:
            top = above[0] - SHELF_M
        support = Support(float(given["support"]), given.get("inside", False), top - hi[1])
    return Part(
        row.kind,
        lo,
        hi,
        given.get("material", ""),
        given.get("axis", "y"),
        given.get("taper", 1.0),
        given.get("flip", False),
        support,
    )


def measure(term: float | str, length: float, frame: Frame) -> float:
    """Metres along one side of the box: a fraction of it, or a sum like `s-0.04m` or `0.92+0.95w`."""
    if not isinstance(term, str):
        return term * length
    units = {"": length, "m": 1.0, "s": frame.level, "w": frame.size[0], "d": frame.size[2]}
    units.update(zip("lrbf", frame.walls, strict=False))
    total = 0.0
    for sign, number, unit in TERM.findall(term):
        if number or unit:
            total += (-1.0 if sign == "-" else 1.0) * (float(number) if number else 1.0) * units[unit]
    return total


def _mirrored(part: Part, axes: str) -> list[Part]:
    made = [part]
    if "x" in axes:
        made += [_flip_x(each) for each in made]
    if "z" in axes:
        made += [
            each._replace(lo=(each.lo[0], each.lo[1], -each.hi[2]), hi=(each.hi[0], each.hi[1], -each.lo[2]))
            for each in made
        ]
    return made


def _flip_x(part: Part) -> Part:
    return part._replace(lo=(-part.hi[0], part.lo[1], part.lo[2]), hi=(-part.lo[0], part.hi[1], part.hi[2]))
