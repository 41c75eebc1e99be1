"""Touching things: picking up, placing, opening, switching, slicing, pouring and the rest."""

from __future__ import annotations

import math

import msgspec

from housemates.core.outcome import Outcome, Reason, done, refuse, spoken
from housemates.home.actions import action
from housemates.home.containment import has_inside, is_shut
from housemates.home.geometry import bounding_box, nearest_distance
from housemates.home.kinds import BASIN_TYPES, BASINS
from housemates.home.placement import find_spot
from housemates.home.slices import pieces
from housemates.home.things import Thing, opening_shift, turned
from housemates.home.tilt import tilted, upright
from housemates.home.types import Vec
from housemates.home.world import World, parents_on, rounded
from housemates.home.zones import Spot

ARM_M = 0.75
"""How far before the agent things are put down where no point is given."""
OVERHEAD_M = 1.2
"""Doors that begin higher than this above the floor pass over the agent."""
BODY_M = 0.1
"""A door that comes nearer than this to the agent's middle is stopped."""


@action("Pickup", required=("target",), affords="pickup", hand="empty")
def pick_up(world: World, target: Thing) -> Outcome:
    """Take a thing into the empty hand, with what is on or in it."""
    if world.held is not None:
        told = f"Pickup: your hand is full. Put the {spoken(world.held.type)} down first."
        return refuse(Reason.HANDS_FULL, told, held=world.held.type)
    if target.tilt:
        stood = upright(target)
        target = world.update(target, size=stood.size, pivot=stood.pivot, parts=stood.parts, tilt="")
    world.move(target, (0.0, -target.size[1] / 2, 0.0), 0.0, ())
    world.agent = msgspec.structs.replace(world.agent, held=target.id)
    return done(f"Picked up the {spoken(target.type)}.", type=target.type)


@action(
    "Place",
    required=("target",),
    optional=("at", "near"),
    fits=("receptacle",),
    hand="full",
    first={"shut": False},
)
def place(world: World, target: Thing, at: Vec | None = None, near: Vec | None = None) -> Outcome:
    """Put the held thing on or in the target: `at` a point in reach, or `near` one, however far."""
    held = world.held
    if held is None:
        return refuse(Reason.HANDS_EMPTY, "Place: there is nothing in your hand.")
    refusal = _unfit(world, held, target)
    if refusal is not None:
        return refusal
    point = near or at or _before(world)
    aim = (float(point[0]), float(point[1]), float(point[2]))
    support = basin_of(world, target, aim)
    spot = find_spot(world, held, support, aim, reach_from=world.agent.position)
    where = "in" if has_inside(target) or target.type in BASINS else "on"
    if spot is None and near is not None:
        spot = find_spot(world, held, support, aim)
    if spot is None:
        what = f"the {spoken(held.type)} {where} the {spoken(target.type)}"
        if find_spot(world, held, support, aim) is not None:
            told = f"Place: the free room for {what} is too far away. Go closer."
            return refuse(Reason.ROOM_TOO_FAR, told, type=target.type, held=held.type)
        there = len(world.contents(target))
        told = f"Place: no free room for {what} ({there} things there)."
        told += " Take something away or try another place."
        return refuse(Reason.NO_ROOM, told, type=target.type, held=held.type, count=there)
    put_down(world, held, target, spot)
    told = f"Placed the {spoken(held.type)} {where} the {spoken(target.type)}."
    return done(told, type=target.type, held=held.type)


def _before(world: World) -> Vec:
    """A point at arm's length before the agent, where it sees what it puts down."""
    x, z = turned(0.0, ARM_M, world.agent.rotation)
    return (world.agent.x + x, world.agent.y, world.agent.z + z)


def basin_of(world: World, target: Thing, near: Vec) -> Thing:
    """Where things come to lie that are put into a sink or bathtub at a point.

    That is the basin under the point, or the sink's own rim where there is room beside the basin;
    any other thing is its own.
    """
    kind = BASIN_TYPES.get(target.type)
    basins = [other for other in world.of_type(kind) if _over(target, other.position)] if kind else []
    if not basins:
        return target
    nearest = min(basins, key=lambda basin: math.dist(basin.position, near))
    return target if target.zones and not _over(nearest, near) and _over(target, near) else nearest


def _over(thing: Thing, point: Vec) -> bool:
    """Whether a point lies above or below a thing's box."""
    lo, hi = bounding_box(thing)
    return lo[0] <= point[0] <= hi[0] and lo[2] <= point[2] <= hi[2]


def put_down(world: World, held: Thing, receptacle: Thing, spot: Spot) -> None:
    """Move what is in the hand to a spot on a receptacle."""
    if spot.tilt:
        lying = tilted(held, spot.tilt)
        held = world.update(held, size=lying.size, pivot=lying.pivot, parts=lying.parts, tilt=lying.tilt)
    world.move(held, spot.position, spot.yaw, parents_on(world, receptacle))
    world.agent = msgspec.structs.replace(world.agent, held="")


