"""The world as AI2-THOR's metadata: the same field names, units and order of corners."""

from __future__ import annotations

import math
from collections.abc import Container
from typing import Any

from housemates.core.outcome import Outcome
from housemates.home.geometry import bounding_box, in_reach, visible
from housemates.home.things import Agent, Thing, thor_position, to_world
from housemates.home.types import Vec
from housemates.home.world import World

MATERIALS = {
    "Ceramic": ("ceramic", "enamel"),
    "Glass": ("glass",),
    "Metal": ("steel", "iron", "copper", "gold", "brass", "metal"),
    "Plastic": ("plastic",),
    "Wood": ("wood",),
    "Paper": ("paper", "cardboard"),
    "Fabric": ("fabric", "linen", "cotton", "wool", "cloth"),
    "Leather": ("leather",),
    "Sponge": ("sponge",),
    "Wax": ("wax",),
}
"""AI2-THOR's names of materials, and the words of a look that mean them."""


def metadata(
    world: World,
    action: str = "",
    outcome: Outcome | None = None,
    seen: Container[str] | None = None,
) -> dict[str, Any]:
    """What AI2-THOR's `event.metadata` holds after an action.

    Args:
        world: The world as it is now.
        action: Name of the last action.
        outcome: What came of it; a success if there was none yet.
        seen: Ids of the things in view and reach, if they are known from a picture.
    """
    known = visible_things(world) if seen is None else seen
    contents: dict[str, list[str]] = {}
    for thing in world.things.values():
        for parent in thing.parents:
            contents.setdefault(parent, []).append(thing.id)
    held = world.held
    success = outcome is None or outcome.success
    return {
        "objects": [
            object_metadata(world, thing, thing.id in known, contents.get(thing.id, []))
            for thing in world.things.values()
        ],
        "agent": agent_metadata(world.agent),
        "inventoryObjects": [] if held is None else [{"objectId": held.id, "objectType": held.type}],
        "cameraPosition": _point(world.agent.eye),
        "fov": float(world.agent.fov),
        "sceneName": world.scene.id,
        "lastAction": action,
        "lastActionSuccess": success,
        "errorMessage": "" if success or outcome is None else outcome.message,
        "errorCode": "",
    }


def visible_things(world: World) -> frozenset[str]:
    """Ids of the things that AI2-THOR calls visible: in reach, in the camera's field, not hidden."""
    agent = world.agent
    return frozenset(
        thing.id
        for thing in world.things.values()
        if thing.solid and (world.in_hand(thing) or (in_reach(agent, thing) and visible(world, agent, thing)))
    )


def agent_metadata(agent: Agent) -> dict[str, Any]:
    """The entry `agent` of AI2-THOR's metadata."""
    return {
        "name": "agent",
        "position": _point(agent.position),
        "rotation": {"x": 0.0, "y": float(agent.rotation), "z": 0.0},
        "cameraHorizon": float(agent.horizon),
        "isStanding": True,
        "inHighFrictionArea": False,
    }


def object_metadata(world: World, thing: Thing, is_visible: bool, contents: list[str]) -> dict[str, Any]:
    """A thing's entry; `contents` are the ids of what it holds."""
    here = world.in_world(thing)
    where = thor_position(here)
    kind = thing.kind
    return {
        "name": thing.name or thing.id,
        "position": _point(where),
        "rotation": {"x": 0.0, "y": here.yaw, "z": 0.0},
        "visible": is_visible,
        "obstructed": not is_visible,
        **state_metadata(world, thing),
        "canChangeTempToHot": kind.heats or kind.name == "StoveBurner",
        "canChangeTempToCold": kind.temperature == "Cold",
        "mass": 1.0 if _loose(thing) else 0.0,
        "salientMaterials": salient_materials(thing) if _loose(thing) else None,
        "receptacleObjectIds": contents if thing.can("receptacle") else None,
        "distance": math.dist(world.agent.position, where),
        "isMoving": False,
        "axisAlignedBoundingBox": _aligned_box(here),
        "objectOrientedBoundingBox": _oriented_box(here) if _loose(thing) else None,
    }


def state_metadata(world: World, thing: Thing) -> dict[str, Any]:
    """The part of a thing's entry that says what it is, affords and is like, without any geometry."""
    affords = thing.affords
    return {
        "objectId": thing.id,
        "objectType": thing.type,
        "parentReceptacles": list(thing.parents) or None,
        "receptacle": "receptacle" in affords,
        "toggleable": "toggle" in affords,
        "isToggled": thing.on,
        "breakable": "break" in affords,
        "isBroken": thing.broken,
        "canFillWithLiquid": "fill" in affords,
        "isFilledWithLiquid": bool(thing.liquid) and "fill" in affords,
        "dirtyable": "dirty" in affords,
        "isDirty": thing.dirty,
        "canBeUsedUp": "use up" in affords,
        "isUsedUp": thing.used_up,
        "cookable": "cook" in affords,
        "isCooked": thing.cooked,
        "ObjectTemperature": thing.temperature,
        "sliceable": "slice" in affords and not thing.heel,
        "isSliced": thing.sliced,
        "openable": "open" in affords,
        "isOpen": thing.open,
        "openness": 1.0 if thing.open else 0.0,
        "pickupable": "pickup" in affords,
        "isPickedUp": thing.id == world.agent.held,
        "moveable": "move" in affords,
    }


def salient_materials(thing: Thing) -> list[str]:
    """What a thing looks made of, in AI2-THOR's words."""
    kind = thing.kind
    if "Food" in kind.classes:
        return ["Food"]
    look = kind.looks[thing.look % len(kind.looks)]
    return [name for name, words in MATERIALS.items() if any(word in look for word in words)]


def _loose(thing: Thing) -> bool:
    return thing.can("pickup") or thing.can("move")


def _point(position: Vec) -> dict[str, float]:
    return {"x": position[0], "y": position[1], "z": position[2]}


def _aligned_box(thing: Thing) -> dict[str, Any]:
    lo, hi = bounding_box(thing)
    return {
        "cornerPoints": [[x, y, z] for x in (hi[0], lo[0]) for y in (hi[1], lo[1]) for z in (hi[2], lo[2])],
        "center": _point(((lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2, (lo[2] + hi[2]) / 2)),
        "size": _point((hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2])),
    }


def _oriented_box(thing: Thing) -> dict[str, Any]:
    x, height, z = thing.size[0] / 2, thing.size[1], thing.size[2] / 2
    ring = ((x, z), (-x, z), (-x, -z), (x, -z))
    return {"cornerPoints": [list(to_world(thing, (dx, y, dz))) for y in (0.0, height) for dx, dz in ring]}
