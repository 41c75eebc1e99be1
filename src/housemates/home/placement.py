"""Where a thing can be put down: the free spots on a receptacle's supports."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from housemates.home.backdrop import backing
from housemates.home.geometry import bounding_box, part_boxes
from housemates.home.outlines import Outlines, joined, outlines, standing, touching
from housemates.home.shapes import Part
from housemates.home.things import REACH_M, Thing, Zone, to_local, to_world, turned
from housemates.home.types import Vec
from housemates.home.world import World
from housemates.home.zones import ABOVE_M, Spot, spot_at, spot_in_zones

STEP_M = 0.04
GAP_M = 0.004
TURNS = (0.0, 90.0, 180.0, 270.0)
"""How a thing may be turned against its receptacle; the first that fits at the nearest spot is taken."""
SHARES = (1.0, 0.6)
"""The share of its footprint that must be free: all of it, or, as things can be squeezed in, a part."""
OVERHANG = 0.4
"""How much of half its width a thing may stand out over the edge of an open surface."""
LEVEL = {"Plate": 0.85}
"""The share of a dish's zones inside its rim, where that is raised."""
MOST_PILED = 8
"""How many things may pile up in a dish or a basin."""


class Surface(NamedTuple):
    """A level rectangle of a receptacle that carries things, in the receptacle's own frame."""

    x0: float
    z0: float
    x1: float
    z1: float
    y: float
    room: float
    inside: bool


class Footprint(NamedTuple):
    """What is to be put down, in the receptacle's frame: its half width, half depth and height, and where
    its pivot lies from its middle."""

    half_x: float
    half_z: float
    height: float
    pivot_x: float
    pivot_z: float


def surfaces(receptacle: Thing) -> list[Surface]:
    """The surfaces of a thing that can be used in its present state."""
    found = [_surface(part) for part in receptacle.shape_parts() if part.support is not None]
    return [surface for surface in found if receptacle.open or not surface.inside]


def heights(receptacle: Thing) -> list[float]:
    """How high above its base the surfaces of a thing are, as its zones tell or else its parts."""
    return [zone.y - ABOVE_M for zone in receptacle.zones] or [surface.y for surface in surfaces(receptacle)]


def _surface(part: Part) -> Surface:
    support = part.support
    assert support is not None
    inset_x = min(support.inset, (part.hi[0] - part.lo[0]) / 2)
    inset_z = min(support.inset, (part.hi[2] - part.lo[2]) / 2)
    return Surface(
        part.lo[0] + inset_x,
        part.lo[2] + inset_z,
        part.hi[0] - inset_x,
        part.hi[2] - inset_z,
        part.hi[1],
        support.room,
        support.inside,
    )


def find_spot(
    world: World, thing: Thing, receptacle: Thing, near: Vec | None = None, reach_from: Vec | None = None
) -> Spot | None:
    """The free spot for `thing` on `receptacle` that is nearest to a point.

    Args:
        world: What stands in the way is looked up here.
        thing: What is to be put down.
        receptacle: On or in what; it must be open if it can be shut.
        near: A point of the world; the receptacle's middle by default.
        reach_from: If given, spots farther than an arm's length from here do not count.
    """
    target = to_local(receptacle, near if near is not None else receptacle.position)
    if receptacle.kind.snaps:
        return _middle(thing, receptacle)
    around = _around(world, thing, receptacle)
    if is_dish(receptacle) and not receptacle.zones:
        receptacle = msgspec.structs.replace(receptacle, zones=_dish_zones(receptacle))
    if receptacle.zones:
        walled = is_vessel(receptacle) or any(surface.inside for surface in surfaces(receptacle))
        point, level = near or receptacle.position, LEVEL.get(receptacle.type, 1.0)
        known = spot_in_zones(thing, receptacle, point, around, reach_from, walled, level)
        if known is not None or is_dish(receptacle):
            return known or _on_the_pile(world, thing, receptacle, target)
    return _anywhere(world, thing, receptacle, target, around, reach_from)


def _dish_zones(dish: Thing) -> tuple[Zone, ...]:
    """The zone of a dish: around its pivot, as large as its support."""
    x, _, z = dish.pivot
    return tuple(
        Zone(x - wide, z - deep, x + wide, z + deep, surface.y + ABOVE_M)
        for surface in surfaces(dish)
        for wide, deep in [((surface.x1 - surface.x0) / 2, (surface.z1 - surface.z0) / 2)]
    )


