"""Plans of which there is a layout but no game: walkable is what either layout or furniture leave free."""

from __future__ import annotations

import pytest

from housemates.home.metadata import agent_metadata, object_metadata
from housemates.home.navigation import Cell, cell_of, grid
from housemates.home.scenes import load
from housemates.home.scenes.plans.knowledge import PlanKnowledge
from housemates.home.scenes.plans.rebuild import rebuild
from housemates.home.things import Scene
from housemates.home.world import World

OFF = (40, 40)
"""A cell far outside."""


@pytest.fixture(scope="module")
def kitchen() -> World:
    return World(load("kitchen-03"))


def rebuilt(world: World, **known: set[tuple[int, int]]) -> Scene:
    """A kitchen rebuilt from its records and what is known of it."""
    records = [object_metadata(world, thing, False, []) for thing in world.things.values()]
    knowledge = PlanKnowledge("FloorPlan3", **known)
    return rebuild("FloorPlan3", records, agent_metadata(world.agent), knowledge)


def test_layout_and_furniture_are_both_believed_where_nobody_walked(kitchen: World) -> None:
    start = cell_of(kitchen.agent)
    scene = rebuilt(kitchen, layout={start, OFF})
    assert scene.walkable is not None
    cells = set(scene.walkable)
    assert OFF in cells, "the layout says so"
    near = {Cell(start.x + dx, start.z + dz) for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1))}
    assert near & set(grid(kitchen).cells()) <= cells, "nothing stands there"
    assert len(cells) > 20


def test_people_are_believed_more_than_both_where_they_walked(kitchen: World) -> None:
    start = cell_of(kitchen.agent)
    beside = (start.x, start.z + 1)
    scene = rebuilt(kitchen, walked={beside}, layout={OFF})
    assert set(scene.walkable or ()) == {start, beside}
