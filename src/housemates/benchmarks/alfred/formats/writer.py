"""Demonstrations in our rooms as official trajectories."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from msgspec import UNSET

from housemates.benchmarks.alfred.formats import episodes
from housemates.benchmarks.alfred.formats.episodes import Trajectory
from housemates.benchmarks.alfred.formats.rooms import object_poses
from housemates.benchmarks.alfred.generate.demonstration import Demonstration, SubGoal
from housemates.benchmarks.alfred.generate.speech import Directive
from housemates.benchmarks.alfred.tasks.planning import PlannedAction
from housemates.benchmarks.alfred.world.agent_camera import Sight
from housemates.benchmarks.alfred.world.dynamics import INTERACTIONS, MOVES, AlfredWorld
from housemates.benchmarks.alfred.world.masks import Mask, box_of, point_of, to_runs
from housemates.home.navigation import cell_of
from housemates.home.scenes.catalogue import NAME
from housemates.home.things import Thing
from housemates.home.world import World
from housemates.reporting.video import Picture

DEGREES = {"MoveAhead": "25", "RotateRight": "90", "RotateLeft": "90", "LookUp": "15", "LookDown": "15"}
PICTURES = "raw_images"
"""The folder beside a trajectory that holds the pictures it names."""
VOTES = [1, 1]
"""Two who find a description right, as most official ones have it: ours are true of the scene."""


def trajectory_of(
    demonstration: Demonstration, said: list[Directive], name: str, seed: int, masks: bool = False
) -> Trajectory:
    """A demonstration as an official trajectory.

    Args:
        demonstration: What the expert did.
        said: What people might say about it.
        name: Its id.
        seed: Where its start came from.
        masks: Keep the masks of what it touches, not only their boxes and points.
    """
    start = demonstration.start
    agent = start.agent
    number = NAME.fullmatch(start.id)
    lamp = demonstration.task.toggle_target
    plan = _plan(demonstration, masks)
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
            object_poses=object_poses(start),
            object_toggles=[episodes.ObjectToggle(lamp, False)] if lamp else [],
            random_seed=seed,
            scene_num=int(number[2]) if number and number[2] else 0,
        ),
        plan=plan,
        turk_annotations=episodes.Annotations(
            [episodes.Annotation(each.goal, list(each.steps), "generated", VOTES) for each in said]
        ),
        images=[
            episodes.Image(low.high_idx, picture_name(number), number)
            for number, low in enumerate(plan.low_actions)
        ],
    )


def picture_name(number: int) -> str:
    """The name of the picture that is seen before the low-level action of this number."""
    return f"{number:09}.png"


def pictures_of(demonstration: Demonstration) -> list[Picture]:
    """What the agent sees before each of its actions, and after the last.

    The last one is not among a trajectory's `images`, which official programs expect: they look for one
    picture more than there are actions.
    """
    world = AlfredWorld(demonstration.start)
    sight = Sight(world.home)
    found = []
    for deed in demonstration.deeds:
        found.append(sight.look().rgb.copy())
        world.act(deed.action, deed.target)
    return [*found, sight.look().rgb.copy()]


def _plan(demonstration: Demonstration, masks: bool) -> episodes.Plan:
    world = AlfredWorld(demonstration.start)
    sight = Sight(world.home)
    high, low = [], []
    for number, subgoal in enumerate(demonstration.subgoals()):
        before = world.home.things
        for deed in subgoal.deeds:
            low.append(_low(world, deed, number, sight, masks))
            world.act(deed.action, deed.target)
        high.append(_high(subgoal, number, world.home, before))
    end = episodes.HighAction(episodes.HighDiscrete("NoOp", []), len(high), {"action": "End", "value": 1})
    return episodes.Plan([*high, end], low)


def _low(world: AlfredWorld, deed: PlannedAction, high: int, sight: Sight, masks: bool) -> episodes.LowAction:
    if deed.action in MOVES:
        api: dict[str, Any] = {"action": deed.action, "forceAction": True}
        if deed.action == "MoveAhead":
            api["moveMagnitude"] = 0.25
        words = f"{deed.action}_{DEGREES[deed.action]}"
        return episodes.LowAction(api, episodes.LowDiscrete(words, episodes.LowArgs()), high)
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
    args = _args(sight.mask(deed.target), masks)
    return episodes.LowAction(api, episodes.LowDiscrete(deed.action, args), high)


def _args(mask: Mask, masks: bool) -> episodes.LowArgs:
    """Where a thing is in the picture; nothing if it does not show."""
    if not np.any(mask):
        return episodes.LowArgs()
    return episodes.LowArgs(box_of(mask), to_runs(mask) if masks else UNSET, point_of(mask))


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
