"""Where the people of recorded games pointed while a door stood open."""

from __future__ import annotations

from collections.abc import Iterator

from housemates.benchmarks.teach.actions import FOLLOWER
from housemates.benchmarks.teach.episodes import Game, Interaction
from housemates.benchmarks.teach.poses import Pose, from_official, of_agent
from housemates.home.scenes.plans.doors import WITH_DOORS, Look
from housemates.home.things import CAMERA_ABOVE_AGENT_M, type_in
from housemates.render.camera import Camera


def looks_of(game: Game) -> Iterator[tuple[str, Look]]:
    """Things with doors, and where people pointed to close them or to reach what is in them."""
    start = game.episode.initial_state
    holders = {record["objectId"]: record.get("parentReceptacles") or () for record in start.objects}
    pose = of_agent(start.agents[FOLLOWER])
    for each in game.episode.interactions:
        if each.agent_id != FOLLOWER or not each.success:
            continue
        if each.action.moves and isinstance(each.pose, list):
            pose = from_official(each.pose)._replace(y=pose.y)
        name = each.action.name
        if name in ("Close", "Place") and isinstance(each.oid, str):
            meant = [each.oid]
        elif name == "Pickup" and isinstance(each.oid, str):
            meant = list(holders.pop(each.oid, ()))
        else:
            continue
        for target in meant:
            if type_in(target) in WITH_DOORS:
                yield target, _look(pose, each, name == "Close")


def _look(pose: Pose, pointing: Interaction, closing: bool) -> Look:
    eye = (pose.x, pose.y + CAMERA_ABOVE_AGENT_M, pose.z)
    camera = Camera(eye, round(pose.rotation / 90) * 90.0, pose.horizon, 1, 1)
    assert isinstance(pointing.x, int | float) and isinstance(pointing.y, int | float)
    x, y, z = camera.ray(pointing.x, pointing.y)
    return Look(
        (round(eye[0], 3), round(eye[1], 3), round(eye[2], 3)),
        (round(x, 4), round(y, 4), round(z, 4)),
        closing,
    )
