"""The shortest ways to every pose."""

from __future__ import annotations

import numpy as np
import pytest

from housemates.home import act
from housemates.home.navigation import Pose, path, pose_of, reachable
from housemates.home.routes import Routes
from housemates.home.scenes.generate import generate_room
from housemates.home.world import World

LOOKS = [15, 30]


@pytest.fixture(scope="module")
def world() -> World:
    return World(generate_room("kitchen", np.random.default_rng(7)))


def test_every_cell_in_reach_has_a_way(world: World) -> None:
    routes = Routes(world)
    assert routes.cells == reachable(world)
    assert routes.reached == 4 * len(routes.cells)


def test_poses_come_the_nearest_first_and_all_are_reached(world: World) -> None:
    routes = Routes(world)
    poses = list(routes.poses())
    lengths = [routes.length(pose) for pose in poses]
    assert poses[0] == pose_of(world.agent)
    assert lengths == sorted(lengths)
    assert all(routes.reaches(pose) for pose in poses)


@pytest.mark.parametrize("look_deg", LOOKS)
def test_the_ways_are_as_short_as_can_be_and_lead_there(world: World, look_deg: int) -> None:
    routes = Routes(world, look_deg)
    before = world.snapshot()
    for pose in list(routes.poses())[:: max(1, routes.reached // 12)]:
        goal = pose._replace(horizon=0)
        moves = routes.moves(goal)
        shortest = path(world, goal.__eq__, look_deg=look_deg)
        assert shortest is not None
        assert len(moves) == len(shortest) == routes.length(goal)
        for move in moves:
            act(world, move, **({"degrees": look_deg} if move.startswith("Look") else {}))
        assert pose_of(world.agent) == goal
        world.restore(before)


def test_what_lies_outside_is_not_reached(world: World) -> None:
    routes = Routes(world)
    far = Pose(routes.x0 - 1, routes.z0 - 1, 0, 0)
    assert not routes.reaches(far)
    assert not routes.reaches(far._replace(x=10_000))
