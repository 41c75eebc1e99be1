"""The soft shadows of what stands on level ground: dark where it touches, fading out around it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.home.outlines import ROUND
from housemates.home.shapes import Part
from housemates.home.things import Scene, Structure, Thing, to_world, turned
from housemates.home.types import Vec
from housemates.render.materials import material
from housemates.render.raster import Shadows

Rows = NDArray[np.float32]
"""(N, 11): shadows in the world, each with its spot and its form."""
NO_ROWS: Rows = np.empty((0, 11), np.float32)

TOUCHES_M = 0.03
"""What begins no higher than this above the ground touches it."""
FLAT_M = 0.004
"""What is no thicker lies on the ground like paint."""
SAME_FOOT = 0.6
"""Share of a part's outline in a larger one's from which on both are one foot."""
SPANS = 0.8
"""Share of a thing's width and depth that parts must have to be the sides of one body."""
OVERHANGS = 0.6
"""A thing whose feet take no more than this share of its outline also shades the ground beneath it."""
BROAD = 0.4
"""Share of its largest part's outline that a part must have to count for how high above the ground it is."""
STUMPS_M = 0.15
"""Legs so short that the shadow of what they carry hides their own."""
OVER = 0.5
"""Share of a foot's outline that a part above it must cover to add to its height."""
DARKEST, BENEATH, SLIGHTEST = 0.6, 0.5, 0.04
"""How much light a foot, and what is just above the ground, takes away; what takes less casts no shadow."""
THIN_M = 0.03
"""What is thinner casts a weaker shadow."""
LIFTED_M = 0.75
"""How far above the ground something takes away about a third of what it would just above it."""
LEAST_REACH_M, MOST_REACH_M = 0.012, 0.16
"""How wide the soft edge of a foot's shadow is."""
REACH_PER_HEIGHT, REACH_PER_WIDTH = 0.35, 0.4
BULGE = 0.3
"""Share of its radius with which a ball or a bowl does not touch the ground."""
NOBODY = (1 << 32) - 1
"""Owner of the building's shadows, which fall on the building's own floor."""
WALL_REACH_M, WALL_STRENGTH = 0.25, 0.3


class Blob(NamedTuple):
    """A dark rectangle with round corners and a soft edge, in the frame of what casts it."""

    x: float
    z: float
    half_x: float
    half_z: float
    corner: float
    """Radius of its corners."""
    reach: float
    """How wide its soft edge is."""
    strength: float
    """Share of the light that it takes away."""


class Cast(NamedTuple):
    """The shadows of a thing, and where they are among all."""

    thing: Thing
    rows: Rows
    run: slice


def cast(
    scene: Scene, things: Iterable[Thing], numbers: Mapping[str, int], known: Mapping[str, Cast]
) -> tuple[Shadows, dict[str, Cast]]:
    """The shadows of a building and of the things in it, all and of each.

    Those of what has not changed are taken from what is known.
    """
    table, made = [building_rows(scene.structures, scene.floor_y)], {}
    first = len(table[0])
    for thing in things:
        before = known.get(thing.id)
        rows = before.rows if before and before.thing is thing else thing_rows(thing, scene)
        made[thing.id] = Cast(thing, rows, slice(first, first + len(rows)))
        table.append(rows)
        first += len(rows)
    joined = np.concatenate(table)
    owners = np.array([NOBODY, *(numbers[name] for name in made)], np.uint32)
    return Shadows(joined[:, :4].copy(), joined[:, 4:].copy(), np.repeat(owners, list(map(len, table)))), made


def recast(shadows: Shadows, scene: Scene, thing: Thing, before: Cast) -> Cast | None:
    """Write the shadows of a thing that has changed into their place; None if they are more or fewer."""
    rows, run = before.rows if before.thing is thing else thing_rows(thing, scene), before.run
    if len(rows) != len(before.rows):
        return None
    shadows.spots[run], shadows.forms[run] = rows[:, :4], rows[:, 4:]
    return Cast(thing, rows, run)


def _levels(scene: Scene) -> Iterator[float]:
    """The heights of floor and counters."""
    yield scene.floor_y
    for thing in scene.things:
        if thing.type == "CounterTop":
            yield thing.position[1]


