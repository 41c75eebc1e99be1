"""Touching things as AI2-THOR's agents do: the rows of `actions.toml`, putting down, slicing, using up."""

from __future__ import annotations

import math
from functools import cache, partial
from itertools import chain
from typing import NamedTuple

import msgspec

from housemates.benchmarks.teach.world.pointing import aim, resolve
from housemates.files import shipped
from housemates.home.actions import ACTIONS, force
from housemates.home.containment import is_shut
from housemates.home.geometry import bounding_box, in_view, nearest_distance
from housemates.home.interactions import cut_up
from housemates.home.placement import surfaces
from housemates.home.rules import follow
from housemates.home.scenes.plans.puts import Recalled, recalled
from housemates.home.things import Thing, to_local, to_world, turned
from housemates.home.types import Vec
from housemates.thor.arguments import Arguments
from housemates.thor.replies import MISSING_ARGUMENTS, Refused
from housemates.thor.simulation import Simulation, answers

LIQUIDS = ("water", "coffee", "wine")
WALL_M = 0.05
"""How thick the rounded walls of a basin are at its bottom."""
FLAT_M = 0.05
LONG = 2.5
"""What is so many times as long as it is wide points somewhere when it lies."""
ARM_M = 0.75
"""How far before the agent things are put down where no point is given."""


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One row of `actions.toml`; see there for what each column means."""

    does: str
    lacking: str
    refused: str
    already: str = ""


def thing_named(simulation: Simulation, name: str) -> Thing:
    """The thing of an id, if it is there."""
    thing = simulation.world.things.get(name)
    if thing is None or not thing.solid:
        raise Refused("Object ID appears to be invalid.", "ObjectNotFound")
    return thing


def target(simulation: Simulation, arguments: Arguments) -> Thing:
    """The thing that an action is meant for: of this id, or where a ray from the picture meets one."""
    if "objectId" in arguments:
        thing = thing_named(simulation, arguments["objectId"])
    elif "x" in arguments and "y" in arguments:
        frame = simulation.stage.touch(simulation.now(), simulation.active)
        column, row = pixel(arguments, frame.camera.width, frame.camera.height)
        name = frame.thing_at(column, row)
        if name is None:
            raise Refused("No target found")
        thing = simulation.world.things[name]
    else:
        raise Refused("action is missing the following arguments: objectId", MISSING_ARGUMENTS)
    if not arguments.get("forceAction"):
        need_interactable(simulation, thing)
    if simulation.held_by_another(thing):
        raise Refused(f"{thing.id} is being held by another agent.")
    return thing


def pixel(arguments: Arguments, width: int, height: int) -> tuple[int, int]:
    """The column and row of a place of the picture, given from 0 to 1 from its top left."""
    x, y = float(arguments["x"]), float(arguments["y"])
    if not (0 <= x <= 1 and 0 <= y <= 1):
        raise Refused(f"x and y must be within [0:1], found ({x:g}, {y:g})")
    return min(int(x * width), width - 1), min(int(y * height), height - 1)


def need_interactable(simulation: Simulation, thing: Thing) -> None:
    """Refuse what is shut in, out of reach or out of sight."""
    world = simulation.world
    if world.in_hand(thing):
        return
    if world.enclosing(thing) is not None:
        raise Refused(
            f"{thing.id} is not interactable and (perhaps it is occluded by something).", "NotVisible"
        )
    near = nearest_distance(thing, world.agent.position) <= simulation.settings.reach_m
    if not near or not in_view(world.agent, thing):
        raise Refused(f"Target object {thing.id} not found within the specified visibility.", "NotVisible")


def touch(row: Row, simulation: Simulation, arguments: Arguments) -> None:
    """Do what a row of the table says."""
    thing, spec = target(simulation, arguments), ACTIONS[row.does]
    if not simulation.place.affords(thing, spec.affords):
        raise Refused(row.lacking.format(id=thing.id))
    if row.does == "Break" and not simulation.breaks(thing):
        raise Refused(row.refused.format(id=thing.id))
    if row.already and not spec.changes(thing):
        raise Refused(row.already.format(id=thing.id))
    extra = {"liquid": _liquid(arguments)} if row.does == "Fill" else {}
    if row.does == "Pickup" and simulation.world.held is not None:
        raise Refused("Agent hand has something in it already! Can't pick up anything else")
    if row.does == "Open" and thing.on and thing.kind.closed_while_on:
        raise Refused("Target must be OFF to open!")
    outcome = force(simulation.world, row.does, target=thing.id, **extra)
    if not outcome.success:
        raise Refused(row.refused.format(id=thing.id))
    if row.does == "Pickup":
        simulation.shown = simulation.shown._replace(hand_turn=(0.0, 0.0, 0.0))
    if row.does in ("Open", "Close") and thing.id in simulation.shown.openness:
        left = {name: share for name, share in simulation.shown.openness.items() if name != thing.id}
        simulation.shown = simulation.shown._replace(openness=left)


def _liquid(arguments: Arguments) -> str:
    liquid = arguments.get("fillLiquid", "water")
    if liquid not in LIQUIDS:
        raise Refused(f"Invalid fill liquid: {liquid}. Valid: {', '.join(LIQUIDS)}")
    return str(liquid)


@cache
def rows() -> dict[str, Row]:
    """The actions on things that are one action of the home."""
    return msgspec.convert(shipped(__package__, "actions.toml"), dict[str, Row])


for _name, _row in rows().items():
    if _name != "OpenObject":
        answers(_name)(partial(touch, _row))


@answers("OpenObject")
def open_object(simulation: Simulation, arguments: Arguments) -> None:
    """Open a thing, all the way or in part; an openness of 0 shuts it."""
    openness = arguments.get("openness")
    if openness is None and not simulation.settings.old:
        openness = arguments.get("moveMagnitude") or None
    if openness is None:
        touch(rows()["OpenObject"], simulation, arguments)
        return
    if not 0 <= openness <= 1:
        raise Refused("openness must be in [0:1]")
    thing = target(simulation, arguments)
    if thing.open != (openness > 0):
        touch(rows()["OpenObject" if openness else "CloseObject"], simulation, arguments)
    elif not simulation.place.affords(thing, "open"):
        raise Refused(rows()["OpenObject"].lacking.format(id=thing.id))
    known = {**simulation.shown.openness, thing.id: float(openness)}
    simulation.shown = simulation.shown._replace(openness=known)


@answers("SliceObject")
def slice_object(simulation: Simulation, arguments: Arguments) -> None:
    """Cut a thing up; AI2-THOR itself asks for no knife."""
    thing = target(simulation, arguments)
    if thing.heel or not thing.can("slice"):
        raise Refused(f"{thing.name or thing.id} Does not have the CanBeSliced property!")
    if simulation.world.in_hand(thing):
        raise Refused(f"{thing.id} cannot be sliced while it is held.")
    if not cut_up(simulation.world, thing):
        raise Refused(f"{thing.id} cannot be sliced any further.")
    simulation.world.tick += 1
    follow(simulation.world, "Slice", thing.id, True)


@answers("UseUpObject")
def use_up_object(simulation: Simulation, arguments: Arguments) -> None:
    """Use a roll or a bottle up."""
    thing = target(simulation, arguments)
    if not simulation.place.affords(thing, "use up"):
        raise Refused(f"{thing.id} does not have the CanBeUsedUp property!")
    if thing.used_up:
        raise Refused(f"{thing.id} has already been used up")
    simulation.world.update(thing, used_up=True)


@answers("PutObject")
def put_object(simulation: Simulation, arguments: Arguments) -> None:
    """Put what is held into a receptacle: of an id, where a ray meets one, or both."""
    world = simulation.world
    held = world.held
    if held is None:
        raise Refused("Can't place an object if Agent isn't holding anything")
    receptacle, point, shown = _receptacle(simulation, arguments, held)
    if not receptacle.can("receptacle"):
        raise Refused("This target object is NOT a receptacle!")
    if world.in_hand(receptacle) or simulation.held_by_another(receptacle):
        raise Refused("Can't place an object in itself!")
    if is_shut(receptacle):
        raise Refused("Target openable Receptacle is CLOSED, can't place if target is not open!")
    takes = receptacle.kind.holds
    if takes and held.type not in takes:
        names = (held.name or held.id, receptacle.name or receptacle.id)
        raise Refused("{} is not a valid Object Type to be placed in {}".format(*names))
    if not _placed(simulation, receptacle, held, point):
        raise Refused("No valid positions to place object found")
    there = world.things[held.id]
    if shown is not None or simulation.settings.old:
        place = there.position if shown is None else shown.spot
        along = None if shown is None else shown.along
        world.move(there, place, _laid(simulation, there, place, along), there.parents)


def _placed(simulation: Simulation, receptacle: Thing, held: Thing, point: Vec) -> bool:
    """Put what is held near a point, and tell whether there was room; over a shelf there always is."""
    world = simulation.world
    if force(world, "Place", target=receptacle.id, near=point).success:
        return True
    if receptacle.type != "Shelf":
        return False
    width, height, depth = held.size
    world.update(held, size=(width, min(height, FLAT_M), depth))
    placed = force(world, "Place", target=receptacle.id, near=point).success
    world.update(world.things[held.id], size=held.size)
    return placed


class Target(NamedTuple):
    """What a thing is put into, and near which point."""

    receptacle: Thing
    point: Vec
    recorded: Recalled | None = None
    """How recordings show that it comes to lie exactly there, if they do."""


def _receptacle(simulation: Simulation, arguments: Arguments, held: Thing) -> Target:
    """What the held thing is put into, and near which point."""
    world = simulation.world
    name = arguments.get("receptacleObjectId", arguments.get("objectId"))
    if name == held.id:
        raise Refused("action is missing the following arguments: receptacleObjectId", MISSING_ARGUMENTS)
    if "x" in arguments and "y" in arguments:
        frame = simulation.stage.touch(simulation.now(), simulation.active)
        pixel(arguments, 1, 1)
        x, y = float(arguments["x"]), float(arguments["y"])
        if name is not None:
            thing = thing_named(simulation, name)
            if thing.type != "Floor":
                return Target(thing, aim(world, thing, "Place", frame.camera, x, y))
        found = resolve(world, frame, "Place", x, y)
        if found is None:
            raise Refused("This target object is NOT a receptacle!")
        return Target(world.things[found.thing if name is None else name], found.at)
    if name is None:
        raise Refused("action is missing the following arguments: objectId", MISSING_ARGUMENTS)
    thing = thing_named(simulation, name)
    if not arguments.get("forceAction"):
        need_interactable(simulation, thing)
    return _spot(simulation, thing, held)


def _spot(simulation: Simulation, receptacle: Thing, held: Thing) -> Target:
    """Where a thing comes to lie that is put down without a point: where recordings show it, else nearby."""
    here, known = simulation.world.agent.position, simulation.place.knowledge
    seen = () if known is None else known.puts.get(receptacle.id, ())
    spot = recalled(seen, receptacle, held, here, partial(_free, simulation, receptacle, held))
    if spot is not None:
        return Target(receptacle, spot.spot, spot)
    basin = receptacle.type.endswith("Basin")
    return Target(receptacle, _nearest_inside(receptacle, held, here) if basin else here)


def _laid(simulation: Simulation, thing: Thing, place: Vec, along: int | None) -> float:
    """How a thing that has been put somewhere is turned.

    A long one points as it was recorded. Else version 2 has it point away from the agent, or lie across if
    there is no room for that.
    """
    wide, _, deep = thing.size
    across = 90.0 if wide > deep else 0.0
    if max(wide, deep) < LONG * min(wide, deep):
        return thing.yaw
    if along is not None:
        return (along - across) % 360
    for yaw in (simulation.world.agent.rotation - across, simulation.world.agent.rotation - across + 90):
        if not _crowded(simulation, msgspec.structs.replace(thing, position=place, yaw=yaw % 360)):
            return yaw % 360
    return thing.yaw


def _crowded(simulation: Simulation, thing: Thing) -> bool:
    """Whether a thing's box overlaps that of anything beside it, seen from above."""
    lo, hi = bounding_box(thing)
    beside = [simulation.world.contents(simulation.world.things[name]) for name in thing.parents[:1]]
    return any(
        lo[0] < there_hi[0] and there_lo[0] < hi[0] and lo[2] < there_hi[2] and there_lo[2] < hi[2]
        for other in chain(*beside)
        if other.id != thing.id
        for there_lo, there_hi in [bounding_box(other)]
    )


