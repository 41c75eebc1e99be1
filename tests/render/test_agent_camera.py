"""Eyes: the picture now is always the one that a new renderer would draw."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import numpy as np
import pytest
from rooms import Room

from housemates.render.agent_camera import Eyes, Gallery
from housemates.render.camera import agent_camera
from housemates.render.scene import Renderer

SIZE = (80, 60)
TURNS = (0, 90, 0, 90, 180, 90, 90, 0, 270, 0)


def turn(world: Room, rotation: int) -> None:
    world.agent = msgspec.structs.replace(world.agent, rotation=rotation)


def assert_true(eyes: Eyes) -> None:
    fresh = Renderer(eyes.world).frame(agent_camera(eyes.world.agent, *SIZE))
    frame = eyes.look()
    assert frame.camera == fresh.camera and frame.labels == fresh.labels
    for name in ("rgb", "ids", "depth"):
        assert np.array_equal(getattr(frame, name), getattr(fresh, name)), name


@pytest.mark.parametrize("holds", [False, True])
def test_who_turns_back_sees_what_there_is(kitchen: Room, holds: bool) -> None:
    name = next(name for name, each in kitchen.things.items() if each.can("pickup"))
    if holds:
        held = msgspec.structs.replace(kitchen.things[name], position=(0.0, 0.0, 0.0), yaw=0.0, parents=())
        kitchen.things[name] = held
        kitchen.agent = msgspec.structs.replace(kitchen.agent, held=name)
    eyes = Eyes(kitchen, *SIZE)
    for rotation in TURNS:
        turn(kitchen, rotation)
        assert_true(eyes)


def test_who_turns_back_sees_what_has_changed_meanwhile(kitchen: Room) -> None:
    eyes, names = Eyes(kitchen, *SIZE), list(kitchen.things)
    for number, rotation in enumerate(TURNS):
        turn(kitchen, rotation)
        thing = kitchen.things[names[number]]
        raised = (thing.position[0], thing.position[1] + 0.1, thing.position[2])
        kitchen.things[thing.id] = msgspec.structs.replace(thing, position=raised)
        assert_true(eyes)


def test_a_picture_is_drawn_once_for_who_looks_back_and_forth(
    kitchen: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, draw = [], Renderer.drawn
    monkeypatch.setattr(Renderer, "drawn", lambda *given: drawn.append(given[1]) or draw(*given))
    eyes = Eyes(kitchen, *SIZE)
    for rotation in (0, 90, 0, 90, 0):
        turn(kitchen, rotation)
        eyes.look()
    assert len(drawn) == 2


def test_eyes_of_a_gallery_see_the_same_when_they_look_by_themselves(kitchen: Room) -> None:
    eyes, gallery = Eyes(kitchen, *SIZE), Gallery(1, *SIZE)
    for before, after in pairwise(TURNS):
        turn(kitchen, before)
        assert_true(eyes)
        assert np.array_equal(gallery.arrays([eyes])["rgb"][0], eyes.look().rgb)
        turn(kitchen, after)
        assert_true(eyes)
        assert np.array_equal(gallery.arrays([eyes])["rgb"][0], eyes.look().rgb)
