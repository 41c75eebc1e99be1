"""The renderer follows the world: changes are redrawn, what is shut is hidden, what is held moves along."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest
from rooms import Room, room, thing, wall

from housemates.errors import HousematesError
from housemates.home.things import Agent, Structure
from housemates.home.world import HAND_M
from housemates.render.camera import Camera, agent_camera, look_at
from housemates.render.scene import SPARE_FACES, Renderer


def change(world: Room, name: str, **changes: Any) -> None:
    world.things[name] = msgspec.structs.replace(world.things[name], **changes)


def first(world: Room, kind: str) -> str:
    return next(name for name, each in world.things.items() if each.type == kind)


CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("Fridge", {"open": True}),
    ("Apple", {"position": (1.4, 0.905, 0.9)}),
    ("Bread", {"yaw": 75.0}),
    ("Mug", {"liquid": ""}),
    ("Plate", {"dirty": False}),
    ("Potato", {"cooked": True}),
    ("Tomato", {"sliced": True}),
    ("Bowl", {"broken": True}),
    ("Faucet", {"on": False}),
]


@pytest.mark.parametrize(("kind", "changes"), CHANGES)
def test_a_changed_thing_is_drawn_as_by_a_new_renderer(
    kitchen: Room, kind: str, changes: dict[str, Any]
) -> None:
    x, y, z = kitchen.things[first(kitchen, kind)].position
    camera = look_at((x - 0.2, y + 0.5, z - 0.9), (x, y + 0.1, z), 240, 240)
    renderer = Renderer(kitchen)
    before = renderer.frame(camera).rgb
    change(kitchen, first(kitchen, kind), **changes)
    after = renderer.frame(camera)
    fresh = Renderer(kitchen).frame(camera)
    assert (after.rgb == fresh.rgb).all()
    assert (after.ids == fresh.ids).all()
    assert (after.rgb != before).any()


def test_what_grows_and_shrinks_again_and_again_is_drawn_as_by_a_new_renderer(kitchen: Room) -> None:
    name, renderer = first(kitchen, "Fridge"), Renderer(kitchen)
    x, y, z = kitchen.things[name].position
    camera = look_at((x - 0.2, y + 0.5, z - 0.9), (x, y + 0.1, z), 80, 60)
    renderer.frame(camera)
    for number in range(2 * SPARE_FACES // 72):
        change(kitchen, name, open=number % 2 == 0)
        after, fresh = renderer.frame(camera), Renderer(kitchen).frame(camera)
        assert (after.rgb == fresh.rgb).all()
        assert (after.ids == fresh.ids).all()


def test_things_come_and_go(kitchen: Room) -> None:
    renderer = Renderer(kitchen)
    camera = look_at((0.2, 2.0, 0.2), (1.5, 0.9, 1.0), 200, 200)
    apple = first(kitchen, "Apple")
    assert apple in renderer.frame(camera).visible()
    gone = kitchen.things.pop(apple)
    assert apple not in renderer.frame(camera).visible()
    kitchen.things[apple] = gone
    assert apple in renderer.frame(camera).visible()


def test_what_a_closed_thing_holds_is_hidden_even_where_it_sticks_out() -> None:
    drawer = thing("Drawer", 0.0, 0.5, 2.0, 180)
    ladle = thing("Ladle", 0.0, 0.55, 2.0, 0, size=(0.27, 0.3, 0.09), parents=(drawer.id,))
    world = room([drawer, ladle])
    renderer = Renderer(world)
    camera = look_at((0.0, 1.5, 0.5), (0.0, 0.6, 2.0), 200, 200)
    assert ladle.id not in renderer.frame(camera).visible()
    change(world, drawer.id, open=True)
    assert ladle.id in renderer.frame(camera).visible()


def test_what_stands_on_a_toilet_is_seen_though_its_lid_is_down() -> None:
    toilet = thing("Toilet", 0.0, 0.0, 2.0, 180)
    roll = thing("ToiletPaper", 0.0, 1.05, 2.15, parents=(toilet.id,))
    assert roll.id in Renderer(room([toilet, roll])).frame(Camera((0.0, 1.5, 0.0), horizon=10.0)).visible()


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("horizon", [-30, 0, 30, 60])
def test_a_held_thing_and_what_it_carries_stay_before_the_camera(rotation: int, horizon: int) -> None:
    plate = thing("Plate", 0.0, -0.02, 0.0)
    bread = thing("BreadSliced", 0.0, 0.0, 0.0, parents=(plate.id,))
    agent = Agent(1.0, -2.0, rotation, horizon, held=plate.id)
    world = room([plate, bread], agent=agent)
    frame = Renderer(world).frame(agent_camera(agent, 200, 200))
    expected = 100 - frame.camera.focal * HAND_M[1] / HAND_M[2]
    (box,) = (box for box in frame.boxes() if box.id == plate.id)
    assert (box.left + box.right) / 2 == pytest.approx(100.0, abs=2.0)
    assert box.top - 30 < expected < box.bottom + 30
    assert bread.id in frame.visible()


def test_a_held_thing_follows_the_agent(kitchen: Room) -> None:
    apple = first(kitchen, "Apple")
    change(kitchen, apple, position=(0.0, 0.0, 0.0))
    renderer = Renderer(kitchen)
    seen = []
    for x in (0.0, 0.25, 0.5):
        kitchen.agent = Agent(x, 0.0, 0, 0, held=apple)
        seen.append(renderer.frame(agent_camera(kitchen.agent, 100, 100)).mask(apple))
    assert seen[0].any()
    assert (seen[0] == seen[1]).mean() > 0.999
    assert (seen[0] == seen[2]).mean() > 0.999


def test_a_picture_without_what_is_held_shows_what_is_behind_it() -> None:
    plate = thing("Plate", 0.0, -0.02, 0.0)
    bread = thing("BreadSliced", 0.0, 0.0, 0.0, parents=(plate.id,))
    table = thing("DiningTable", 0.0, 0.0, 1.0)
    agent = Agent(0.0, 0.0, 0, 30, held=plate.id)
    camera = agent_camera(agent, 200, 200)
    renderer = Renderer(room([plate, bread, table], agent=agent))
    before = renderer.frame(camera)
    behind = renderer.frame(camera, to_touch=True)
    after = renderer.frame(camera)
    assert {plate.id, bread.id} <= set(before.visible())
    assert (behind.ids == Renderer(room([table], agent=Agent(0.0, 0.0, 0, 30))).frame(camera).ids * 3).all()
    assert (after.ids == before.ids).all()


def test_a_picture_to_touch_does_not_show_what_is_under_water() -> None:
    pot = thing("Pot", 0.0, 0.0, 0.6, liquid="water")
    egg = thing("Egg", 0.0, 0.02, 0.6, parents=(pot.id,))
    camera = Camera((0.0, 1.0, 0.3), horizon=70.0, width=200, height=200)
    renderer = Renderer(room([pot, egg]))
    assert egg.id in renderer.frame(camera).visible()
    assert egg.id not in renderer.frame(camera, to_touch=True).visible()


def test_where_a_picture_is_tangible_a_finger_meets_what_is_seen(kitchen: Room) -> None:
    renderer, answers = Renderer(kitchen), set()
    for rotation in range(0, 360, 30):
        camera = Camera((0.0, 1.5, 0.0), rotation, 20.0, 120, 90)
        seen, met = renderer.frame(camera), renderer.frame(camera, to_touch=True)
        answers.add(renderer.tangible(camera))
        if renderer.tangible(camera):
            assert (seen.ids == met.ids).all() and (seen.depth == met.depth).all()
    assert answers == {True, False}


def test_beside_what_is_held_a_finger_meets_what_is_seen_even_if_water_is_in_it() -> None:
    pot, table = thing("Pot", 0.0, 0.0, 0.0, liquid="water"), thing("DiningTable", 0.0, 0.0, 1.5)
    agent = Agent(0.0, 0.0, held=pot.id)
    renderer, camera = Renderer(room([pot, table], agent=agent)), agent_camera(agent, 120, 90)
    seen, met = renderer.frame(camera), renderer.frame(camera, to_touch=True)
    beside = seen.ids != seen.numbers[pot.id]
    assert renderer.faces.see_through.any()
    assert renderer.tangible(camera) and not beside.all()
    assert (seen.ids[beside] == met.ids[beside]).all() and (seen.depth[beside] == met.depth[beside]).all()


def test_walls_are_seen_from_inside_only(kitchen: Room) -> None:
    renderer = Renderer(kitchen)
    outside = renderer.frame(Camera((0.0, 1.2, -6.0), width=100, height=100, fov=30.0))
    assert {"Floor", "DiningTable"} <= {box.type for box in outside.boxes()}
    inside = renderer.frame(Camera((0.0, 1.8, -1.0), rotation=180.0, width=100, height=100, fov=30.0))
    assert np.isfinite(inside.depth).all()


def test_an_unknown_material_is_named() -> None:
    world = room([], (Structure((0, 0, 0), (1, 1, 1), "unobtainium"),))
    with pytest.raises(HousematesError, match="unobtainium"):
        Renderer(world).frame(Camera((0.0, 1.0, -3.0)))


def test_an_empty_world_is_drawn() -> None:
    assert (Renderer(room([])).frame().ids == 0).all()


def test_an_earlier_frame_can_be_drawn_over(kitchen: Room) -> None:
    renderer = Renderer(kitchen)
    camera = Camera((0.0, 1.5, 0.0))
    frame = renderer.frame(camera)
    expected = frame.rgb.copy()
    renderer.frame(Camera((0.0, 1.5, 0.0), 90.0), out=frame)
    again = renderer.frame(camera, out=frame)
    assert again.rgb.base is frame.rgb.base or np.shares_memory(again.rgb, frame.rgb)
    assert (again.rgb == expected).all()


def test_a_skirting_runs_along_a_wall() -> None:
    world = room([], (wall((-2, 0, 2), (2, 2.5, 2.1)), wall((-2, 0, -2.1), (2, 2.5, -2))))
    frame = Renderer(world).frame(Camera((0.0, 1.0, 0.0), horizon=20.0, width=60, height=60))
    assert len(np.unique(frame.rgb[:, 30][np.isfinite(frame.depth[:, 30])], axis=0)) >= 2
