"""Where an episode begins: a room whose small things lie elsewhere each time, with all that a task needs."""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec
import numpy as np

from housemates.benchmarks.alfred.generate.sampling import Sample, possible
from housemates.benchmarks.alfred.tasks.goals import Task, classes, home_type, progress
from housemates.benchmarks.alfred.world.dynamics import FOV_DEG, START_HORIZON_DEG, AlfredWorld
from housemates.home.containment import has_inside
from housemates.home.navigation import cell_of, reachable
from housemates.home.scenes import load
from housemates.home.scenes.contents import make, spot_on, standing
from housemates.home.scenes.tables import tables
from housemates.home.things import GRID_M, Agent, Scene, Thing
from housemates.home.types import object_type
from housemates.home.world import World

MOVED = 0.4
"""The share of the things that the task is not about which lie elsewhere than in the room as it comes."""
TRIES = 12
OPEN_AT_START = ("Box", "Laptop")
SWITCHED_OFF = ("DeskLamp", "FloorLamp", "Faucet", "Microwave", "CoffeeMachine", "Toaster", "StoveKnob")


def draw_start(sample: Sample, rng: np.random.Generator) -> Scene | None:
    """A start for a task in a room; None if no place was found for something that the task needs."""
    task, room = sample.task, load(sample.scene)
    world = World(empty_room(room))
    rest = [thing for thing in room.things if thing.can("pickup")]
    needed = needed_types(task)
    stay = [thing for thing in rest if thing.type not in needed and rng.random() > MOVED]
    for thing in _rested(stay):
        world.add(thing)
    moving = [thing for thing in rest if thing.id not in world.things]
    for thing in _with_missing(moving, needed, rng):
        _put_somewhere(world, thing, _barred(task, thing.type), rng)
    if any(len(world.of_type(kind)) < count for kind, count in needed.items()):
        return None
    cells = sorted(reachable(world, cell_of(room.agent)))
    cell = cells[int(rng.integers(len(cells)))]
    agent = Agent(
        x=cell.x * GRID_M,
        z=cell.z * GRID_M,
        rotation=90 * int(rng.integers(4)),
        horizon=START_HORIZON_DEG,
        fov=FOV_DEG,
    )
    scene = msgspec.structs.replace(world.scene, things=tuple(world.things.values()), agent=agent)
    return scene if progress(task, AlfredWorld(scene)).met == 0 else None


def empty_room(room: Scene) -> Scene:
    """A room without what can be carried, all shut, with lamps, faucets and appliances off."""
    fixed = [_at_rest(thing) for thing in room.things if not thing.can("pickup")]
    agent = msgspec.structs.replace(room.agent, fov=FOV_DEG, horizon=START_HORIZON_DEG)
    return msgspec.structs.replace(room, things=tuple(fixed), agent=agent)


def _at_rest(thing: Thing) -> Thing:
    on = thing.on and thing.type not in SWITCHED_OFF
    is_open = thing.open and not has_inside(thing)
    return msgspec.structs.replace(thing, on=on, open=is_open, liquid="")


def movable(thing: Thing) -> Thing:
    """A small thing as it is at every start: clean, empty, off, of the temperature of its place."""
    return msgspec.structs.replace(
        thing, open=thing.type in OPEN_AT_START, on=False, dirty=False, liquid="", cooked=False, broken=False
    )


def _rested(things: list[Thing]) -> Iterator[Thing]:
    """The things that stay where they are: those that lie on furniture, and on what stays itself."""
    kept: set[str] = set()
    for thing in sorted(things, key=lambda each: len(each.parents)):
        holder = thing.parents[0] if thing.parents else ""
        if object_type(holder.split("|")[0]).can("pickup") and holder not in kept:
            continue
        kept.add(thing.id)
        yield movable(thing)


def needed_types(task: Task) -> dict[str, int]:
    """How many things of which types a task needs at the start."""
    need = {home_type(task.object_target): 1}
    if task.type == "pick_two_obj_and_place" and not task.object_sliced:
        need[home_type(task.object_target)] = 2
    if task.mrecep_target:
        need[home_type(task.mrecep_target)] = 1
    if task.object_sliced:
        need["Knife"] = 1
    return need


def _with_missing(things: list[Thing], needed: dict[str, int], rng: np.random.Generator) -> list[Thing]:
    """The things to be put, with new ones of the types of which there are too few, the largest first."""
    found = list(things)
    for kind, count in needed.items():
        missing = count - sum(thing.type == kind for thing in found)
        found += [make(object_type(kind), rng) for _ in range(missing)]
    return sorted(found, key=lambda thing: (thing.type not in needed, -math.prod(thing.size)))


def _barred(task: Task, kind: str) -> tuple[str, ...]:
    """Receptacles where a thing must not lie at the start, as the task would be half done."""
    asked = {home_type(task.object_target), home_type(task.mrecep_target)}
    places = (home_type(task.parent_target), *classes().movable) if kind in asked else ()
    return (*places, "GarbageCan", "Microwave")


def _put_somewhere(world: World, thing: Thing, barred: tuple[str, ...], rng: np.random.Generator) -> None:
    """Put a thing to a random place where such things lie; if none is free it is left out."""
    thing = movable(thing)
    found = tables().found.get(thing.type, thing.kind.found)
    also = next((where for name, where in possible().goes.items() if home_type(name) == thing.type), ())
    kinds = [kind for kind in dict.fromkeys((*found, *also)) if kind not in barred and world.of_type(kind)]
    for _ in range(TRIES if kinds else 0):
        options = world.of_type(kinds[int(rng.integers(len(kinds)))])
        receptacle = options[int(rng.integers(len(options)))]
        if not _takes(world, receptacle, thing.type):
            continue
        spot = spot_on(world, thing, receptacle, rng)
        if spot is None:
            continue
        placed = standing(world, thing, receptacle, spot._replace(yaw=round(spot.yaw % 360, 4)))
        if placed.id not in world.things:
            world.add(placed)
            return


def _takes(world: World, receptacle: Thing, kind: str) -> bool:
    crowd = tables().crowd
    limit = receptacle.kind.capacity or crowd.get(receptacle.type, crowd["other"])
    allowed = not receptacle.kind.holds or kind in receptacle.kind.holds
    return allowed and len(world.contents(receptacle)) < limit
