"""The metadata of an event, with every field that code written for AI2-THOR reads."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from housemates.benchmarks.alfred.tasks.goals import home_type
from housemates.core.copies import shared
from housemates.home.metadata import agent_metadata, object_metadata
from housemates.home.things import CAMERA_ABOVE_AGENT_M, Thing, turned, type_in
from housemates.home.world import World
from housemates.render.frames import Detection, Frame
from housemates.thor.moments import Moment, Stage
from housemates.thor.scenes import BY_ASSET

Colour = tuple[int, int, int]
KEPT = ("mass", "salientMaterials", "canChangeTempToHot", "canChangeTempToCold", *BY_ASSET.values())
"""What is taken over from the records of an imported plan, as nothing else tells it."""
BUILT_IN = ("position", "rotation", "axisAlignedBoundingBox", "objectOrientedBoundingBox")
"""The same of what nobody can move, while it is as open as it was."""
EMPTY: Mapping[str, Any] = {
    "isSceneAtRest": True,
    "collided": False,
    "collidedObjects": [],
    "arm": None,
    "flatSurfacesOnGrid": [],
    "distances": [],
    "normals": [],
    "isOpenableGrid": [],
    "segmentedObjectIds": [],
    "objectIdsInBox": [],
    "actionIntReturn": 0,
    "actionFloatReturn": 0.0,
    "actionStringsReturn": [],
    "actionFloatsReturn": [],
    "actionVector3sReturn": [],
    "visibleRange": None,
    "currentTime": 0.0,
}
"""Fields that say nothing here, but are there."""


@shared
class Entry(NamedTuple):
    """A thing's entry, and the record it was made from."""

    thing: Thing
    entry: dict[str, Any]


@lru_cache(maxsize=65536)
def colour_of(name: str) -> Colour:
    """The colour of an object or a class in segmented pictures, by its name."""
    red, green, blue = hashlib.sha256(name.encode()).digest()[:3]
    return (red, green, blue | 1)


def colours(moment: Moment) -> dict[str, Colour]:
    """The colours of all objects and classes; no two objects have the same."""
    found: dict[str, Colour] = {}
    taken: set[Colour] = set()
    for name in moment.things:
        colour, salt = colour_of(name), 0
        while colour in taken:
            salt += 1
            colour = colour_of(f"{name}#{salt}")
        taken.add(colour)
        found[name] = colour
    for kind in dict.fromkeys(thing.type for thing in moment.things.values()):
        found[kind] = colour_of(kind)
    return found


def metadata(stage: Stage, moment: Moment, agent: int, entries: dict[str, Entry]) -> dict[str, Any]:
    """What `event.metadata` holds after a moment.

    Args:
        stage: Where the moment is looked at.
        moment: All that there is to tell.
        agent: Whose event it is.
        entries: Entries of things that were made before, which are kept there; not to be changed.
    """
    frame = None if moment.from_above else stage.look(moment, agent)
    world = stage.show(moment, agent)
    settings, reply, here = moment.settings, moment.reply, moment.agents[agent]
    seen = frozenset() if frame is None else frame.visible().keys()
    held = moment.things.get(here.held)
    shown = colours(moment)
    return {
        **EMPTY,
        "objects": list(_objects(stage, world, moment, seen, entries)),
        "agent": agent_metadata(here),
        "agentId": agent,
        "heldObjectPose": _hand(world, moment),
        "hand": _hand(world, moment),
        "fov": float(here.fov),
        "cameraPosition": _camera_position(stage, moment, agent),
        "cameraOrthSize": stage.plan.half_m if moment.from_above else 0.0,
        "thirdPartyCameras": [camera.metadata(number) for number, camera in enumerate(moment.cameras)],
        "inventoryObjects": [] if held is None else [{"objectId": held.id, "objectType": _class_of(held)}],
        "sceneName": _scene_name(stage),
        "sceneBounds": _bounds(stage),
        "lastAction": reply.action,
        "lastActionSuccess": reply.success,
        "errorMessage": reply.message,
        "errorCode": reply.code,
        "actionReturn": reply.value,
        "reachablePositions": reply.value if reply.action == "GetReachablePositions" else None,
        "screenWidth": settings.width,
        "screenHeight": settings.height,
        "colors": [{"name": name, "color": list(colour)} for name, colour in shown.items()],
        "colorBounds": _colour_bounds(frame, shown) if "instances" in moment.images else [],
    }


def _objects(
    stage: Stage, world: World, moment: Moment, seen: Collection[str], entries: dict[str, Entry]
) -> Iterable[dict[str, Any]]:
    contents: dict[str, list[str]] = {}
    for thing in world.things.values():
        for parent in thing.parents:
            contents.setdefault(parent, []).append(thing.id)
    held = {agent.held for agent in moment.agents if agent.held}
    place, reach = world.agent.position, moment.settings.reach_m
    only = moment.shown.only
    for thing in world.things.values():
        if only is not None and thing.id not in only:
            continue
        entry = dict(_entry(stage, world, thing, entries))
        if thing.open and thing.id in moment.shown.openness:
            entry["openness"] = moment.shown.openness[thing.id]
        where = entry["position"]
        away = math.dist(place, (where["x"], where["y"], where["z"]))
        visible = thing.id in seen and (thing.id in held or _near(entry, place, reach))
        entry["distance"] = away
        entry["visible"] = entry["isInteractable"] = visible
        entry["obstructed"] = not visible
        entry["isPickedUp"] = thing.id in held
        if entry["receptacle"]:
            entry["receptacleObjectIds"] = contents.get(thing.id, [])
        yield entry


