"""Demonstrations in our rooms as official trajectories, and their starts back from them.

A small thing's asset name holds its look and size, so that a trajectory tells all about its start.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
import numpy as np

from housemates.benchmarks.alfred import episodes
from housemates.benchmarks.alfred.demonstration import Demonstration, SubGoal
from housemates.benchmarks.alfred.episodes import ObjectPose, Trajectory, Xyz
from housemates.benchmarks.alfred.expert import Deed
from housemates.benchmarks.alfred.masks import box_of, point_of, to_runs
from housemates.benchmarks.alfred.sight import Sight
from housemates.benchmarks.alfred.speech import Directive
from housemates.benchmarks.alfred.starts import empty_room, movable
from housemates.benchmarks.alfred.tasks import task_of
from housemates.benchmarks.alfred.world import FOV_DEG, INTERACTIONS, MOVES, AlfredWorld
from housemates.errors import HousematesError
from housemates.home.navigation import cell_of
from housemates.home.scenes import load
from housemates.home.scenes.catalogue import NAME
from housemates.home.things import Agent, Scene, Thing, object_id
from housemates.home.types import Vec, object_types
from housemates.home.world import World

ASSET = re.compile(r"([A-Za-z]+)_([0-9a-f]{2})([0-9a-f]{5})([0-9a-f]{5})([0-9a-f]{5})")
UNIT_M = 0.0001
DEGREES = {"MoveAhead": "25", "RotateRight": "90", "RotateLeft": "90", "LookUp": "15", "LookDown": "15"}


def is_room(floor_plan: str) -> bool:
    """Whether a floor plan is one of our rooms."""
    return NAME.fullmatch(floor_plan) is not None


def asset_name(thing: Thing) -> str:
    """A name such as `Mug_0200...` that holds the type, the look and the size in tenths of a millimetre."""
    size = "".join(f"{round(side / UNIT_M):05x}" for side in thing.size)
    return f"{thing.type}_{thing.look:02x}{size}"


def _poses(start: Scene) -> list[ObjectPose]:
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


def trajectory_of(
    demonstration: Demonstration, said: list[Directive], name: str, seed: int, masks: bool = False
) -> Trajectory:
    """A demonstration as an official trajectory.

    Args:
        demonstration: What the expert did.
        said: What people might say about it.
        name: Its id.
        seed: Where its start came from.
        masks: Draw what the agent sees and keep the masks of what it touches.
    """
    start = demonstration.start
    agent = start.agent
    number = NAME.fullmatch(start.id)
    lamp = demonstration.task.toggle_target
    return Trajectory(
        task_id=name,
        task_type=demonstration.task.type,
        pddl_params=msgspec.convert(demonstration.task.params, episodes.Params),
        scene=episodes.Start(
            dirty_and_empty=False,
            floor_plan=start.id,
            init_action=episodes.InitAction(
                horizon=agent.horizon, rotation=agent.rotation, x=agent.x, y=agent.y, z=agent.z
            ),
            object_poses=_poses(start),
            object_toggles=[episodes.ObjectToggle(lamp, False)] if lamp else [],
            random_seed=seed,
            scene_num=int(number[2]) if number and number[2] else 0,
        ),
        plan=_plan(demonstration, masks),
        turk_annotations=episodes.Annotations(
            [episodes.Annotation(each.goal, list(each.steps), assignment_id="generated") for each in said]
        ),
        images=[],
    )


def _plan(demonstration: Demonstration, masks: bool) -> episodes.Plan:
    world = AlfredWorld(demonstration.start)
    sight = Sight(world.home) if masks else None
    high, low = [], []
    for number, subgoal in enumerate(demonstration.subgoals()):
        before = world.home.things
        for deed in subgoal.deeds:
            low.append(_low(world, deed, number, sight))
            world.act(deed.action, deed.target)
        high.append(_high(subgoal, number, world.home, before))
    end = episodes.HighAction(episodes.HighDiscrete("NoOp", []), len(high), {"action": "End", "value": 1})
    return episodes.Plan([*high, end], low)


def _low(world: AlfredWorld, deed: Deed, high: int, sight: Sight | None) -> episodes.LowAction:
    args = episodes.LowArgs()
    if deed.action in MOVES:
        api: dict[str, Any] = {"action": deed.action, "forceAction": True}
        if deed.action == "MoveAhead":
            api["moveMagnitude"] = 0.25
        return episodes.LowAction(
            api, episodes.LowDiscrete(f"{deed.action}_{DEGREES[deed.action]}", args), high
        )
    assert deed.action in INTERACTIONS and deed.target is not None
    api = {"action": deed.action, "objectId": deed.target}
    if deed.action == "PutObject":
        api = {
            "action": "PutObject",
            "forceAction": True,
            "objectId": world.home.agent.held,
            "placeStationary": True,
            "receptacleObjectId": deed.target,
        }
    if sight is not None:
        mask = sight.mask(deed.target)
        if np.any(mask):
            args = episodes.LowArgs(bbox=box_of(mask), mask=to_runs(mask), point=point_of(mask))
    return episodes.LowAction(api, episodes.LowDiscrete(deed.action, args), high)


def _high(subgoal: SubGoal, number: int, home: World, before: dict[str, Thing]) -> episodes.HighAction:
    step = subgoal.step
    if step.action == "GotoLocation":
        cell, agent = cell_of(home.agent), home.agent
        where = f"loc|{cell.x}|{cell.z}|{agent.rotation // 90}|{agent.horizon}"
        args = [before[step.place].type.lower()]
        return episodes.HighAction(
            episodes.HighDiscrete(step.action, args), number, {"action": step.action, "location": where}
        )
    action = "PutObject" if step.action == "StackObject" else step.action
    thing, place = before[step.thing or step.place], before[step.place]
    args = [thing.type.lower(), place.type.lower()] if action == "PutObject" else [thing.type.lower()]
    planner: dict[str, Any] = {
        "action": action,
        "coordinateObjectId": _coordinates(thing),
        "coordinateReceptacleObjectId": _coordinates(place),
        "forceVisible": True,
        "objectId": thing.id,
    }
    if action == "PutObject":
        planner["receptacleObjectId"] = place.id
    return episodes.HighAction(episodes.HighDiscrete(action, args), number, planner)


def _coordinates(thing: Thing) -> list[Any]:
    """A type and four times its position, each coordinate twice, as official files have it."""
    x, y, z = (round(4 * value, 6) for value in thing.position)
    return [thing.type, [x, x, z, z, y, y]]


def demonstrated(trajectory: Trajectory) -> Demonstration:
    """The demonstration of one of our own trajectories."""
    from housemates.benchmarks.alfred.planning import Step
    from housemates.benchmarks.alfred.sampling import Sample

    task = task_of(str(trajectory.task_type), msgspec.to_builtins(trajectory.pddl_params), trajectory.task_id)
    start = room_start(trajectory)
    world = AlfredWorld(start)
    deeds = []
    for low in trajectory.low_actions:
        deeds.append(Deed(low.name, low.target or None, Step(str(low.high_idx), "", "")))
        world.act(low.name, low.target or None)
    return Demonstration(Sample(task, start.id), start, tuple(deeds), world.digest())