def _stands(thing: Thing, scene: Scene) -> bool:
    """Whether a thing rests on another, on the floor or, like a faucet, on a counter."""
    low = thing.position[1]
    return bool(thing.parents) or any(abs(low - level) < TOUCHES_M for level in _levels(scene))


def thing_rows(thing: Thing, scene: Scene) -> Rows:
    """The shadows of a thing where it stands."""
    found = blobs(thing.shape_parts()) if _stands(thing, scene) else ()
    if not found:
        return NO_ROWS
    places = [to_world(thing, (blob.x, 0.0, blob.z)) for blob in found]
    return np.array([_placed(*each, thing.yaw) for each in zip(found, places, strict=True)], np.float32)


@lru_cache(maxsize=256)
def building_rows(structures: tuple[Structure, ...], floor_y: float) -> Rows:
    """The shadows of what is built on the floor; walls shade it a little."""
    low = [each for each in structures if each.lo[1] <= floor_y + 2 * TOUCHES_M < each.hi[1]]
    walls = [(each.lo, each.hi) for each in low if material(each.material).wall]
    others = [(each.lo, each.hi) for each in low if not material(each.material).wall]
    boxes = [(lo, hi, WALL_REACH_M, WALL_STRENGTH) for lo, hi in _joined(walls)]
    boxes += [(lo, hi, _reach(hi[0] - lo[0], hi[2] - lo[2], math.inf), DARKEST) for lo, hi in others]
    made = []
    for lo, hi, reach, strength in boxes:
        blob = Blob(0.0, 0.0, (hi[0] - lo[0]) / 2, (hi[2] - lo[2]) / 2, 0.0, reach, strength)
        made.append(_placed(blob, ((lo[0] + hi[0]) / 2, floor_y, (lo[2] + hi[2]) / 2), 0.0))
    return np.array(made, np.float32).reshape(-1, NO_ROWS.shape[1])


def _joined(boxes: Iterable[tuple[Vec, Vec]]) -> list[tuple[Vec, Vec]]:
    """Boxes in a line that touch, as one; their heights do not matter."""
    made: list[tuple[Vec, Vec]] = []
    for lo, hi in sorted(boxes):
        for number, (low, high) in enumerate(made):
            in_line = any(
                low[side] == lo[side] and high[side] == hi[side] and lo[along] <= high[along]
                for side, along in ((0, 2), (2, 0))
            )
            if in_line:
                made[number] = (low, (max(high[0], hi[0]), high[1], max(high[2], hi[2])))
                break
        else:
            made.append((lo, hi))
    return made


def _placed(blob: Blob, middle: Vec, yaw: float) -> tuple[float, ...]:
    """A shadow in the world: what `Shadows` has as its spot and its form."""
    sine, cosine = turned(0.0, 1.0, yaw)
    radius = math.hypot(blob.half_x + blob.reach, blob.half_z + blob.reach)
    inner_x, inner_z = blob.half_x - blob.corner, blob.half_z - blob.corner
    strength = 256.0 * blob.strength
    return (*middle, radius, sine, cosine, inner_x, inner_z, blob.corner, blob.reach, strength)


@lru_cache(maxsize=4096)
def blobs(parts: tuple[Part, ...]) -> tuple[Blob, ...]:
    """The shadows of a thing on the ground at its base: of its feet, and of what is above them."""
    solid = [part for part in parts if part.hi[1] > FLAT_M and part.lo[1] > -TOUCHES_M and _area(part) > 0.0]
    feet = _feet([part for part in solid if part.lo[1] <= TOUCHES_M])
    made = [_contact(foot, _height(foot, solid)) for foot in feet]
    rest = [part for part in solid if part.lo[1] > TOUCHES_M]
    if rest and sum(map(_area, feet)) <= OVERHANGS * _area(_around(solid)):
        lift = min(part.lo[1] for part in rest if _area(part) >= BROAD * max(map(_area, rest)))
        made = [*(made if lift > STUMPS_M else []), _shade(rest, lift)]
    return tuple(blob for blob in made if blob.strength >= SLIGHTEST)


