"""Start states: floor plans rebuilt for demonstrations."""

from __future__ import annotations

import json
from typing import Any

import pytest

from housemates.benchmarks.alfred.formats.episodes import Trajectory, TrajectoryText
from housemates.benchmarks.alfred.formats.replay import replay, thing_near
from housemates.benchmarks.alfred.formats.scenes import official_id, scene_of, with_way_in
from housemates.data.store import Store
from housemates.errors import HousematesError
from housemates.home.navigation import Cell, cell_of, grid
from housemates.home.world import World


def test_every_recorded_target_is_in_the_start_state(store: Store, trajectories: list[Trajectory]) -> None:
    for each in trajectories:
        things = scene_of(each, store).things
        first = next(low.target for low in each.low_actions if low.name == "PickupObject")
        assert thing_near(things, first) is not None, each.task_id


def test_a_start_state_has_alfreds_camera_and_a_way_to_go(
    store: Store, trajectories: list[Trajectory]
) -> None:
    for each in trajectories:
        scene = scene_of(each, store)
        assert scene.agent.fov == 60 and scene.agent.horizon == 30
        here = cell_of(scene.agent)
        around = [Cell(here.x + dx, here.z + dz) for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        cells = set(grid(World(scene)).cells())
        assert here in cells
        assert any(cell in cells for cell in around), each.task_id


def test_no_drawer_hangs_out_at_the_start(store: Store, trajectories: list[Trajectory]) -> None:
    drawers = [
        thing for each in trajectories for thing in scene_of(each, store).things if thing.type == "Drawer"
    ]
    assert drawers and not any(each.open for each in drawers)
    handle = 0.021
    for each in drawers:
        assert all(part.hi[2] <= each.size[2] / 2 + handle for part in each.shape_parts())


def test_what_lies_in_a_box_or_on_a_table_has_it_as_parent(
    store: Store, trajectories: list[Trajectory]
) -> None:
    told = agreed = 0
    for each in trajectories:
        things = {thing.id: thing for thing in scene_of(each, store).things}
        for high in each.plan.high_pddl:  # type: ignore[union-attr]
            action = high.planner_action
            if action["action"] == "PickupObject" and "coordinateReceptacleObjectId" in action:
                thing = things.get(action["objectId"])
                if thing is not None:
                    told += 1
                    agreed += thing.parents[:1] and thing.parents[0].startswith(
                        action["coordinateReceptacleObjectId"][0].removesuffix("Basin")
                    )
    assert agreed >= 0.75 * told


def test_unknown_plans_and_objects_are_named(store: Store, trajectories: list[Trajectory]) -> None:
    elsewhere = TrajectoryText("x", json.dumps(_in_plan(trajectories[0], "FloorPlan999"))).parse()
    with pytest.raises(HousematesError, match="FloorPlan999"):
        scene_of(elsewhere, store)
    fields = json.loads(trajectories[0].to_json())
    fields["scene"]["object_poses"][0]["objectName"] = "Unicorn_1"
    with pytest.raises(HousematesError, match=r"object_poses\[0\].*Unicorn"):
        scene_of(TrajectoryText("x", json.dumps(fields)).parse(), store)
    fields = json.loads(trajectories[0].to_json())
    touch = next(low for low in fields["plan"]["low_actions"] if "objectId" in low["api_action"])
    touch["api_action"]["objectId"] = "Mug|+77.00|+00.90|+77.00"
    strange = TrajectoryText("x", json.dumps(fields)).parse()
    with pytest.raises(HousematesError, match=r"has no object 'Mug\|\+77.00"):
        replay(strange, scene_of(strange, store), look=False)


def test_ids_have_no_sign_before_a_zero() -> None:
    assert official_id("Knife", (0.004, -0.79, 6.54)) == "Knife|00.00|-00.79|+06.54"


def test_an_unknown_start_is_joined_to_the_known_floor(store: Store, trajectories: list[Trajectory]) -> None:
    scene = scene_of(trajectories[0], store)
    known = set(scene.walkable or ())
    assert with_way_in(scene, Cell(*min(known))) == known
    far = Cell(min(known)[0] - 2, min(known)[1])
    assert known < with_way_in(scene, far)


def _in_plan(trajectory: Trajectory, plan: str) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(trajectory.to_json())
    fields["scene"]["floor_plan"] = plan
    return fields
