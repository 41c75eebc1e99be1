"""Moving things without carrying them: throwing, pushing, placing at a point, taking out of the scene.

Nothing flies or slides here: a plain rule says where each of these ends.
"""

from __future__ import annotations

import msgspec
import numpy as np

from housemates.benchmarks.alfred.formats.support import parents_of
from housemates.home.actions import force
from housemates.home.geometry import Boxes, part_boxes
from housemates.home.things import Thing, to_local, turned
from housemates.home.types import Vec
from housemates.home.world import rounded
from housemates.thor.arguments import Arguments, angle_given, place_given
from housemates.thor.interaction import target, thing_named
from housemates.thor.replies import Refused
from housemates.thor.scene_setup import forget
from housemates.thor.simulation import Simulation, answers

NEWTONS_A_METRE = 100.0
"""How hard something must be thrown, or a kilogram pushed, to go a metre."""
FARTHEST_THROW_M = 4.0
FARTHEST_PUSH_M = 1.5
PACE_M = 0.05
"""Things are moved in such paces, up to the one that would touch something."""
TOUCH_M = 0.005
LEVEL_M = 0.1
"""A thing falls onto what is no more than this above its base, or below it."""
LIGHT_KG = 0.1


@answers("ThrowObject")
def throw_object(simulation: Simulation, arguments: Arguments) -> None:
    """Throw what is held ahead, as far as it is thrown hard but no farther than what is in the way."""
    world = simulation.world
    held = world.held
    if held is None:
        raise Refused("Nothing in Hand to Throw!")
    far = min(float(arguments.get("moveMagnitude", NEWTONS_A_METRE)) / NEWTONS_A_METRE, FARTHEST_THROW_M)
    if far < 0:
        raise Refused("moveMagnitude must not be negative")
    here = world.in_world(held)
    walls = _around(simulation, held)
    place = here.position
    for pace in range(1, max(1, int(far / PACE_M)) + 1):
        x, z = turned(0.0, pace * PACE_M, world.agent.rotation)
        beyond = (here.position[0] + x, here.position[1], here.position[2] + z)
        if _touches(msgspec.structs.replace(here, position=beyond), walls):
            break
        place = beyond
    lay(simulation, held, place, here.yaw)
    if simulation.breaks(world.things[held.id]) and not held.broken:
        force(world, "Break", target=held.id)


@answers("PushObject")
def push_object(simulation: Simulation, arguments: Arguments) -> None:
    """Push a thing away from the agent."""
    _push(simulation, arguments, 0.0)


@answers("PullObject")
def pull_object(simulation: Simulation, arguments: Arguments) -> None:
    """Pull a thing towards the agent."""
    _push(simulation, arguments, 180.0)


@answers("DirectionalPush")
def directional_push(simulation: Simulation, arguments: Arguments) -> None:
    """Push a thing in a direction, in degrees clockwise from where the agent looks."""
    _push(simulation, arguments, float(arguments.get("pushAngle", 0.0)))


def _push(simulation: Simulation, arguments: Arguments, angle: float) -> None:
    """Slide a thing a metre for every 100 N and kilogram, until it would touch something or fall off."""
    world = simulation.world
    thing = target(simulation, arguments)
    if not simulation.place.loose(thing):
        raise Refused(
            "Target Sim Object cannot be moved. It's primary property must be Pickupable or Moveable"
        )
    if world.in_hand(thing):
        raise Refused(f"{thing.id} is held and cannot be pushed.")
    record = simulation.place.record_of(thing)
    mass = max(float(record["mass"]) if record else 1.0, LIGHT_KG)
    newtons = float(arguments.get("moveMagnitude", NEWTONS_A_METRE))
    far = min(newtons / NEWTONS_A_METRE / mass, FARTHEST_PUSH_M)
    dx, dz = turned(0.0, PACE_M, world.agent.rotation + angle)
    around = _around(simulation, thing)
    before = _touches(thing, around)
    place = thing.position
    for _ in range(int(far / PACE_M + 1e-6)):
        beyond = (place[0] + dx, place[1], place[2] + dz)
        moved = msgspec.structs.replace(thing, position=beyond)
        if (_touches(moved, around) and not before) or abs(
            _ground(simulation, thing, beyond) - place[1]
        ) > LEVEL_M:
            break
        place = beyond
    world.move(thing, place, thing.yaw, thing.parents)


@answers("PlaceObjectAtPoint", required=("objectId", "position"))
def place_at_point(simulation: Simulation, arguments: Arguments) -> None:
    """Have a thing stand on what is under a point, if nothing is in the way there."""
    thing, point = thing_named(simulation, arguments["objectId"]), _point(arguments)
    if not simulation.place.loose(thing):
        raise Refused(f"{thing.id} is not moveable or pickupable and cannot be placed.")
    yaw = angle_given(arguments)
    moved = msgspec.structs.replace(
        simulation.world.in_world(thing), position=point, yaw=thing.yaw if yaw is None else yaw
    )
    here = msgspec.structs.replace(moved, position=(point[0], _ground(simulation, thing, point), point[2]))
    if _touches(here, _around(simulation, thing)):
        raise Refused(
            f"Failed to place object at ({point[0]:g}, {point[1]:g}, {point[2]:g}): something is there."
        )
    lay(simulation, thing, point, here.yaw)