def _feet(parts: Sequence[Part]) -> list[Part]:
    """The parts that touch the ground, without those within others; one if they are a body."""
    found: list[Part] = []
    for part in sorted(parts, key=_area, reverse=True):
        if all(_shared(part, other) < SAME_FOOT * _area(part) for other in found):
            found.append(part)
    if len(found) > 1:
        whole = _around(found)
        if _area(found[0]) > SAME_FOOT * _area(whole):
            return found[:1]
        wide = any(part.hi[0] - part.lo[0] > SPANS * (whole.hi[0] - whole.lo[0]) for part in found)
        deep = any(part.hi[2] - part.lo[2] > SPANS * (whole.hi[2] - whole.lo[2]) for part in found)
        if wide and deep:
            return [whole]
    return found


def _height(foot: Part, parts: Sequence[Part]) -> float:
    """How high a foot is with the parts above it that are as broad; as the whole if none is."""
    broad = [part for part in parts if _shared(foot, part) >= OVER * _area(foot)]
    return max(part.hi[1] for part in broad or parts)


def _contact(foot: Part, height: float) -> Blob:
    """The shadow of a foot that carries something of this height."""
    width, depth = foot.hi[0] - foot.lo[0], foot.hi[2] - foot.lo[2]
    reach = _reach(width, depth, height)
    half_x, half_z = width / 2, depth / 2
    if foot.kind in ("ellipsoid", "bowl"):
        away = BULGE * min(half_x, half_z)
        half_x, half_z, reach = half_x - away, half_z - away, reach + away
    corner = min(half_x, half_z) if _is_round(foot) else 0.0
    strength = DARKEST * min(1.0, 0.3 + 0.7 * height / THIN_M)
    return Blob(*_middle(foot), half_x, half_z, corner, reach, strength)


def _shade(parts: Sequence[Part], lift: float) -> Blob:
    """The shadow of what does not touch the ground: the higher, the softer and weaker."""
    whole = _around(parts)
    half_x, half_z = (whole.hi[0] - whole.lo[0]) / 2, (whole.hi[2] - whole.lo[2]) / 2
    inset = min(half_x, half_z, lift / 4)
    corner = min(half_x, half_z) - inset if _is_round(max(parts, key=_area)) else 0.0
    covered = min(1.0, sum(map(_area, parts)) / _area(whole))
    strength = BENEATH * covered * math.exp(-lift / LIFTED_M)
    reach = LEAST_REACH_M + lift / 2
    return Blob(*_middle(whole), half_x - inset, half_z - inset, corner, reach, strength)


def _reach(width: float, depth: float, height: float) -> float:
    """How wide the soft edge around a foot is: wider around large and high things."""
    wanted = min(REACH_PER_HEIGHT * height, LEAST_REACH_M + REACH_PER_WIDTH * min(width, depth))
    return min(max(wanted, LEAST_REACH_M), MOST_REACH_M)


def _middle(part: Part) -> tuple[float, float]:
    return (part.hi[0] + part.lo[0]) / 2, (part.hi[2] + part.lo[2]) / 2


def _is_round(part: Part) -> bool:
    return part.kind in ROUND and (part.axis == "y" or part.kind == "ellipsoid")


def _area(part: Part) -> float:
    """Of a part's outline; a part may have no width or depth."""
    return max(part.hi[0] - part.lo[0], 0.0) * max(part.hi[2] - part.lo[2], 0.0)


def _shared(part: Part, other: Part) -> float:
    """Area that the outlines of both have in common."""
    across = min(part.hi[0], other.hi[0]) - max(part.lo[0], other.lo[0])
    along = min(part.hi[2], other.hi[2]) - max(part.lo[2], other.lo[2])
    return max(across, 0.0) * max(along, 0.0)


def _around(parts: Sequence[Part]) -> Part:
    """The box around some parts."""
    low = [min(part.lo[axis] for part in parts) for axis in range(3)]
    high = [max(part.hi[axis] for part in parts) for axis in range(3)]
    return Part("box", (low[0], low[1], low[2]), (high[0], high[1], high[2]))
