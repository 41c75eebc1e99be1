"""Counters, what is under and over them, and what stands beyond their edges."""

from __future__ import annotations

import itertools

import msgspec
import numpy as np
import pytest

from housemates.home.backdrop import backing
from housemates.home.outlines import touching
from housemates.home.scenes.plans.fronts import edges, front_of, rooms_before
from housemates.home.scenes.plans.orientation import Rect, face_room
from housemates.home.scenes.plans.surfaces import NOWHERE, counter, walked_points
from housemates.home.things import Agent, Scene, Thing, Zone
from housemates.home.world import World

CELLS = tuple(itertools.product(range(9), range(-4, -1)))
"""People walk south of the counter, half a metre from it."""
COUNTER = Thing("counter", "CounterTop", (1.0, 0.9, 0.3), (2.0, 0.1, 0.6))


def cabinet(x: float) -> Thing:
    return Thing(f"cabinet at {x}", "Cabinet", (x, 0.1, 0.35), (0.4, 0.7, 0.5), yaw=180.0)


def nearest_edge(top: Thing, x: float) -> float:
    """How far south the slab of a counter reaches at a place along it."""
    boxes = [(part.lo[0] + 1.0, part.hi[0] + 1.0, part.lo[2] + 0.3) for part in top.parts]
    return min(low for start, end, low in boxes if start < x < end)


def test_a_counter_over_cabinets_in_one_plane_ends_in_one_straight_edge() -> None:
    fronts = [cabinet(0.3), cabinet(0.8), cabinet(1.7)]
    top = counter(COUNTER, [COUNTER, *fronts], walked_points(CELLS), NOWHERE)
    ends = {round(nearest_edge(top, x), 3) for x in np.arange(0.15, 1.86, 0.1)}
    assert len(ends) == 1
    assert 0.03 < ends.pop() <= 0.1


def test_it_is_whole_where_things_can_be_put() -> None:
    zoned = msgspec.structs.replace(COUNTER, zones=(Zone(-1.0, -0.3, 0.0, 0.3, 0.005),))
    top = counter(zoned, [zoned, cabinet(0.3), cabinet(1.7)], walked_points(CELLS), NOWHERE)
    assert nearest_edge(top, 0.5) == pytest.approx(0.0, abs=0.01)
    assert nearest_edge(top, 1.5) > 0.03


def test_only_edges_that_people_stand_before_are_fronts() -> None:
    found = edges([Rect(0.0, 0.0, 2.0, 0.6)], walked_points(CELLS))
    assert [edge.yaw for edge in found] == [180.0]


def test_fronts_in_other_planes_or_far_apart_stay_their_own() -> None:
    boxes = [
        Rect(0.0, 0.0, 0.5, 1.0),
        Rect(0.6, 0.0, 1.0, 1.0),
        Rect(0.6, 0.0, 1.0, 1.5),
        Rect(3.0, 0.0, 3.5, 1.0),
    ]
    assert len(rooms_before([front_of(box, 0.0) for box in boxes])) == 3


def test_a_square_cabinet_with_its_hinge_mid_side_stands_across_the_corner() -> None:
    across = Thing("corner", "Cabinet", (0.25, 1.4, 0.25), (0.5, 0.8, 0.5), pivot=(-0.03, 0.4, 0.25))
    room = [(x, z) for x in range(1, 8) for z in range(1, 8)]
    faced = face_room(across, room, Rect(0.0, 0.0, 2.0, 2.0))
    assert faced.yaw == 45.0
    assert faced.size == pytest.approx((0.28 * 2**0.5, 0.8, 0.22 * 2**0.5))
    assert not faced.mirrored
    assert faced.position == across.position
    flat = msgspec.structs.replace(across, pivot=(-0.25, 0.4, 0.24))
    assert face_room(flat, room, Rect(0.0, 0.0, 2.0, 2.0)).yaw in (0.0, 90.0)


def test_beyond_a_counter_something_stands_but_not_where_people_walk() -> None:
    world = World(Scene("plan", "kitchen", (COUNTER,), Agent(1.0, -0.5), walkable=CELLS))
    beyond = backing(world, COUNTER)
    x, z = np.array([1.0, 1.0, -0.1]), np.array([0.65, -0.05, 0.3])
    behind, before, beside = (
        touching(x[i : i + 1], z[i : i + 1], 0.05, 0.05, 0.0, beyond)[0] for i in range(3)
    )
    assert behind and beside
    assert not before
    assert not len(backing(world, msgspec.structs.replace(COUNTER, type="DiningTable")).rows)