def _anywhere(
    world: World,
    thing: Thing,
    receptacle: Thing,
    target: Vec,
    around: Outlines,
    reach_from: Vec | None,
) -> Spot | None:
    """The nearest free place on the surfaces of a receptacle, or on the pile in it."""
    for share in SHARES:
        best: tuple[float, Spot] | None = None
        for foot, turn in _ways_to_stand(thing, share).items():
            for surface in surfaces(receptacle):
                if best is not None and abs(surface.y - target[1]) >= best[0]:
                    continue
                found = _nearest_free(surface, foot, around, target, receptacle, reach_from)
                if found is not None and (best is None or found[0] < best[0] - 1e-6):
                    x, z = found[1]
                    yaw = (receptacle.yaw + turn) % 360
                    best = (found[0], Spot(to_world(receptacle, (x, surface.y, z)), yaw))
        if best is not None:
            return best[1]
    return _on_the_pile(world, thing, receptacle, target)


def _middle(thing: Thing, receptacle: Thing) -> Spot | None:
    """The one place of a machine or burner; a slice stands along the slot."""
    if receptacle.zones:
        return spot_at(thing, receptacle, receptacle.zones[0])
    for surface in surfaces(receptacle):
        middle = ((surface.x0 + surface.x1) / 2, surface.y, (surface.z0 + surface.z1) / 2)
        along = (thing.size[0] > thing.size[2]) == (surface.x1 - surface.x0 >= surface.z1 - surface.z0)
        turn = 0.0 if along or thing.kind.can("receptacle") else 90.0
        return Spot(to_world(receptacle, middle), (receptacle.yaw + turn) % 360)
    return None


def _ways_to_stand(thing: Thing, share: float) -> dict[Footprint, float]:
    """The different footprints a thing can have, each with the first turn that gives it."""
    ways: dict[Footprint, float] = {}
    for turn in TURNS:
        ways.setdefault(_footprint(thing, turn, share), turn)
    return ways


def _footprint(thing: Thing, turn: float, share: float = 1.0) -> Footprint:
    half_x, half_z = thing.size[0] * share / 2, thing.size[2] * share / 2
    height = max(part.hi[1] for part in thing.shape_parts())
    pivot_x, pivot_z = turned(thing.pivot[0], thing.pivot[2], turn)
    if turn in (90.0, 270.0):
        half_x, half_z = half_z, half_x
    return Footprint(half_x, half_z, height, pivot_x, pivot_z)


def _around(world: World, thing: Thing, receptacle: Thing) -> Outlines:
    """The outlines of what stands near a receptacle."""
    skip = {thing.id, receptacle.id, *(other.id for other in world.ancestors(receptacle))}
    skip.update(other.id for other in world.contents_deep(thing))
    vessel = is_vessel(receptacle)
    lo, hi = bounding_box(receptacle)
    found = []
    for other in world.things.values():
        x, _, z = other.position
        size = other.size[0] + other.size[2]
        if not (lo[0] - size < x < hi[0] + size and lo[2] - size < z < hi[2] + size):
            continue
        if other.id in skip or not other.solid or other.type == "Floor" or world.in_hand(other):
            continue
        if not vessel or other.kind.can("pickup"):
            found.append(outlines(other))
    found.append(backing(world, receptacle))
    if receptacle.type == "Floor":
        found += [standing(structure) for structure in world.scene.structures]
    return joined(found)


def _in_frame(boxes: npt.NDArray[np.float64], receptacle: Thing) -> npt.NDArray[np.float64]:
    """World boxes as boxes of the receptacle's frame."""
    cosine, sine = turned(1.0, 0.0, -receptacle.yaw)
    middle_x = (boxes[:, 0] + boxes[:, 3]) / 2 - receptacle.position[0]
    middle_z = (boxes[:, 2] + boxes[:, 5]) / 2 - receptacle.position[2]
    half_x, half_z = (boxes[:, 3] - boxes[:, 0]) / 2, (boxes[:, 5] - boxes[:, 2]) / 2
    x, z = middle_x * cosine - middle_z * sine, middle_z * cosine + middle_x * sine
    wide = half_x * abs(cosine) + half_z * abs(sine)
    deep = half_x * abs(sine) + half_z * abs(cosine)
    base = receptacle.position[1]
    return np.stack([x - wide, boxes[:, 1] - base, z - deep, x + wide, boxes[:, 4] - base, z + deep], axis=1)


def _nearest_free(
    surface: Surface,
    foot: Footprint,
    around: Outlines,
    target: Vec,
    receptacle: Thing,
    reach_from: Vec | None,
) -> tuple[float, tuple[float, float]] | None:
    """The free place on one surface nearest to the target, with its distance."""
    if foot.height > surface.room:
        return None
    x, z = _places(surface, foot, receptacle, target)
    if reach_from is not None:
        eye = to_local(receptacle, reach_from)
        near = (x - eye[0]) ** 2 + (z - eye[2]) ** 2 + (surface.y - eye[1]) ** 2 <= REACH_M**2
        x, z = x[near], z[near]
    away_x, away_z = x + foot.pivot_x - target[0], z + foot.pivot_z - target[2]
    distance = np.sqrt(away_x**2 + away_z**2 + (surface.y - target[1]) ** 2)
    order = np.argsort(distance, kind="stable")
    x, z, distance = x[order], z[order], distance[order]
    base = receptacle.position[1] + surface.y
    free = _free(x, z, foot, receptacle, around.between(base + GAP_M, base + foot.height))
    return (float(distance[free]), (float(x[free]), float(z[free]))) if free is not None else None


