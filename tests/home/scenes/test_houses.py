"""Houses of ProcTHOR's format are whole homes: they validate, and one walks through and sees them."""

from __future__ import annotations

import copy
import json
import math
from functools import cache
from typing import Any

import numpy as np
import pytest

from fixtures.houses import generate
from housemates.errors import HousematesError
from housemates.home import Scene, World, act
from housemates.home.navigation import Pose, agent_at, cell_of, grid, reachable
from housemates.home.routes import Routes
from housemates.home.scenes.houses import House, house_from_data
from housemates.home.scenes.houses.assets import type_of
from housemates.home.scenes.houses.records import Point
from housemates.home.scenes.houses.shell import rectangles
from housemates.home.scenes.validate import faults, open_passages
from housemates.home.things import GRID_M, floor_boxes
from housemates.render.camera import Camera
from housemates.render.scene import Renderer

pytestmark = pytest.mark.slow
SEEDS = range(10)


@cache
def imported(seed: int) -> House:
    """House number so and so; it has two to six rooms."""
    return house_from_data(generate(seed, 2 + seed % 5), f"house-{seed}.json", f"house-{seed}")


def scene(seed: int) -> Scene:
    return imported(seed).scene


def rooms_of(world: World) -> dict[str, list[tuple[float, float, float, float]]]:
    return {floor.id: floor_boxes(floor) for floor in world.of_type("Floor")}


