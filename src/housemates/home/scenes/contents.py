"""Small things: which there are, where they lie, in what state they start."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import msgspec
import numpy as np

from housemates.home.placement import find_spot, surfaces
from housemates.home.scenes.plan import NoRoom, RoomPlan
from housemates.home.scenes.tables import RoomTable, tables
from housemates.home.scenes.validate import entered
from housemates.home.things import Thing, object_id, opening_shift, to_world
from housemates.home.types import ObjectType, object_type
from housemates.home.world import World, parents_on, rounded
from housemates.home.zones import Spot

TRIES = 24
SCALE = (0.94, 1.06)
"""How much smaller and larger than usual small things are made."""


def fill_with_things(world: World, plan: RoomPlan, table: RoomTable, rng: np.random.Generator) -> None:
    """Put the room's small things where they are kept, the largest first."""
    wanted = [
        (kind, least, int(rng.integers(least, most + 1))) for kind, (least, most) in table.contents.items()
    ]
    wanted.sort(key=lambda row: -math.prod(object_type(row[0]).size))
    for kind, least, count in wanted:
        for number in range(count):
            if not put_somewhere(world, plan, kind, rng) and number < least:
                raise NoRoom(f"no place for a {kind}")


def put_somewhere(world: World, plan: RoomPlan, kind: str, rng: np.random.Generator) -> bool:
    """Make a thing of a type and put it into one of the places where such things are."""
    thing = make(object_type(kind), rng)
    return settle(world, thing, places(world, kind, rng), rng, plan) is not None


def settle(
    world: World,
    thing: Thing,
    receptacles: Iterable[Thing],
    rng: np.random.Generator,
    plan: RoomPlan | None = None,
) -> Thing | None:
    """Bring a thing into the world, into the first of the receptacles that has room for it.

    Args:
        world: Where to.
        thing: What; it is named after the place it gets.
        receptacles: Where it may go; the floor counts only if there is a plan.
        rng: Draws the place on a receptacle.
        plan: The plan of the room, while it is being made.
    """
    for receptacle in receptacles:
        if receptacle.type == "Floor":
            spot = None if plan is None else along_a_wall(plan, thing)
        else:
            spot = spot_on(world, thing, receptacle, rng)
        if spot is None:
            continue
        placed = standing(world, thing, receptacle, spot)
        if placed.id not in world.things and not entered(world, placed):
            world.add(placed)
            return placed
    return None


def standing(world: World, thing: Thing, receptacle: Thing, spot: Spot) -> Thing:
    """The thing as it is on a spot of a receptacle, with the id that it gets there."""
    position = rounded(spot.position)
    return msgspec.structs.replace(
        thing,
        id=object_id(thing.type, position),
        position=position,
        yaw=spot.yaw,
        parents=parents_on(world, receptacle),
        temperature=receptacle.kind.temperature or "RoomTemp",
    )


def make(kind: ObjectType, rng: np.random.Generator) -> Thing:
    """A thing of a type in one of its sizes and looks, open so that nothing is put in the way of its lid."""
    made = tables().sizes.small.get(kind.name)
    width, height, depth = made[int(rng.integers(len(made)))] if made else kind.size
    scale = 1.0 if made else round(float(rng.uniform(*SCALE)), 2)
    size = (round(width * scale, 4), round(height * scale, 4), round(depth * scale, 4))
    look = int(rng.integers(len(kind.looks)))
    return Thing(id="", type=kind.name, position=(0.0, 0.0, 0.0), size=size, look=look, open=kind.can("open"))


def places(world: World, kind: str, rng: np.random.Generator) -> Iterator[Thing]:
    """Receptacles where a thing of this type may be, drawn at random, likelier ones more often."""
    found = tables().found.get(kind, object_type(kind).found)
    there = [name for name in found if world.of_type(name)]
    if not there:
        return
    weights = np.array([1.0 / math.sqrt(1 + rank) for rank in range(len(there))])
    crowd = tables().crowd
    for name in rng.choice(there, size=TRIES, p=weights / weights.sum()).tolist():
        options = world.of_type(name)
        receptacle = options[int(rng.integers(len(options)))]
        held = len(world.contents(receptacle))
        limit = receptacle.kind.capacity or crowd.get(name, crowd["other"])
        allowed = not receptacle.kind.holds or kind in receptacle.kind.holds
        if held < limit and allowed:
            yield receptacle


def along_a_wall(plan: RoomPlan, thing: Thing) -> Spot | None:
    """A place on the floor where nobody walks and nothing opens."""
    width, height, depth = thing.size
    for spot in plan.spots(width + 0.04, depth + 0.02, 0.3, height):
        plan.settle_at(spot, width + 0.04, depth + 0.02, 0.3, height)
        wall = plan.walls[spot.wall]
        x, z = wall.at(spot.u, 0.02 + depth / 2)
        return Spot((x, 0.0, z), wall.yaw)
    return None


def spot_on(world: World, thing: Thing, receptacle: Thing, rng: np.random.Generator) -> Spot | None:
    """A free spot near a random point of a receptacle, as it lies there while that is shut."""
    shut = receptacle.kind.can("open") and not receptacle.open and not receptacle.kind.can("pickup")
    opened = msgspec.structs.replace(receptacle, open=True) if shut else receptacle
    levels = surfaces(opened)
    if not levels:
        return None
    level = levels[int(rng.integers(len(levels)))]
    back, front = tables().near.get(thing.type, (0.0, 1.0))
    x = _within(level.x0, level.x1, thing.size[0] / 2, float(rng.random()))
    z = _within(level.z0, level.z1, thing.size[2] / 2, float(rng.uniform(back, front)))
    local = (x, level.y, z)
    spot = find_spot(world, thing, opened, to_world(opened, local))
    if spot is None or not shut:
        return spot
    there, shift = spot.position, opening_shift(receptacle)
    return Spot((there[0] - shift[0], there[1] - shift[1], there[2] - shift[2]), spot.yaw)


def _within(low: float, high: float, margin: float, share: float) -> float:
    """A place between two edges that keeps a margin to both, if there is one."""
    margin = min(margin, (high - low) / 2)
    return low + margin + share * (high - low - 2 * margin)


def set_states(world: World, rng: np.random.Generator) -> None:
    """Give everything a state to start in: some of it dirty, filled, open or switched on."""
    states = tables().states
    for thing in list(world.things.values()):
        draws = rng.random(4).tolist()
        kind = thing.type
        is_open = draws[0] < states.open.get(kind, 0.0)
        lit = draws[1] < states.on.get(kind, 0.0) and (is_open or kind != "Laptop")
        liquids = states.liquids.get(kind, ("water",))
        full = draws[2] < states.filled.get(kind, 0.0) and not world.contents(thing)
        world.update(
            thing,
            open=is_open,
            on=lit,
            liquid=liquids[int(rng.integers(len(liquids)))] if full else "",
            dirty={"dirty", "pickup"} <= thing.kind.affords and not full and draws[3] < states.dirty,
        )
