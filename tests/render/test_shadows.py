"""Shadows: where things touch level ground, and there only; only colours tell of them."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from rooms import Room, kitchen, room, thing, wall

from housemates.home.things import Agent, Structure, Thing
from housemates.render import raster
from housemates.render.camera import Camera, agent_camera
from housemates.render.frames import Frame
from housemates.render.patterns import textures
from housemates.render.scene import Renderer
from housemates.render.shadows import blobs

FLOOR = wall((-3.0, -0.1, -3.0), (3.0, 0.0, 3.0), "white")
ABOVE = Camera((0.0, 2.0, 0.0), horizon=90.0, width=200, height=200)


def seen(things: list[Thing], floor: Structure = FLOOR, camera: Camera = ABOVE) -> Frame:
    return Renderer(room(things, (floor,))).frame(camera)


def darker(frame: Frame) -> np.ndarray:
    """The pixels of the floor that get less light than the floor in the picture's corner."""
    return (frame.ids == 0) & (frame.rgb.astype(int).sum(axis=2) < int(frame.rgb[0, 0].sum()))


def box(x: float = 0.0, y: float = 0.0, z: float = 0.0, yaw: float = 0.0) -> Thing:
    return thing("Box", x, y, z, yaw, size=(0.5, 0.4, 0.3))


def test_the_ground_is_dark_around_what_stands_on_it_and_lighter_farther_away() -> None:
    frame = seen([box()], camera=Camera((0.0, 1.0, -1.0), horizon=45.0, width=200, height=200))
    column = frame.rgb[:, 100, 0].astype(int)
    edge = int(np.flatnonzero(frame.ids[:, 100] == 1)[-1]) + 1
    assert column[edge] < column[edge + 4] < column[edge + 8] <= column[-1]
    assert column[-1] == frame.rgb[-1, 0, 0]


def test_a_shadow_turns_with_its_thing() -> None:
    turned, straight = darker(seen([box(yaw=90.0)])), darker(seen([box()]))
    assert straight.any()
    assert (straight == turned.T).mean() > 0.98


def test_what_hangs_above_the_ground_casts_none() -> None:
    assert not darker(seen([box(y=1.0)])).any()


def test_what_is_carried_casts_none() -> None:
    held = box(y=0.0)
    carrier = room([held], (FLOOR,), Agent(0.0, 0.0, 0, 60, held=held.id))
    camera = agent_camera(carrier.agent, 100, 100)
    assert not darker(Renderer(carrier).frame(camera)).any()


def test_a_thing_on_a_table_shades_the_table_and_not_the_floor() -> None:
    table = thing("DiningTable", 0.0, 0.0, 0.0, size=(1.6, 0.8, 1.6))
    mug = thing("Mug", 0.0, table.shape_parts()[0].hi[1], 0.0, parents=(table.id,))
    camera = Camera((0.0, 1.6, -0.3), horizon=70.0, width=200, height=200)
    bare, laid = seen([table], camera=camera), seen([table, mug], camera=camera)
    same = bare.ids == laid.ids
    lost = same & (laid.rgb.astype(int).sum(axis=2) < bare.rgb.astype(int).sum(axis=2))
    assert lost.any()
    assert set(np.unique(laid.ids[lost])) == {1}


def test_a_shadow_is_gone_with_what_cast_it_and_comes_with_it() -> None:
    first, second = box(-0.6), box(0.6)
    home = room([first], (FLOOR,))
    renderer = Renderer(home)
    left = darker(renderer.frame(ABOVE))
    home.things[first.id] = msgspec.structs.replace(first, position=second.position)
    right = darker(renderer.frame(ABOVE))
    assert left.any() and right.any() and not (left & right).any()
    fresh = Room(home.scene, home.things, home.agent)
    assert (Renderer(fresh).frame(ABOVE).rgb == renderer.frame(ABOVE).rgb).all()


def test_shadows_change_colours_and_nothing_else() -> None:
    sheet = Renderer(kitchen()).sheet()
    camera = Camera((0.5, 1.5, 0.25), rotation=90.0, horizon=30.0)
    lit = raster.draw(sheet.faces, sheet.groups, [camera], textures())
    shaded = raster.draw(sheet.faces, sheet.groups, [camera], textures(), shadows=sheet.shadows)
    assert (lit.ids == shaded.ids).all() and (lit.depth == shaded.depth).all()
    assert (lit.rgb >= shaded.rgb).all() and (lit.rgb > shaded.rgb).any()


def test_walls_shade_the_floor_along_their_foot() -> None:
    frame = Renderer(room([], (FLOOR, wall((-3.0, 0.0, 0.5), (3.0, 2.5, 0.6))))).frame(ABOVE)
    assert darker(frame)[76:84, 100].any() and not darker(frame)[120:].any()


@pytest.mark.parametrize(("kind", "count"), [("Box", 1), ("Mug", 1), ("DiningTable", 5), ("Chair", 5)])
def test_legs_and_what_they_carry_cast_shadows_of_their_own(kind: str, count: int) -> None:
    assert len(blobs(thing(kind, 0.0, 0.0, 0.0).shape_parts())) == count