def _unfit(world: World, held: Thing, target: Thing) -> Outcome | None:
    """Why a receptacle does not take a thing, whatever room it has."""
    kind, name = target.kind, spoken(target.type)
    if not target.can("receptacle"):
        return refuse(Reason.NOT_POSSIBLE, f"Place: nothing can be put on a {name}.", type=target.type)
    if is_shut(target):
        told = f"Place: the {name} is closed. Open it first."
        return refuse(Reason.CLOSED, told, type=target.type, open=False)
    if kind.holds and held.type not in kind.holds:
        takes = " or ".join(spoken(other) for other in kind.holds)
        told = f"Place: a {name} takes only a {takes}, not a {spoken(held.type)}."
        return refuse(Reason.NOT_POSSIBLE, told, type=target.type, held=held.type, takes=list(kind.holds))
    there = len(world.contents(target))
    if kind.capacity and there >= kind.capacity:
        told = f"Place: the {name} is full ({there} of {kind.capacity}). Take something out first."
        return refuse(Reason.FULL, told, type=target.type, count=there, capacity=kind.capacity)
    return None


@action("Open", required=("target",), affords="open", when={"open": False}, held_too=True)
def open_thing(world: World, target: Thing) -> Outcome:
    """Open a door, drawer, lid or book."""
    name = spoken(target.type)
    if target.open:
        return refuse(Reason.ALREADY, f"Open: the {name} is open already.", type=target.type, open=True)
    if target.on and target.kind.closed_while_on:
        told = f"Open: the {name} is running. Turn it off first."
        return refuse(Reason.TURN_OFF_FIRST, told, type=target.type)
    if _hits_agent(world, target):
        told = f"Open: you stand in the way of the {name}. Step back."
        return refuse(Reason.IN_THE_WAY, told, type=target.type)
    _swing(world, target, True)
    return done(f"Opened the {name}.", type=target.type, open=True)


@action("Close", required=("target",), affords="open", when={"open": True}, held_too=True)
def close_thing(world: World, target: Thing) -> Outcome:
    """Close a door, drawer, lid or book."""
    if not target.open:
        told = f"Close: the {spoken(target.type)} is closed already."
        return refuse(Reason.ALREADY, told, type=target.type, open=False)
    if target.kind.passage and _hits_agent(world, target):
        told = f"Close: you stand in the way of the {spoken(target.type)}. Step back."
        return refuse(Reason.IN_THE_WAY, told, type=target.type)
    _swing(world, target, False)
    return done(f"Closed the {spoken(target.type)}.", type=target.type, open=False)


def _hits_agent(world: World, target: Thing) -> bool:
    """Whether what moves when the target opens, or closes if it is open, would touch the agent."""
    still = set(target.shape_parts())
    after = msgspec.structs.replace(target, open=not target.open)
    moving = tuple(part for part in after.shape_parts() if part not in still)
    low = target.position[1] + min((part.lo[1] for part in moving), default=0.0) - world.scene.floor_y
    if not moving or target.kind.can("pickup") or low > OVERHEAD_M:
        return False
    leaf = msgspec.structs.replace(target, parts=moving)
    x, _, z = world.agent.position
    height = min(max(world.agent.y, leaf.position[1]), leaf.position[1] + leaf.size[1])
    return nearest_distance(leaf, (x, height, z)) < BODY_M


def _swing(world: World, target: Thing, is_open: bool) -> None:
    """Open or close, and take along what lies in a drawer."""
    shift = opening_shift(target)
    if any(shift):
        sign = 1.0 if is_open else -1.0
        for other in list(world.contents_deep(target)):
            x, y, z = other.position
            place = rounded((x + sign * shift[0], y + sign * shift[1], z + sign * shift[2]))
            world.update(other, position=place)
    world.update(target, open=is_open)


@action("ToggleOn", required=("target",), affords="toggle", when={"on": False}, held_too=True)
def toggle_on(world: World, target: Thing) -> Outcome:
    """Switch a thing on."""
    name = spoken(target.type)
    if target.on:
        return refuse(Reason.ALREADY, f"ToggleOn: the {name} is on already.", type=target.type)
    if target.open and target.kind.closed_while_on:
        told = f"ToggleOn: the {name} is open. Close it first."
        return refuse(Reason.CLOSE_FIRST, told, type=target.type, open=True)
    world.update(target, on=True)
    return done(f"Turned on the {name}.", type=target.type)


@action("ToggleOff", required=("target",), affords="toggle", when={"on": True}, held_too=True)
def toggle_off(world: World, target: Thing) -> Outcome:
    """Switch a thing off."""
    if not target.on:
        told = f"ToggleOff: the {spoken(target.type)} is off already."
        return refuse(Reason.ALREADY, told, type=target.type)
    world.update(target, on=False)
    return done(f"Turned off the {spoken(target.type)}.", type=target.type)