def room_at(world: World, x: float, z: float) -> str:
    """The floor on which a place is."""
    return next(
        name
        for name, boxes in rooms_of(world).items()
        if any(x0 <= x <= x1 and z0 <= z <= z1 for x0, z0, x1, z1 in boxes)
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_a_house_has_all_its_rooms_and_no_faults(seed: int) -> None:
    assert len(rooms_of(World(scene(seed)))) == 2 + seed % 5
    assert faults(scene(seed)) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_every_cell_of_every_room_is_reached_when_the_doors_are_open(seed: int) -> None:
    world = World(scene(seed))
    open_passages(world)
    cells = reachable(world)
    assert set(grid(world).cells()) == cells
    assert {room_at(world, cell.x * GRID_M, cell.z * GRID_M) for cell in cells} == set(rooms_of(world))


@pytest.mark.parametrize("seed", SEEDS)
def test_an_agent_walks_through_all_rooms_and_opens_doors_on_its_way(seed: int) -> None:
    world, seen = World(scene(seed)), set()
    wanted = set(rooms_of(world))
    for _ in range(30):
        routes = Routes(world)
        seen.add(room_at(world, world.agent.x, world.agent.z))
        ahead = [
            pose for pose in routes.poses() if room_at(world, pose.x * GRID_M, pose.z * GRID_M) not in seen
        ]
        if ahead:
            for move in routes.moves(ahead[0]):
                assert act(world, move).success
        elif seen == wanted:
            return
        else:
            _open_a_door(world, routes)
    pytest.fail(f"{wanted - seen} was never entered")


def _open_a_door(world: World, routes: Routes) -> None:
    """Go where one of the doors that are shut can be opened, and open it."""
    shut = [door for door in world.of_type("Doorway") if not door.open]
    before = world.snapshot()
    for pose in routes.poses():
        for move in routes.moves(pose):
            act(world, move)
        if any(act(world, "Open", target=door.id).success for door in shut):
            return
        world.restore(before)
    pytest.fail("no door can be opened")


def test_a_shut_door_is_in_the_way_until_it_is_opened_and_stays_open_while_one_stands_in_it() -> None:
    world = World(next(each for seed in SEEDS for each in [scene(seed)] if has_door(each)))
    open_passages(world)
    door = world.of_type("Doorway")[0]
    here = (round(door.position[0] / GRID_M), round(door.position[2] / GRID_M))
    across = reachable(world)
    inside = min(across, key=lambda cell: (cell.x - here[0]) ** 2 + (cell.z - here[1]) ** 2)
    world.agent = agent_at(world.agent, Pose(*inside, 0, 0))
    assert not act(world, "Close", target=door.id).success
    world.agent = world.scene.agent
    world.update(door, open=False)
    assert len(reachable(world)) < len(across)
    assert inside not in reachable(world)


def has_door(each: Scene) -> bool:
    return any(thing.type == "Doorway" for thing in each.things)


@pytest.mark.parametrize("seed", (1, 4))
def test_walls_are_seen_from_both_sides(seed: int) -> None:
    world = World(scene(seed))
    renderer = Renderer(world)
    for boxes in rooms_of(world).values():
        x0, z0, x1, z1 = max(boxes, key=lambda box: (box[2] - box[0]) * (box[3] - box[1]))
        for turn in (0.0, 90.0, 180.0, 270.0):
            eye = ((x0 + x1) / 2, 1.5, (z0 + z1) / 2)
            depth = renderer.frame(Camera(eye, turn, 0.0, 90, 90, 60.0)).depth
            assert np.isfinite(depth[45:]).all()


def test_a_house_comes_out_the_same_each_time_and_from_both_schemas() -> None:
    again = house_from_data(generate(1, 3), "house-1.json", "house-1")
    assert again == imported(1)
    old = house_from_data(generate(1, 3, "0.0.1"), "house-1.json", "house-1")
    assert old.scene == imported(1).scene


def test_what_has_no_counterpart_is_named_once() -> None:
    notes = [note for seed in SEEDS for note in imported(seed).notes if note.startswith("no counterpart")]
    assert set(notes) == {"no counterpart: Washing_Machine_1"}


def test_states_and_names_are_those_of_the_file() -> None:
    things = {
        thing.name: thing for seed in SEEDS for thing in scene(seed).things if thing.type == "FloorLamp"
    }
    assert things
    assert all(thing.on for thing in things.values())


@pytest.mark.parametrize(
    ("asset", "kind"),
    [
        ("Dining_Table_204_1", "DiningTable"),
        ("RoboTHOR_sofa_ektorp_v", "Sofa"),
        ("bin_12", "GarbageCan"),
        ("TV_Stand_205_2", "TVStand"),
        ("Wall_Decor_Photo_3V", "Painting"),
        ("BaseballBat_2", "BaseballBat"),
        ("RoboTHOR_dining_table_antas", "DiningTable"),
        ("ButterKnife_1", "ButterKnife"),
        ("CD_1", "CD"),
        ("Washing_Machine_1", ""),
        ("6f0c1b", ""),
    ],
)
def test_an_assets_name_tells_its_type(asset: str, kind: str) -> None:
    assert type_of(asset) == kind


def test_an_outline_with_corners_is_cut_into_rectangles_of_the_same_area() -> None:
    corners = ((0, 0), (0, 4), (2, 4), (2, 6), (5, 6), (5, 1), (3, 1), (3, 0))
    found = rectangles([Point(x, 0.0, z) for x, z in corners])
    assert sum((rect.x1 - rect.x0) * (rect.z1 - rect.z0) for rect in found) == 24
    assert not any(a.overlaps(b) for a in found for b in found if a != b)


def changed(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """A house with another value at one place."""
    data = copy.deepcopy(generate(2, 4))
    place: Any = data
    for step in path[:-1]:
        place = place[step]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("rooms",), [], "rooms: expected 1 to 64, found 0."),
        (("rooms", 1, "id"), ..., "rooms[1]: the field 'id' is missing."),
        (("rooms", 0, "floorPolygon", 2, "x"), "wide", "rooms[0].floorPolygon[2].x: expected a number"),
        (("rooms", 0, "floorPolygon"), [{"x": 0, "z": 0}], "expected four points or more, found 1."),
        (("rooms", 0, "floorPolygon", 1), {"x": 1.5, "z": 2.5}, "floorPolygon: expected sides along x or z"),
        (("rooms", 1, "id"), "room|2", "rooms[1].id: 'room|2' is used twice."),
        (("walls", 3, "polygon"), [], "walls[3].polygon: expected two points at its foot."),
        (("doors", 0, "wall0"), "wall|9", "doors[0].wall0: there is no wall 'wall|9'."),
        (("doors", 0, "holePolygon"), None, "doors[0].holePolygon: expected two points."),
        (("objects", 0, "position", "y"), 1e9, "objects[0].position: expected metres up to 100"),
        (("objects", 0, "rotation", "y"), math.nan, "objects[0].rotation: expected degrees, found nan."),
        (("objects", 0, "children"), 7, "objects[0].children: expected a list or null, found 7."),
        (("metadata", "agent", "position"), ..., "metadata.agent: the field 'position' is missing."),
    ],
)
def test_a_house_that_is_wrong_is_refused_in_one_sentence(
    path: tuple[Any, ...], value: Any, told: str
) -> None:
    with pytest.raises(HousematesError) as error:
        house_from_data(changed(path, value), "home.json", "home")
    assert str(error.value).startswith("home.json: ")
    assert told in str(error.value)
    assert str(error.value).count("\n") == 0


def test_a_house_without_walls_doors_and_things_is_a_bare_floor() -> None:
    floor = [{"x": x, "y": 0, "z": z} for x, z in ((0, 0), (0, 3), (4, 3), (4, 0))]
    made = house_from_data({"rooms": [{"id": "room|1", "floorPolygon": floor}]}, "bare.json", "bare").scene
    assert [thing.type for thing in made.things] == ["Floor"]
    assert cell_of(made.agent) in reachable(World(made))


def test_json_and_scene_file_of_a_house_are_the_same_home(tmp_path: Any) -> None:
    from housemates.home.scenes.files import load_scene, save_scene

    raw, saved = tmp_path / "house-5.json", tmp_path / "saved.json"
    raw.write_text(json.dumps(generate(5, 2)))
    save_scene(load_scene(raw), saved)
    assert load_scene(saved) == load_scene(raw)