def _free(simulation: Simulation, receptacle: Thing, held: Thing, spot: Vec) -> bool:
    """Whether nothing that is on a receptacle is where the middle of another thing is to lie."""
    half = min(held.size[0], held.size[2]) / 2
    return not any(
        lo[0] - half < spot[0] < hi[0] + half
        and lo[2] - half < spot[2] < hi[2] + half
        and lo[1] < spot[1] + held.size[1]
        and spot[1] < hi[1]
        for other in simulation.world.contents(receptacle)
        for lo, hi in [bounding_box(other)]
    )


def _nearest_inside(receptacle: Thing, held: Thing, point: Vec) -> Vec:
    """The place nearest to a point where a thing lies wholly on the bottom of a basin."""
    x, y, z = to_local(receptacle, point)
    wide, deep = held.size[0] / 2 + WALL_M, held.size[2] / 2 + WALL_M
    places = [
        (_within(x, level.x0, level.x1, wide), level.y, _within(z, level.z0, level.z1, deep))
        for level in surfaces(receptacle)
    ]
    nearest = min(places, key=lambda place: math.dist(place, (x, y, z)), default=None)
    return receptacle.position if nearest is None else to_world(receptacle, nearest)


def _within(value: float, low: float, high: float, margin: float) -> float:
    """A value between two edges that keeps a margin to both, if there is one."""
    margin = min(margin, (high - low) / 2)
    return min(max(value, low + margin), high - margin)


@answers("DropHandObject", "DropHeldObject")
def drop_hand_object(simulation: Simulation, arguments: Arguments) -> None:
    """Put what is held on the nearest free spot before the agent: on what is there, else on the floor."""
    world = simulation.world
    if world.held is None:
        raise Refused("can't drop object if Agent isn't holding anything")
    x, z = turned(0.0, ARM_M, world.agent.rotation)
    point = (world.agent.x + x, world.agent.y, world.agent.z + z)
    near = sorted(
        (nearest_distance(thing, point), thing.id)
        for thing in world.things.values()
        if _takes(simulation, thing)
    )
    for away, name in near:
        if away > simulation.settings.reach_m:
            break
        if force(world, "Place", target=name, near=point).success:
            return
    raise Refused("No valid positions to place object found")


def _takes(simulation: Simulation, thing: Thing) -> bool:
    return (
        thing.solid and thing.can("receptacle") and not is_shut(thing) and not simulation.world.in_hand(thing)
    )