def _places(
    surface: Surface, foot: Footprint, receptacle: Thing, target: Vec
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """x and z of the places on a fine lattice where the middle of a thing may come to lie."""
    keep = 0.0 if is_vessel(receptacle) else 1.0 if surface.inside else 1.0 - OVERHANG
    xs = _candidates(surface.x0, surface.x1, foot.half_x * keep, target[0])
    zs = _candidates(surface.z0, surface.z1, foot.half_z * keep, target[2])
    return np.repeat(xs, len(zs)), np.tile(zs, len(xs))


def _candidates(low: float, high: float, margin: float, target: float) -> npt.NDArray[np.float64]:
    """Places along one side that keep the margin: the one nearest to the target, and steps to both sides."""
    low, high = low + margin, high - margin
    if low > high:
        return np.empty(0)
    middle = min(max(target, low), high)
    before, after = int((middle - low) / STEP_M), int((high - middle) / STEP_M)
    return middle + STEP_M * np.arange(-before, after + 1, dtype=np.float64)


def _free(
    x: npt.NDArray[np.float64],
    z: npt.NDArray[np.float64],
    foot: Footprint,
    receptacle: Thing,
    around: Outlines,
) -> int | None:
    """Index of the first place, in the receptacle's frame, where the footprint touches nothing around."""
    sine, cosine = turned(0.0, 1.0, receptacle.yaw)
    x, z = receptacle.position[0] + x * cosine + z * sine, receptacle.position[2] + z * cosine - x * sine
    wide, deep = foot.half_x + GAP_M, foot.half_z + GAP_M
    for start in range(0, len(x), 64):
        places = slice(start, start + 64)
        found = np.flatnonzero(~touching(x[places], z[places], wide, deep, receptacle.yaw, around))
        if len(found):
            return start + int(found[0])
    return None


def _on_the_pile(world: World, thing: Thing, receptacle: Thing, target: Vec) -> Spot | None:
    """The lowest place on top of what lies in a vessel already, near the target."""
    if not is_vessel(receptacle) or len(world.contents(receptacle)) >= MOST_PILED:
        return None
    lying = [_in_frame(part_boxes(other), receptacle) for other in world.contents(receptacle)]
    boxes = np.concatenate(lying) if lying else np.empty((0, 6))
    foot = _footprint(thing, 0.0)
    best: tuple[float, float, Vec] | None = None
    for surface in surfaces(receptacle):
        if min(foot.half_x, foot.half_z) > surface.x1 - surface.x0:
            continue
        for x in _candidates(surface.x0, surface.x1, 0.0, target[0]):
            for z in _candidates(surface.z0, surface.z1, 0.0, target[2]):
                top = _top_under(boxes, float(x), float(z), foot, surface.y)
                away = math.hypot(x - target[0], z - target[2])
                if best is None or (top + 3 * away, away) < best[:2]:
                    best = (top + 3 * away, away, (float(x), top, float(z)))
    return Spot(to_world(receptacle, best[2]), receptacle.yaw) if best is not None else None


def _top_under(boxes: npt.NDArray[np.float64], x: float, z: float, foot: Footprint, floor: float) -> float:
    """How high the things reach that lie under a footprint, which may overlap them by half."""
    wide, deep = foot.half_x / 2, foot.half_z / 2
    under = (
        (boxes[:, 0] < x + wide)
        & (boxes[:, 3] > x - wide)
        & (boxes[:, 2] < z + deep)
        & (boxes[:, 5] > z - deep)
    )
    return max(floor, float(boxes[under, 4].max())) if under.any() else floor


def is_dish(thing: Thing) -> bool:
    """Whether it is a plate, a bowl, a pan or the like."""
    return thing.kind.can("pickup") and not thing.kind.can("open")


def is_vessel(thing: Thing) -> bool:
    """Whether things pile up in it: dishes and basins."""
    return is_dish(thing) or thing.type.endswith("Basin")


def overlapping(world: World) -> Iterator[tuple[Thing, Thing]]:
    """Pairs of things of which parts go through each other by more than a centimetre."""
    solid = [thing for thing in world.things.values() if thing.solid and not world.in_hand(thing)]
    boxes = [part_boxes(thing) for thing in solid]
    for i, first in enumerate(solid):
        for j in range(i + 1, len(solid)):
            a, b = boxes[i][:, None], boxes[j][None]
            deep = np.minimum(a[..., 3:], b[..., 3:]) - np.maximum(a[..., :3], b[..., :3])
            if (deep > 0.01).all(axis=-1).any():
                yield first, solid[j]
