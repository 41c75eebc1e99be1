"""Where a thing can be put down on a receptacle whose zones are known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from housemates.home.outlines import Outlines, touching
from housemates.home.things import REACH_M, Thing, Zone, to_world, turned
from housemates.home.tilt import TILTS, tilted, upright
from housemates.home.types import Vec

Array = npt.NDArray[np.float64]

PARTS = 8
"""Into how many parts a zone is divided each way; things stand at the inner corners."""
TURNS = (0.0, 90.0, 180.0, 270.0)
"""How a thing may be turned against a zone, in the order in which it is tried."""
TILTED_TURNS = (0.0, 90.0, 180.0)
ABOVE_M = 0.005
"""How far above the surface things are put."""
REST_M = 0.003
"""What is lower than this above the surface is in nobody's way."""
TALL = 1.2
"""What is so much higher than it is wide is always put upright, and so is what holds something."""
AT_ONCE = 16
"""Places that are looked at together, as most often one of the nearest will do."""


class Spot(NamedTuple):
    """Where a thing comes to stand, and whether it is turned over there."""

    position: Vec
    yaw: float
    tilt: str = ""


class Way(NamedTuple):
    """A way for a thing to stand or lie on a zone."""

    body: Thing
    turn: float
    half_x: float
    half_z: float
    pivot_x: float
    pivot_z: float
    height: float


class Places(NamedTuple):
    """Places of one zone, in its own frame and in the world."""

    x: Array
    z: Array
    world: Array
    """(N, 3)."""


def spot_in_zones(
    thing: Thing,
    receptacle: Thing,
    near: Vec,
    around: Outlines,
    reach_from: Vec | None = None,
    walled: bool = False,
    level: float = 1.0,
) -> Spot | None:
    """The nearest place on a receptacle's zones at which a thing can stand.

    At each place it is turned, and at last turned over, until nothing is in its way; if it sticks out of
    the zone then, the place will not do. Where there are walls around, they are in the way of what would
    stick out.

    Args:
        thing: What is to be put down.
        receptacle: It has zones.
        near: A point of the world.
        around: What stands in the way.
        reach_from: If given, places farther than an arm's length from here do not count.
        walled: Whether there are walls around the zones, as in a basin or a cabinet.
        level: The share of a zone, around its middle, that is level; things must not stick out of it.
    """
    ways = _ways(upright(thing))
    found: list[tuple[float, Spot]] = []
    for zone in receptacle.zones:
        places = _places(receptacle, zone)
        away = np.sqrt(((places.world - near) ** 2).sum(axis=1))
        if reach_from is not None:
            away[((places.world - reach_from) ** 2).sum(axis=1) > REACH_M**2] = np.inf
        away[away >= min((best[0] for best in found), default=np.inf)] = np.inf
        order = np.argsort(away, kind="stable")[: int(np.isfinite(away).sum())]
        for start in range(0, len(order), AT_ONCE):
            which = order[start : start + AT_ONCE]
            some = Places(*(each[which] for each in places))
            chosen = _first_fit(ways, receptacle, zone, some, around, walled, level)
            if chosen is not None:
                found.append((float(away[which[chosen[0]]]), chosen[1]))
                break
    return min(found, key=lambda each: each[0])[1] if found else None


def spot_at(thing: Thing, receptacle: Thing, zone: Zone) -> Spot:
    """Where a thing stands in the middle of a zone."""
    way = _way(upright(thing), 0.0)
    x, z = (zone.x0 + zone.x1) / 2 - way.pivot_x, (zone.z0 + zone.z1) / 2 - way.pivot_z
    return _spot(way, receptacle, zone, x, z)


def _places(receptacle: Thing, zone: Zone) -> Places:
    shares = np.arange(1, PARTS) / PARTS
    x, z = zone.x0 + shares * (zone.x1 - zone.x0), zone.z0 + shares * (zone.z1 - zone.z0)
    x, z = np.repeat(x, PARTS - 1), np.tile(z, PARTS - 1)
    sine, cosine = turned(0.0, 1.0, receptacle.yaw + zone.yaw)
    base = receptacle.position
    height = np.full(len(x), base[1] + zone.y)
    world = np.stack([base[0] + x * cosine + z * sine, height, base[2] + z * cosine - x * sine], axis=1)
    return Places(x, z, world)


def _ways(thing: Thing) -> list[Way]:
    """All ways for a thing to stand or lie, in the order in which they are tried."""
    ways = [_way(thing, turn) for turn in TURNS]
    kind, (width, height, depth) = thing.kind, thing.size
    if kind.can("receptacle") or kind.can("fill") or height > TALL * max(width, depth):
        return ways
    bodies = [tilted(thing, tilt) for tilt in TILTS]
    return ways + [_way(body, turn) for turn in TILTED_TURNS for body in bodies]


def _way(body: Thing, turn: float) -> Way:
    half_x, half_z = body.size[0] / 2, body.size[2] / 2
    if turn in (90.0, 270.0):
        half_x, half_z = half_z, half_x
    height = max(part.hi[1] for part in body.shape_parts())
    return Way(body, turn, half_x, half_z, *turned(body.pivot[0], body.pivot[2], turn), height)


def _first_fit(
    ways: list[Way],
    receptacle: Thing,
    zone: Zone,
    places: Places,
    around: Outlines,
    walled: bool,
    level: float,
) -> tuple[int, Spot] | None:
    """Which of the places is the first that will do, and how the thing stands there."""
    base, yaw = receptacle.position[1] + zone.y, receptacle.yaw + zone.yaw
    sine, cosine = turned(0.0, 1.0, yaw)
    undecided = np.ones(len(places.x), dtype=bool)
    best: tuple[int, Way] | None = None
    for way in ways:
        which = np.flatnonzero(undecided)
        if not len(which):
            break
        x = places.world[which, 0] - way.pivot_x * cosine - way.pivot_z * sine
        z = places.world[which, 2] - way.pivot_z * cosine + way.pivot_x * sine
        others = around.between(base + REST_M, base + way.height)
        free = which[~touching(x, z, way.half_x, way.half_z, yaw, others)]
        inside = free[_inside(places.x[free] - way.pivot_x, places.z[free] - way.pivot_z, way, zone, level)]
        undecided[inside if walled else free] = False
        if len(inside) and (best is None or inside[0] < best[0]):
            best = (int(inside[0]), way)
            undecided[best[0] :] = False
    if best is None:
        return None
    index, way = best
    return index, _spot(
        way, receptacle, zone, float(places.x[index]) - way.pivot_x, float(places.z[index]) - way.pivot_z
    )


def _inside(x: Array, z: Array, way: Way, zone: Zone, level: float) -> npt.NDArray[np.bool_]:
    """Whether a thing with its middle at these places of the zone's frame does not stick out."""
    half_x, half_z = level * (zone.x1 - zone.x0) / 2, level * (zone.z1 - zone.z0) / 2
    wide = np.abs(x - (zone.x0 + zone.x1) / 2) + way.half_x < half_x
    deep: npt.NDArray[np.bool_] = np.abs(z - (zone.z0 + zone.z1) / 2) + way.half_z < half_z
    return wide & deep


def _spot(way: Way, receptacle: Thing, zone: Zone, x: float, z: float) -> Spot:
    local_x, local_z = turned(x, z, zone.yaw)
    position = to_world(receptacle, (local_x, zone.y, local_z))
    return Spot(position, (receptacle.yaw + zone.yaw + way.turn) % 360, way.body.tilt)
