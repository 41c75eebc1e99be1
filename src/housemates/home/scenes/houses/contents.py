"""What hangs on the walls of a house, and what lies on and in its furniture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from housemates.home.placement import find_spot, surfaces
from housemates.home.scenes.contents import standing
from housemates.home.scenes.houses.assets import drawn
from housemates.home.scenes.houses.records import Object
from housemates.home.scenes.houses.shell import SLAB_M, Side
from housemates.home.scenes.houses.site import Site
from housemates.home.scenes.tables import tables
from housemates.home.scenes.validate import entered
from housemates.home.things import Thing, object_id, opening_shift
from housemates.home.types import object_type
from housemates.home.world import World, rounded
from housemates.home.zones import Spot

ON_WALL_M = 0.8
"""What is farther from a wall does not hang on it."""
STEPS = 20
"""How many steps of 10 cm a thing is moved along its wall, either way, where something else is."""
NEAREST = 6
"""How many other receptacles are tried where the thing's own has no room."""
AWAY_M = 2.5


def made(each: Object, kind: str) -> Thing:
    """The thing that an object is, with its states, not yet in its place."""
    row = object_type(kind)
    sizes = tables().sizes.small.get(kind) or tables().sizes.furniture.get(kind) or (row.size,)
    thing = Thing(
        id="",
        type=kind,
        position=(0.0, 0.0, 0.0),
        size=sizes[drawn(each.asset_id, len(sizes))],
        look=drawn(each.asset_id, len(row.looks)),
        name=each.id,
    )
    return msgspec.structs.replace(thing, **states(each, kind))


def states(each: Object, kind: str) -> dict[str, bool]:
    """The states that an object says it has, where its type has them."""
    row = object_type(kind)
    is_open = (each.openness or 0.0) >= 0.5 and row.can("open")
    return {
        "open": is_open,
        "on": bool(each.is_on) and row.can("toggle") and not (is_open and row.closed_while_on),
        "dirty": bool(each.is_dirty) and row.can("dirty"),
    }


def hang(site: Site, sides: Sequence[Side], each: Object, kind: str) -> Thing | None:
    """Hang an object on the wall next to it; None if there is none, or no room on it."""
    thing, where = made(each, kind), each.position
    found = min(
        ((away, side, u) for side in sides if side.inward for away, u in [_beside(side, where.x, where.z)]),
        key=lambda row: row[0],
        default=None,
    )
    if found is None or found[0] > ON_WALL_M:
        return None
    _, side, u = found
    width, height, depth = thing.size
    if side.line.length < width + 0.1:
        return None
    middle = min(max(u, width / 2 + 0.05), side.line.length - width / 2 - 0.05)
    low = max(min(where.y, side.height - 0.05 - height / 2) - height / 2, 0.0)
    yaw = side.line.yaw if side.inward > 0 else (side.line.yaw + 180.0) % 360
    for shift in sorted((step * 0.1 for step in range(-STEPS, STEPS + 1)), key=abs):
        at = middle + shift
        edges = (at - width / 2 - 0.05, low, at + width / 2 + 0.05, low + height)
        if edges[0] < 0.0 or edges[2] > side.line.length or not side.is_whole(*edges):
            continue
        x, z = side.line.at(at, side.inward * (SLAB_M + 0.002 + depth / 2))
        position = rounded((x, low, z))
        placed = msgspec.structs.replace(thing, id=object_id(kind, position), position=position, yaw=yaw)
        if placed.id not in site.things and site.is_free(placed):
            site.add(placed)
            return placed
    return None


def _beside(side: Side, x: float, z: float) -> tuple[float, float]:
    """How far a point is from a wall, and where along it."""
    line = side.line
    u = (x - line.x) * line.dx + (z - line.z) * line.dz
    v = (z - line.z) * line.dx - (x - line.x) * line.dz
    return math.hypot(v, u - min(max(u, 0.0), line.length)), u


def put(world: World, each: Object, kind: str, own: Iterable[Thing]) -> Thing | None:
    """Put an object on or in its own furniture, else on what is near, else on the floor; None if nowhere."""
    thing, where = made(each, kind), each.position
    at = (where.x, where.y - thing.size[1] / 2, where.z)
    places = [*_by_height(world, own, at[1]), *_near(world, thing, at)]
    for receptacle in dict.fromkeys(place.id for place in places):
        spot = _spot(world, thing, world.things[receptacle], at)
        if spot is None:
            continue
        placed = standing(world, thing, world.things[receptacle], spot)
        if placed.id not in world.things and not entered(world, placed):
            world.add(placed)
            return placed
    return None


def _by_height(world: World, own: Iterable[Thing], low: float) -> list[Thing]:
    """The receptacles of a piece, those first whose surface is nearest to a height."""

    def away(thing: Thing) -> float:
        opened = msgspec.structs.replace(thing, open=True)
        levels = [thing.position[1] + surface.y for surface in surfaces(opened)]
        return min((abs(level - low) for level in levels), default=math.inf)

    there = [world.things[thing.id] for thing in own if thing.id in world.things]
    return sorted((thing for thing in there if thing.can("receptacle")), key=away)


def _near(world: World, thing: Thing, at: tuple[float, float, float]) -> Iterator[Thing]:
    """Receptacles near a place where such things are kept, the floor last."""
    kept = tables().found.get(thing.type, object_type(thing.type).found)
    near = [
        (math.dist(other.position, at), other.id)
        for name in kept
        for other in world.of_type(name)
        if name != "Floor" and math.dist(other.position, at) < AWAY_M
    ]
    yield from (world.things[name] for _, name in sorted(near)[:NEAREST])
    if "Floor" in kept or thing.kind.can("move"):
        yield from sorted(
            world.of_type("Floor"), key=lambda floor: math.dist(floor.position, (at[0], 0.0, at[2]))
        )[:1]


def _spot(world: World, thing: Thing, receptacle: Thing, at: tuple[float, float, float]) -> Spot | None:
    """The free spot on a receptacle nearest to a place; in one that is shut, as it lies there."""
    kind = receptacle.kind
    if (kind.holds and thing.type not in kind.holds) or receptacle.type.endswith("Basin"):
        return None
    if kind.capacity and len(world.contents(receptacle)) >= kind.capacity:
        return None
    shut = receptacle.can("open") and not receptacle.open
    opened = msgspec.structs.replace(receptacle, open=True) if shut else receptacle
    shift = opening_shift(receptacle) if shut else (0.0, 0.0, 0.0)
    near = (at[0] + shift[0], at[1] + shift[1], at[2] + shift[2])
    spot = find_spot(world, thing, opened, near)
    if spot is None:
        return None
    x, y, z = spot.position
    return Spot((x - shift[0], y - shift[1], z - shift[2]), spot.yaw, spot.tilt)