@action("Slice", required=("target",), affords="slice", never="heel", hand="cuts")
def slice_thing(world: World, target: Thing) -> Outcome:
    """Cut a thing into pieces with the knife in hand."""
    name = spoken(target.type)
    if world.held is None or not world.held.kind.cuts:
        told = f"Slice: you need a knife in your hand to cut the {name}."
        return refuse(Reason.NEEDS_KNIFE, told, type=target.type)
    count = cut_up(world, target)
    if not count:
        return refuse(Reason.CUT_UP, f"Slice: this {name} cannot be cut any further.", type=target.type)
    return done(f"Cut the {name} into {count} pieces.", type=target.type, pieces=count)


def cut_up(world: World, target: Thing) -> int:
    """Put the pieces of a thing where it is, and return how many; none if it cannot be cut any further."""
    cut = pieces(target)
    for piece in cut:
        world.add(piece)
    if cut:
        world.update(target, sliced=True, parents=(), size=(0.0, 0.0, 0.0))
    return len(cut)


@action("Pour", required=("target",), fits=("fill", "drain"), hand="filled")
def pour(world: World, target: Thing) -> Outcome:
    """Pour what is in the held thing into the target."""
    held = world.held
    if held is None or not held.liquid:
        return refuse(Reason.NOTHING_TO_POUR, "Pour: you need something filled with a liquid in your hand.")
    if target.type not in BASINS:
        if not target.kind.can("fill"):
            told = f"Pour: a {spoken(target.type)} cannot be filled."
            return refuse(Reason.NOT_POSSIBLE, told, type=target.type)
        if target.liquid:
            told = f"Pour: the {spoken(target.type)} is full already. Empty it first."
            return refuse(Reason.FULL, told, type=target.type)
        world.update(target, liquid=held.liquid)
    world.update(held, liquid="")
    told = f"Poured the {held.liquid} into the {spoken(target.type)}."
    return done(told, type=target.type, liquid=held.liquid)


@action("Fill", required=("target",), optional=("liquid",), affords="fill", held_too=True)
def fill(world: World, target: Thing, liquid: str = "water") -> Outcome:
    """Fill a thing with a liquid."""
    if target.liquid:
        told = f"Fill: the {spoken(target.type)} is full already. Empty it first."
        return refuse(Reason.FULL, told, type=target.type)
    world.update(target, liquid=liquid)
    return done(f"Filled the {spoken(target.type)} with {liquid}.", type=target.type, liquid=liquid)


@action("Empty", required=("target",), affords="fill", held_too=True)
def empty(world: World, target: Thing) -> Outcome:
    """Pour away what is in a thing."""
    if not target.liquid:
        return refuse(Reason.ALREADY, f"Empty: the {spoken(target.type)} is empty already.", type=target.type)
    world.update(target, liquid="")
    return done(f"Emptied the {spoken(target.type)}.", type=target.type)


@action("Clean", required=("target",), affords="dirty", when={"dirty": True}, held_too=True)
def clean(world: World, target: Thing) -> Outcome:
    """Make a dirty thing clean."""
    if not target.dirty:
        return refuse(Reason.ALREADY, f"Clean: the {spoken(target.type)} is clean already.", type=target.type)
    world.update(target, dirty=False)
    return done(f"Cleaned the {spoken(target.type)}.", type=target.type)


@action("Dirty", required=("target",), affords="dirty", when={"dirty": False}, held_too=True)
def dirty(world: World, target: Thing) -> Outcome:
    """Make a clean thing dirty."""
    if target.dirty:
        return refuse(Reason.ALREADY, f"Dirty: the {spoken(target.type)} is dirty already.", type=target.type)
    world.update(target, dirty=True)
    return done(f"The {spoken(target.type)} is dirty now.", type=target.type)


@action("Cook", required=("target",), affords="cook", when={"cooked": False}, held_too=True)
def cook(world: World, target: Thing) -> Outcome:
    """Cook a thing at once."""
    if target.cooked:
        return refuse(Reason.ALREADY, f"Cook: the {spoken(target.type)} is cooked already.", type=target.type)
    world.update(target, cooked=True)
    return done(f"Cooked the {spoken(target.type)}.", type=target.type)


@action("Break", required=("target",), affords="break", when={"broken": False}, held_too=True)
def break_thing(world: World, target: Thing) -> Outcome:
    """Break a thing; an egg is cracked, a full vessel loses what is in it."""
    name = spoken(target.type)
    if target.broken:
        return refuse(Reason.ALREADY, f"Break: the {name} is broken already.", type=target.type)
    world.update(target, broken=True, liquid="", on=False)
    return done(f"Broke the {name}.", type=target.type)