def _near(entry: Mapping[str, Any], place: tuple[float, float, float], reach: float) -> bool:
    """Whether the nearest point of an object's box is within reach, seen from above."""
    box = entry["axisAlignedBoundingBox"]
    dx = max(abs(place[0] - box["center"]["x"]) - box["size"]["x"] / 2, 0.0)
    dz = max(abs(place[2] - box["center"]["z"]) - box["size"]["z"] / 2, 0.0)
    return bool(dx * dx + dz * dz <= reach * reach)


def _entry(stage: Stage, world: World, thing: Thing, entries: dict[str, Entry]) -> dict[str, Any]:
    """What there is to tell of a thing wherever the agent is; made anew when its record has changed."""
    known = entries.get(thing.id)
    carried = world.in_hand(thing)
    if known is not None and known.thing is thing and not carried:
        return known.entry
    kind = thing.kind
    entry = object_metadata(world, thing, False, [])
    entry.update(
        objectType=_class_of(thing),
        temperature=entry["ObjectTemperature"],
        isHeatSource=kind.heats or kind.name == "StoveBurner",
        isColdSource=kind.temperature == "Cold",
        fillLiquid=thing.liquid if entry["isFilledWithLiquid"] else None,
        assetId=thing.name,
        controlledObjects=list(thing.controls) or None,
    )
    record = stage.place.record_of(thing)
    if record is not None:
        stays = not stage.place.loose(thing) and record.get("isOpen", False) == thing.open
        entry.update({key: record[key] for key in (*KEPT, *(BUILT_IN if stays else ())) if key in record})
    if not carried:
        entries[thing.id] = Entry(thing, entry)
    return entry


def _class_of(thing: Thing) -> str:
    """The type AI2-THOR gives a thing; version 2 has its own names for a few, and its ids begin with them."""
    named = type_in(thing.id)
    return named if home_type(named) == thing.type else thing.type


def _hand(world: World, moment: Moment) -> dict[str, Any]:
    """Where what is held is, in the room and as the agent has it."""
    agent, held, (x, y, z) = world.agent, world.held, moment.shown.hand_turn
    position, yaw = world.hand()
    if held is not None:
        right, ahead = turned(held.position[0], held.position[2], agent.rotation)
        up = held.position[1] + held.size[1] / 2
        position = (position[0] + right, position[1] + up, position[2] + ahead)
    right, ahead = turned(position[0] - agent.x, position[2] - agent.z, -agent.rotation)
    own = (right, position[1] - agent.y, ahead)
    return {
        "position": dict(zip("xyz", position, strict=True)),
        "rotation": {"x": x, "y": (yaw + y) % 360, "z": z},
        "localPosition": dict(zip("xyz", own, strict=True)),
        "localRotation": {"x": x, "y": y, "z": z},
    }


def _camera_position(stage: Stage, moment: Moment, agent: int) -> dict[str, float]:
    here = moment.agents[agent]
    if moment.from_above:
        x, _, z = stage.plan.centre
        return {"x": x, "y": here.y + CAMERA_ABOVE_AGENT_M, "z": z}
    return dict(zip("xyz", here.eye, strict=True))


def _scene_name(stage: Stage) -> str:
    name = stage.place.name
    return f"{name}_physics" if name.startswith("FloorPlan") else name


def _bounds(stage: Stage) -> dict[str, Any]:
    (x, y, z), half = stage.plan
    return {
        "center": {"x": x, "y": y + 1.3, "z": z},
        "size": {"x": 2 * half, "y": 2.6, "z": 2 * half},
        "cornerPoints": [
            [x + dx * half, y + dy * 2.6, z + dz * half] for dx in (1, -1) for dy in (1, 0) for dz in (1, -1)
        ],
    }


def _colour_bounds(frame: Frame | None, shown: Mapping[str, Colour]) -> list[dict[str, Any]]:
    """The boxes of what is seen, counted from the lower left."""
    boxes: list[Detection] = [] if frame is None else frame.boxes()
    height = 0 if frame is None else frame.camera.height
    return [
        {
            "color": list(shown[box.id]),
            "bounds": [box.left, height - box.bottom, box.right, height - box.top],
        }
        for box in boxes
    ]


def own_copy(value: dict[str, Any]) -> dict[str, Any]:
    """A copy of metadata that its reader may change."""
    copied: dict[str, Any] = msgspec.msgpack.decode(msgspec.msgpack.encode(value))
    return copied