@answers("TeleportObject", required=("objectId",))
def teleport_object(simulation: Simulation, arguments: Arguments) -> None:
    """Put the pivot of a thing somewhere; without `forceAction` nothing may be in the way there."""
    thing, point = thing_named(simulation, arguments["objectId"]), _point(arguments)
    if simulation.held_by_another(thing):
        raise Refused(f"{thing.id} is being held by another agent.")
    if simulation.world.in_hand(thing) and not arguments.get("allowTeleportOutOfHand", True):
        raise Refused("Cannot teleport object in hand.")
    yaw = angle_given(arguments)
    turn = thing.yaw if yaw is None else yaw
    x, z = turned(thing.pivot[0], thing.pivot[2], turn)
    base = (point[0] - x, point[1] - thing.pivot[1], point[2] - z)
    moved = msgspec.structs.replace(thing, position=base, yaw=turn)
    if not arguments.get("forceAction") and _touches(moved, _around(simulation, thing)):
        raise Refused(f"{thing.id} cannot be placed at ({point[0]:g}, {point[1]:g}, {point[2]:g}).")
    if arguments.get("makeUnbreakable"):
        simulation.unbreakable.add(thing.type)
    held = simulation.place.loose(thing) and not arguments.get("forceKinematic")
    lay(simulation, thing, base, turn, falls=held)


@answers("RemoveFromScene", "DisableObject", required=("objectId",))
def remove_from_scene(simulation: Simulation, arguments: Arguments) -> None:
    """Take a thing out of the scene, with all that is in or on it."""
    world = simulation.world
    thing = thing_named(simulation, arguments["objectId"])
    if simulation.held_by_another(thing):
        raise Refused(f"{thing.id} is being held by another agent.")
    if thing.type == "Floor":
        raise Refused(f"{thing.id} is a part of the building and cannot be removed.")
    if world.agent.held == thing.id:
        world.agent = msgspec.structs.replace(world.agent, held="")
    for other in [*world.contents_deep(thing), thing]:
        forget(world, other)


def _point(arguments: Arguments) -> Vec:
    place = place_given(arguments)
    if set(place) != set("xyz"):
        raise Refused("position: expected x, y and z")
    return (place["x"], place["y"], place["z"])


def lay(simulation: Simulation, thing: Thing, point: Vec, yaw: float, falls: bool = True) -> None:
    """Have a thing lie at a place, or on what is under it, with all that it holds."""
    world = simulation.world
    if world.agent.held == thing.id:
        world.agent = msgspec.structs.replace(world.agent, held="")
    y = _ground(simulation, thing, point) if falls else point[1]
    place = rounded((point[0], y, point[2]))
    moved = msgspec.structs.replace(thing, position=place, yaw=yaw, parents=())
    inside = {thing.id, *(other.id for other in world.contents_deep(thing))}
    others = [other for other in world.things.values() if other.id not in inside and not world.in_hand(other)]
    found = parents_of([*others, moved], lambda each: each.id == thing.id)
    world.move(thing, place, yaw, found[-1].parents)


def _ground(simulation: Simulation, thing: Thing, point: Vec) -> float:
    """How high the highest surface under a point is; the floor's if there is none."""
    world = simulation.world
    inside = {thing.id, *(other.id for other in world.contents_deep(thing))}
    best = world.scene.floor_y
    for other in world.things.values():
        if other.id in inside or not other.can("receptacle") or world.in_hand(other) or not other.solid:
            continue
        x, y, z = to_local(other, point)
        for part in other.shape_parts():
            top = other.position[1] + part.hi[1]
            over = part.lo[0] <= x <= part.hi[0] and part.lo[2] <= z <= part.hi[2]
            if part.support is not None and over and part.hi[1] <= y + LEVEL_M:
                best = max(best, top)
    return best


def _around(simulation: Simulation, thing: Thing) -> Boxes:
    """The boxes of everything that a thing can meet."""
    world = simulation.world
    skip = {thing.id, *(other.id for other in world.contents_deep(thing))}
    rows = [
        part_boxes(other)
        for other in world.things.values()
        if other.id not in skip and other.solid and other.type != "Floor" and not world.in_hand(other)
    ]
    walls = [(*wall.lo, *wall.hi) for wall in world.scene.structures]
    return np.concatenate([*rows, np.array(walls, dtype=float).reshape(-1, 6)])


def _touches(thing: Thing, around: Boxes) -> bool:
    """Whether the upper part of a thing goes into something; it may rest on what is under it."""
    own = part_boxes(thing)
    own[:, 1] += TOUCH_M
    deep = np.minimum(own[:, None, 3:], around[None, :, 3:]) - np.maximum(
        own[:, None, :3], around[None, :, :3]
    )
    return bool((deep > TOUCH_M).all(axis=-1).any())
