"""Maps and labels."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest
from rooms import Room

from housemates.home.scenes import load
from housemates.home.things import Agent
from housemates.render import maps, overlay
from housemates.render.camera import Camera
from housemates.render.scene import Renderer


def test_the_map_marks_the_agent_where_it_stands(kitchen: Room) -> None:
    renderer = Renderer(kitchen)
    kitchen.agent = Agent(0.5, 0.25, 0)
    camera = maps.map_camera(kitchen, 300)
    column, row, _ = camera.pixel((0.5, 0.0, 0.25))
    shown = maps.top_down(renderer, 300)
    assert shown.shape == (camera.height, camera.width, 3)
    assert tuple(shown[int(row) + 3, int(column)]) == maps.AGENT_COLOURS[0]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_the_view_cone_ends_at_walls(kitchen: Room, rotation: int) -> None:
    for x, z in ((-1.6, -1.6), (1.6, 1.6), (0.0, 0.0)):
        corners = maps.view_cone(Agent(x, z, rotation), kitchen.scene)
        assert max(abs(each) for corner in corners for each in corner) <= 2.0 + 1e-9
        assert max(math.dist((x, z), corner) for corner in corners) <= maps.VIEW_M + 1e-9


def test_the_view_cone_does_not_lead_out_of_a_window() -> None:
    scene = load("kitchen-30")
    wall = max(each.hi[0] for each in scene.structures)
    nowhere = msgspec.structs.replace(scene, structures=())
    ahead = Agent(wall - 1.1, 0.0, 90)
    assert max(x for x, _ in maps.view_cone(ahead, nowhere)) == pytest.approx(wall + 0.4)
    assert max(x for x, _ in maps.view_cone(ahead, scene)) == pytest.approx(wall)


def test_the_view_cone_lies_ahead(kitchen: Room) -> None:
    renderer = Renderer(kitchen)
    empty = maps.top_down(renderer, 300, agents=[])
    camera = maps.map_camera(kitchen, 300)
    for rotation, ahead in ((0, (0.0, 1.0)), (90, (1.0, 0.0)), (180, (0.0, -1.0)), (270, (-1.0, 0.0))):
        shown = maps.top_down(renderer, 300, agents=[Agent(0.0, 0.0, rotation)])
        for sign in (1.0, -1.0):
            column, row, _ = camera.pixel((sign * ahead[0], 0.0, sign * ahead[1]))
            changed = (shown[int(row), int(column)] != empty[int(row), int(column)]).any()
            assert changed == (sign > 0)


def test_a_trail_is_drawn(kitchen: Room) -> None:
    renderer = Renderer(kitchen)
    plain = maps.top_down(renderer, 200)
    trail = maps.top_down(renderer, 200, trail=[(-1.0, 0.5), (0.0, 0.5), (0.0, 0.0)])
    assert (plain != trail).any()


def test_a_home_without_walls_has_a_map(kitchen: Room) -> None:
    kitchen.scene = type(kitchen.scene)("bare", "kitchen", kitchen.scene.things, kitchen.agent)
    assert max(maps.top_down(Renderer(kitchen), 120).shape) == 120


def test_names_leave_the_frame_alone(kitchen: Room) -> None:
    frame = Renderer(kitchen).frame(Camera((0.5, 1.5, 0.25), 90.0, 30.0))
    before = frame.rgb.copy()
    assert (overlay.named(frame) != before).any()
    assert (frame.rgb == before).all()


def test_the_edge_of_a_mask_is_its_outermost_pixels() -> None:
    mask = np.zeros((9, 9), np.bool_)
    mask[2:7, 2:7] = True
    inside = np.zeros_like(mask)
    inside[3:6, 3:6] = True
    assert (overlay.edge(mask) == (mask & ~inside)).all()


def test_each_thing_has_its_own_colour(kitchen: Room) -> None:
    frame = Renderer(kitchen).frame(Camera((0.5, 1.5, 0.25), 90.0, 30.0))
    colours = np.unique(overlay.instance_colours(frame).reshape(-1, 3), axis=0)
    assert len(colours) == len(np.unique(frame.ids))
