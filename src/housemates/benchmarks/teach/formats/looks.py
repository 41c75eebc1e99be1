"""Where the people of recorded games stood and pointed when they used things with doors."""

from __future__ import annotations

from collections.abc import Iterator

from housemates.benchmarks.teach.formats.episodes import Game, Interaction
from housemates.benchmarks.teach.world.actions import FOLLOWER
from housemates.benchmarks.teach.world.poses import Pose, from_official, of_agent
from housemates.home.scenes.plans.doors import WITH_DOORS, Look
from housemates.home.things import CAMERA_ABOVE_AGENT_M, type_in
from housemates.home.types import Vec
from housemates.render.camera import Camera


def looks_of(game: Game) -> Iterator[tuple[str, Look]]:
    """Things with doors, and where people pointed to open or close them or to reach what is in them."""
    start = game.episode.initial_state
    holders = {record["objectId"]: record.get("parentReceptacles") or () for record in start.objects}
    pose = of_agent(start.agents[FOLLOWER])
    for each in game.episode.interactions:
        if each.agent_id != FOLLOWER or not each.success:
            continue
        if each.action.moves and isinstance(each.pose, list):
            pose = from_official(each.pose)._replace(y=pose.y)
        name = each.action.name
        if name in ("Open", "Close", "Place") and isinstance(each.oid, str):
            meant = [each.oid]
        elif name == "Pickup" and isinstance(each.oid, str):
            meant = list(holders.pop(each.oid, ()))
        else:
            continue
        for target in meant:
            if type_in(target) in WITH_DOORS:
                yield target, _look(pose, each)


def _look(pose: Pose, pointing: Interaction) -> Look:
    eye = (pose.x, pose.y + CAMERA_ABOVE_AGENT_M, pose.z)
    camera = Camera(eye, round(pose.rotation / 90) * 90.0, pose.horizon, 1, 1)
    assert isinstance(pointing.x, int | float) and isinstance(pointing.y, int | float)
    return Look(_rounded(eye, 3), _rounded(camera.ray(pointing.x, pointing.y), 4), pointing.action.name)


def _rounded(point: Vec, digits: int) -> Vec:
    x, y, z = (round(value, digits) for value in point)
    return (x, y, z)
