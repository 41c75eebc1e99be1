"""Zones: lattices of places, what turns and tilts on them, and how they are worked out."""

from __future__ import annotations

import itertools

import msgspec
import numpy as np
import pytest

from housemates.home.outlines import NONE, joined, outlines, touching
from housemates.home.scenes.plans.orientation import Rect
from housemates.home.scenes.plans.zones import Seen, find_zones
from housemates.home.things import Thing, Zone, turned
from housemates.home.tilt import TILTS, tilted, upright
from housemates.home.zones import spot_in_zones

TABLE = Thing(
    "table", "DiningTable", (1.0, 0.0, 2.0), (1.6, 1.0, 1.6), zones=(Zone(-0.8, -0.8, 0.8, 0.8, 0.9),)
)
APPLE = Thing("apple", "Apple", (0.0, 0.0, 0.0), (0.1, 0.1, 0.1))
KNIFE = Thing("knife", "Knife", (0.0, 0.0, 0.0), (0.34, 0.05, 0.02))


def place_at(thing: Thing, near, around=NONE):
    spot = spot_in_zones(thing, TABLE, near, around)
    assert spot is not None
    return spot


def test_a_thing_comes_to_the_nearest_inner_corner_of_eight_by_eight() -> None:
    assert place_at(APPLE, (1.07, 0.9, 2.19)).position == pytest.approx((1.0, 0.9, 2.2))
    assert place_at(APPLE, (9.0, 0.9, 2.0)).position == pytest.approx((1.6, 0.9, 2.0))


def test_it_never_sticks_out() -> None:
    spot = place_at(KNIFE, (1.8, 0.9, 2.0))
    assert spot.position[0] + 0.17 < 1.8


def test_it_turns_where_something_is_in_its_way_and_goes_on_where_that_does_not_help() -> None:
    beside = msgspec.structs.replace(APPLE, position=(1.13, 0.9, 2.0))
    spot = place_at(KNIFE, (1.0, 0.9, 2.0), outlines(beside))
    assert spot.position == pytest.approx((1.0, 0.9, 2.0))
    assert spot.yaw == 90.0
    on_it = msgspec.structs.replace(APPLE, position=(1.0, 0.9, 2.0))
    assert place_at(APPLE, (1.0, 0.9, 2.0), outlines(on_it)).position != pytest.approx((1.0, 0.9, 2.0))


def test_what_fits_no_other_way_is_turned_over_and_stands_up_again() -> None:
    posts = [
        msgspec.structs.replace(APPLE, id=str(n), position=(1.0 + x, 0.9, 2.0 + z))
        for n, (x, z) in enumerate([(0.15, 0.0), (-0.15, 0.0), (0.0, 0.15), (0.0, -0.15)])
    ]
    bread = Thing("slice", "BreadSliced", (0.0, 0.0, 0.0), (0.17, 0.15, 0.22), pivot=(0.0, 0.075, 0.0))
    spot = place_at(bread, (1.0, 0.9, 2.0), joined(outlines(post) for post in posts))
    assert spot.tilt in ("", *TILTS)
    for tilt in TILTS:
        lying = tilted(bread, tilt)
        assert sorted(lying.size) == sorted(bread.size)
        back = upright(lying)
        assert back.size == bread.size
        assert back.pivot == pytest.approx(bread.pivot)


def test_round_things_touch_less_than_their_boxes() -> None:
    ball = msgspec.structs.replace(APPLE, position=(0.0, 0.0, 0.0))
    corner = np.array([0.09]), np.array([0.09])
    assert not touching(*corner, 0.049, 0.049, 0.0, outlines(ball))[0]
    assert touching(np.array([0.09]), np.array([0.0]), 0.049, 0.049, 0.0, outlines(ball))[0]


@pytest.mark.parametrize("yaw", [0.0, 90.0, 30.0])
def test_a_zone_is_found_from_what_stood_on_it(yaw: float) -> None:
    rng = np.random.default_rng(7)
    true = Zone(-0.5, -0.3, 0.7, 0.3, 0.02, yaw)
    lattice = list(itertools.product(range(1, 8), range(1, 8)))
    seen = []
    for number in rng.choice(len(lattice), 24, replace=False):
        i, j = lattice[number]
        x, z = turned(-0.5 + i * 0.15, -0.3 + j * 0.075, yaw)
        turns = tuple(int(yaw // 90 == quarter) for quarter in range(4))
        seen.append(Seen(x, 0.02, z, 1, x - 0.02, z - 0.02, x + 0.02, z + 0.02, turns, round(yaw) % 90))
    (found,) = find_zones(seen, Rect(-1.0, -1.0, 1.0, 1.0))
    assert found.yaw == yaw
    assert found[:5] == pytest.approx(true[:5], abs=0.002)
