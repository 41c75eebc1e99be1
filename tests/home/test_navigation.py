"""Where one can stand and how one gets there."""

from __future__ import annotations

import itertools
import math
from collections import deque

import msgspec
import pytest

from housemates.home import Agent, Scene, Thing, World, act
from housemates.home.geometry import in_reach, part_boxes, visible
from housemates.home.navigation import (
    Cell,
    Pose,
    agent_at,
    blocks,
    cell_of,
    grid,
    path,
    pose_of,
    reachable,
    standing_poses,
)
from housemates.home.things import AGENT_RADIUS_M, GRID_M

MOVES = ("Forward", "TurnRight", "TurnLeft", "LookDown", "LookUp")


def room(*tables: tuple[float, float, float, float]) -> World:
    """A bare room of 2 x 2 m with boxes of the given middles and sizes."""
    floor = Thing("Floor|0", "Floor", (0.0, 0.0, 0.0), (2.0, 0.01, 2.0))
    boxes = [
        Thing(f"GarbageCan|{i}", "GarbageCan", (x, 0.0, z), (wide, 0.6, deep))
        for i, (x, z, wide, deep) in enumerate(tables)
    ]
    return World(Scene("room", "bedroom", (floor, *boxes), Agent(-0.75, -0.75, horizon=0)))


def brute_force(world: World, goal: Pose) -> int | None:
    """The number of moves to a pose, found by trying every action in the real world."""
    start = pose_of(world.agent)
    distance, queue = {start: 0}, deque([(start, world.snapshot())])
    while queue:
        pose, state = queue.popleft()
        if pose == goal:
            return distance[pose]
        for move in MOVES:
            world.restore(state)
            act(world, move)
            after = pose_of(world.agent)
            if after not in distance:
                distance[after] = distance[pose] + 1
                queue.append((after, world.snapshot()))
    return None


@pytest.mark.parametrize("goal", [Pose(3, 3, 180, 0), Pose(3, -3, 90, 30), Pose(-3, 3, 0, -30)])
@pytest.mark.parametrize(
    "tables", [[], [(0.0, 0.0, 0.8, 0.4)], [(0.0, -0.5, 0.1, 0.9), (0.3, 0.8, 0.3, 0.2)]]
)
def test_paths_are_the_shortest_and_can_be_walked(tables, goal) -> None:
    world = room(*tables)
    start = world.snapshot()
    moves = path(world, lambda pose: pose == goal)
    shortest = brute_force(world, goal)
    world.restore(start)
    assert moves is not None
    assert len(moves) == shortest
    assert all(act(world, move).success for move in moves)
    assert pose_of(world.agent) == goal


def test_there_is_no_path_through_a_wall_of_boxes() -> None:
    world = room((0.0, 0.0, 2.0, 0.1))
    assert path(world, lambda pose: pose.z > 0) is None
    assert max(cell.z for cell in reachable(world)) < 0


def test_already_there_is_an_empty_path() -> None:
    world = room()
    assert path(world, lambda pose: pose == pose_of(world.agent)) == []


def test_the_agent_keeps_its_radius_from_everything(kitchen) -> None:
    world = kitchen.world
    rows = [part_boxes(thing) for thing in world.things.values() if blocks(world, thing)]
    low = [box for boxes in rows for box in boxes.tolist() if box[4] > 0.1 and box[1] < 1.7]
    for cell in grid(world).cells():
        x, z = cell.x * GRID_M, cell.z * GRID_M
        for x0, _, z0, x1, _, z1 in low:
            distance = math.hypot(max(x0 - x, 0, x - x1), max(z0 - z, 0, z - z1))
            assert distance >= AGENT_RADIUS_M - 1e-5


def test_no_cell_is_left_out(kitchen) -> None:
    world = kitchen.world
    boxes = [
        box
        for thing in world.things.values()
        if blocks(world, thing)
        for box in part_boxes(thing).tolist()
        if box[4] > 0.1 and box[1] < 1.7
    ]
    boxes += [[*body.lo, *body.hi] for body in world.scene.structures]
    free = set(grid(world).cells())
    for x, z in itertools.product(range(-9, 10), range(-7, 8)):
        clear = all(
            math.hypot(max(b[0] - x / 4, 0, x / 4 - b[3]), max(b[2] - z / 4, 0, z / 4 - b[5]))
            > AGENT_RADIUS_M
            for b in boxes
        )
        assert clear == (Cell(x, z) in free), (x, z)


def test_open_doors_block_and_closed_ones_do_not(kitchen) -> None:
    before = set(grid(kitchen.world).cells())
    for kind in ("Fridge", "Cabinet", "Drawer"):
        start = kitchen.world.snapshot()
        kitchen.do("Open", kind)
        assert set(grid(kitchen.world).cells()) < before, kind
        kitchen.do("Close", kind)
        assert set(grid(kitchen.world).cells()) == before
        kitchen.world.restore(start)


def test_a_given_grid_is_taken_as_it_is(kitchen) -> None:
    scene = msgspec.structs.replace(kitchen.world.scene, walkable=((0, 0), (0, 1), (1, 1)))
    world = World(scene)
    assert set(grid(world).cells()) == {Cell(0, 0), Cell(0, 1), Cell(1, 1)}
    assert not act(world, "PanRight").success
    assert act(world, "Forward").success
    assert act(world, "PanRight").success


def test_every_reachable_cell_can_be_walked_to(kitchen) -> None:
    world = kitchen.world
    start = world.snapshot()
    for cell in sorted(reachable(world))[::12]:
        world.restore(start)
        moves = path(world, lambda pose, cell=cell: (pose.x, pose.z) == cell)
        assert moves is not None
        assert all(act(world, move).success for move in moves)
        assert cell_of(world.agent) == cell


@pytest.mark.parametrize("kind", ["Mug", "Fridge", "StoveKnob", "HousePlant", "SinkBasin"])
def test_from_standing_poses_a_thing_is_seen_and_reached(kitchen, kind) -> None:
    poses = standing_poses(kitchen.world, kitchen[kind])
    assert poses
    for pose in poses[::20]:
        agent = agent_at(kitchen.world.agent, pose)
        assert in_reach(agent, kitchen[kind])
        assert visible(kitchen.world, agent, kitchen[kind])


def test_what_is_shut_in_is_not_visible(kitchen) -> None:
    kitchen.change("Fridge", open=True)
    kitchen.add("Tomato", "Fridge")
    pose = standing_poses(kitchen.world, kitchen["Tomato"])[0]
    agent = agent_at(kitchen.world.agent, pose)
    assert visible(kitchen.world, agent, kitchen["Tomato"])
    kitchen.change("Fridge", open=False)
    assert not visible(kitchen.world, agent, kitchen["Tomato"])
