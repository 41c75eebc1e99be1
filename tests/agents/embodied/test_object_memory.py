"""What is remembered of objects under noisy perception."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from housemates.agents.embodied import outcome_parsing
from housemates.agents.embodied.object_memory import ObjectMemory, TrackedObject
from housemates.agents.embodied.occupancy import ENCLOSED, GridPose, OccupancyMap
from housemates.agents.embodied.perception import NOISY
from housemates.core.outcome import Reason, done, refuse
from housemates.home.navigation import Cell

FAR_SEEING = replace(NOISY, obstacle_range_m=5.0)


def remembered(*things: tuple[str, str, float]) -> ObjectMemory:
    """A memory of things by key, type and how far away they are."""
    memory = ObjectMemory(NOISY)
    for key, kind, away in things:
        memory.things[key] = TrackedObject(key, kind, np.array([[0.0, 0.9, away]]), np.zeros(3), 0, 50)
    return memory


def test_what_was_cut_lies_in_as_many_pieces_as_are_told() -> None:
    memory = remembered(("it", "Potato", 1.0))
    memory.add_slices(memory.things["it"], 8)
    assert len(memory.of(("PotatoSliced",))) == 8


def test_another_of_its_kind_beside_it_is_as_good_as_a_thing() -> None:
    memory = remembered(("it", "Mug", 1.0), ("near", "Mug", 1.3), ("far", "Mug", 3.0), ("cup", "Cup", 1.1))
    it = memory.things["it"]
    assert memory.substitute(it, ["near", "far", "cup"]) is memory.things["near"]
    assert memory.substitute(it, ["far", "cup"]) is None


def test_what_was_lost_from_sight_is_the_nearest_of_its_kind() -> None:
    memory = remembered(("it", "Mug", 1.0), ("near", "Mug", 1.3), ("far", "Mug", 3.0))
    it = memory.things["it"]
    memory.forget("it")
    memory.rematch(it)
    assert set(memory.things) == {"it", "far"}
    assert float(it.middle[2]) == 1.3


def test_where_nothing_was_again_and_again_nothing_of_that_look_is_believed_in() -> None:
    memory = remembered(("one", "Plate", 1.0), ("other", "Plate", 1.2), ("far", "Plate", 3.0))
    refused = refuse(Reason.NOTHING_THERE, "")
    for _ in range(3):
        outcome_parsing.learn(memory, "one", "Pickup", refused, (0.0, 0.9, 0.0))
    assert [each.key for each in memory.of(("Plate",))] == ["far"]


def test_what_is_taken_from_a_known_thing_is_in_the_hand_and_that_stays() -> None:
    memory = remembered(("bowl", "Bowl", 1.0))
    bowl = memory.things["bowl"]
    bowl.confirmed, memory.held = True, "bowl"
    outcome_parsing.learn(memory, "bowl", "Pickup", done(type="Egg"), (0.0, 0.9, 0.0))
    assert memory.things[memory.held].type == "Egg"
    assert bowl.type == "Bowl"


def test_what_did_not_work_is_tried_again_in_another_attempt() -> None:
    memory = remembered(("it", "Mug", 1.0))
    memory.things["it"].failed_actions.add("Pickup")
    memory.clear_failures()
    assert not memory.things["it"].failed_actions


def test_one_who_is_trapped_forgets_where_it_bumped() -> None:
    occupancy, here = OccupancyMap(0.0, 0.0, 0.0, wall_m=0.4, perception=NOISY), GridPose(0, 0, 0)
    occupancy.observe(np.array([(x / 8, 0.0, z / 8) for x in range(-20, 21) for z in range(-20, 21)]))
    occupancy.visit(Cell(0, 0))
    for rotation in (0, 90, 180, 270):
        occupancy.bump(Cell(0, 0), rotation)
    assert len(occupancy.path_costs(here)) > ENCLOSED


def test_ground_that_one_stood_on_is_known() -> None:
    occupancy = OccupancyMap(0.0, 0.0, 0.0)
    occupancy.visit(Cell(1, 2))
    assert occupancy.was_visited(GridPose(1, 2, 90))
    assert not occupancy.was_visited(GridPose(2, 2, 90))


def test_one_who_dares_goes_where_something_seems_to_be_in_the_way() -> None:
    occupancy, here = (
        OccupancyMap(0.0, 0.0, 0.0, wall_m=0.4, perception=FAR_SEEING),
        GridPose(0, 0, 0),
    )
    occupancy.observe(np.array([(x / 8, 0.0, z / 8) for x in range(-20, 21) for z in range(-20, 21)]))
    for _ in range(3):
        occupancy.observe(np.array([(x / 8, 0.5, 1.0) for x in range(-36, 37)]))
    beyond = GridPose(0, 8, 0)
    assert beyond not in occupancy.path_costs(here)
    occupancy.ignore_obstacles(True)
    assert beyond in occupancy.path_costs(here)


def test_a_bump_is_forgiven_only_near_what_may_have_moved() -> None:
    occupancy = OccupancyMap(0.0, 0.0, 0.0, wall_m=0.4, perception=FAR_SEEING)
    occupancy.observe(np.array([(x / 8, 0.0, z / 8) for x in range(-20, 21) for z in range(-20, 21)]))
    occupancy.observe_movable("door", np.array([[0.0, 0.5, 0.25]]))
    occupancy.bump(Cell(0, 0), 0)
    occupancy.bump(Cell(6, 0), 0)
    occupancy.forget("door")
    occupancy.forget_bumps()
    ways = occupancy.path_costs(GridPose(0, 0, 0))
    assert GridPose(0, 1, 0) in ways
    assert GridPose(6, 1, 0) not in ways
