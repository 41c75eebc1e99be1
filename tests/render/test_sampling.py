"""Views and states at random: somebody stands where one can stand, and nothing is what it cannot be."""

from __future__ import annotations

import numpy as np

from housemates.home import World
from housemates.home.navigation import cell_of, grid
from housemates.home.scenes import load
from housemates.render.detections import possible_states, states_of
from housemates.render.sampling import HORIZONS, random_states, random_view


def test_strangers_stand_where_there_is_room() -> None:
    world, rng = World(load("kitchen-01")), np.random.default_rng(0)
    cells = set(grid(world).cells())
    for _ in range(50):
        agent = random_view(world, rng)
        assert cell_of(agent) in cells
        assert agent.horizon in HORIZONS


def test_states_at_random_are_states_that_things_can_have() -> None:
    world = World(load("kitchen-01"))
    before = world.snapshot()
    random_states(world, np.random.default_rng(0))
    assert len(world.diff(before)) > 5
    for thing in world.things.values():
        assert not thing.open or thing.can("open")
        assert not thing.on or thing.can("toggle")
        assert set(states_of(thing)) <= set(possible_states(thing.type))
