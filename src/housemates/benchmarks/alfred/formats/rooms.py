"""Starts in our rooms as trajectories tell them, and back.

A small thing's asset name holds its look and size, so that a trajectory tells all about its start.
"""

from __future__ import annotations

import re

import msgspec

from housemates.benchmarks.alfred.formats.episodes import ObjectPose, Trajectory, Xyz
from housemates.benchmarks.alfred.generate.arrangement import empty_room, movable
from housemates.benchmarks.alfred.world.dynamics import FOV_DEG
from housemates.errors import HousematesError
from housemates.home.scenes import load
from housemates.home.scenes.catalogue import NAME
from housemates.home.things import Agent, Scene, Thing, object_id
from housemates.home.types import Vec, object_types

ASSET = re.compile(r"([A-Za-z]+)_([0-9a-f]{2})([0-9a-f]{5})([0-9a-f]{5})([0-9a-f]{5})")
UNIT_M = 0.0001


def is_room(floor_plan: str) -> bool:
    """Whether a floor plan is one of our rooms."""
    return NAME.fullmatch(floor_plan) is not None


def asset_name(thing: Thing) -> str:
    """A name such as `Mug_0200...` that holds the type, the look and the size in tenths of a millimetre."""
    size = "".join(f"{round(side / UNIT_M):05x}" for side in thing.size)
    return f"{thing.type}_{thing.look:02x}{size}"


def object_poses(start: Scene) -> list[ObjectPose]:
    """The small things of a start as official poses."""
    return [
        ObjectPose(
            object_name=asset_name(thing),
            position=Xyz(*thing.position),
            rotation=Xyz(0.0, thing.yaw, 0.0),
            parents=list(thing.parents),
        )
        for thing in start.things
        if thing.can("pickup")
    ]


def room_start(trajectory: Trajectory) -> Scene:
    """The start of a trajectory in one of our rooms."""
    start = trajectory.scene
    room = empty_room(load(start.floor_plan))
    temperatures = {thing.id: thing.kind.temperature for thing in room.things}
    small = [
        _thing(pose, temperatures, f"{trajectory.task_id}: scene.object_poses[{number}]")
        for number, pose in enumerate(start.object_poses)
    ]
    pose = start.init_action
    agent = Agent(
        x=float(pose.x),
        z=float(pose.z),
        y=float(pose.y),
        rotation=round(pose.rotation),
        horizon=round(pose.horizon),
        fov=FOV_DEG,
    )
    return msgspec.structs.replace(room, things=(*room.things, *small), agent=agent)


def _thing(pose: ObjectPose, temperatures: dict[str, str], where: str) -> Thing:
    found = ASSET.fullmatch(pose.object_name)
    if found is None or found[1] not in object_types():
        raise HousematesError(f"{where}.objectName: {pose.object_name!r} is no asset of our rooms.")
    size: Vec = (int(found[3], 16) * UNIT_M, int(found[4], 16) * UNIT_M, int(found[5], 16) * UNIT_M)
    position: Vec = (float(pose.position.x), float(pose.position.y), float(pose.position.z))
    parents = tuple(pose.parents) if isinstance(pose.parents, list) else ()
    thing = Thing(
        id=object_id(found[1], position),
        type=found[1],
        position=position,
        size=(round(size[0], 4), round(size[1], 4), round(size[2], 4)),
        yaw=float(pose.rotation.y),
        parents=parents,
        look=int(found[2], 16),
        temperature=temperatures.get(parents[0] if parents else "", "") or "RoomTemp",
    )
    return movable(thing)
