"""Varied looks: other colours for each seed and thing, nothing else, and steel stays steel."""

from __future__ import annotations

import colorsys

import numpy as np
import pytest

from housemates.errors import HousematesError
from housemates.home import World
from housemates.home.scenes import load
from housemates.home.things import Thing
from housemates.home.types import object_types
from housemates.render.camera import agent_camera
from housemates.render.frames import Frame
from housemates.render.looks import Looks, drawn, looks_named, part_material, seed_for
from housemates.render.materials import load_palette, material
from housemates.render.scene import Renderer

SEEDS = [f"scene/{number}" for number in range(40)]


def picture(seed: str, room: str = "kitchen-03") -> Frame:
    world = World(load(room))
    world.looks = seed
    return Renderer(world).frame(agent_camera(world.agent, 120, 120))


def mug(number: int) -> Thing:
    return Thing(f"Mug|+00.0{number}|+01.00|+00.00", "Mug", (0.0, 1.0, 0.0), (0.1, 0.1, 0.1))


def hue_of(colour: tuple[float, float, float]) -> tuple[float, float, float]:
    return colorsys.rgb_to_hsv(*(part / 255 for part in colour))


def test_a_seed_always_gives_the_same_picture_and_another_one_another() -> None:
    one, again, other = picture("a/1"), picture("a/1"), picture("a/2")
    assert np.array_equal(one.rgb, again.rgb)
    assert np.mean(one.rgb != other.rgb) > 0.5


def test_only_colours_differ_from_plain_looks() -> None:
    plain, varied = picture(""), picture("a/1")
    assert np.array_equal(plain.ids, varied.ids)
    assert np.array_equal(plain.depth, varied.depth)
    assert np.mean(plain.rgb != varied.rgb) > 0.5


def test_looks_leave_the_digest_of_a_world_alone() -> None:
    world = World(load("kitchen-03"))
    before = world.digest()
    world.looks = "a/1"
    assert world.digest() == before


def test_two_mugs_may_have_two_colours_and_a_mug_any_mugs_colour() -> None:
    hues = [hue_of(part_material(mug(1), "", Looks(seed)).colour) for seed in SEEDS]
    bright = sorted(hue for hue, saturation, _ in hues if saturation > 0.2)
    assert len(bright) > 10
    assert bright[-1] - bright[0] > 0.7
    assert any(part_material(mug(1), "", Looks(s)) != part_material(mug(2), "", Looks(s)) for s in SEEDS)


def test_furniture_of_one_palette_name_looks_alike_in_a_scene() -> None:
    cabinet, drawer = (
        Thing(f"{kind}|{x}", kind, (x, 0.0, 0.0), (0.5, 0.5, 0.5))
        for kind, x in (("Cabinet", 1.0), ("Drawer", 2.0))
    )
    name = object_types()["Cabinet"].looks[0]
    assert Looks("s").of_thing(cabinet, name) == Looks("s").of_thing(drawer, name)


def test_steel_stays_steel() -> None:
    for seed in SEEDS:
        _, saturation, value = hue_of(drawn(seed, (), "steel").colour)
        assert saturation < 0.3
        assert value > 0.3


def test_a_piece_that_was_cut_off_looks_like_the_whole() -> None:
    whole = Thing("Potato|+00.01|+01.00|+00.00", "Potato", (0.0, 1.0, 0.0), (0.1, 0.1, 0.1))
    piece = Thing(
        "Potato|+00.01|+01.00|+00.00|PotatoSliced_2", "PotatoSliced", (0.0, 1.0, 0.0), (0.1, 0.1, 0.1)
    )
    assert Looks("s").of_thing(whole, "potato") == Looks("s").of_thing(piece, "potato")


@pytest.mark.parametrize("name", [*load_palette()["materials"], "blue ceramic", "clear glass"])
def test_every_material_keeps_what_is_not_colour(name: str) -> None:
    for seed in SEEDS[:6]:
        own, made = material(name), drawn(seed, (), name)
        assert (made.glow, made.see_through, made.wall) == (own.glow, own.see_through, own.wall)
        assert all(0.0 <= part <= 255.0 for part in (*made.colour, *made.second))


def test_plain_looks_have_no_seed_and_unknown_ones_are_refused() -> None:
    assert seed_for("plain", "episode", 3) == ""
    assert seed_for("varied", "episode", 3) != seed_for("varied", "episode", 4)
    assert looks_named("plain, varied") == ("plain", "varied")
    with pytest.raises(HousematesError, match="looks: expected plain or varied, or both, found 'gaudy'"):
        looks_named("gaudy")
