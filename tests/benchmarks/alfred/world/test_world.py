"""ALFRED's rules in our home: its camera and actions, what heats, cools and cleans, what masks mean."""

from __future__ import annotations

import numpy as np
import pytest

from housemates.benchmarks.alfred.tasks.goals import Task, classes, progress, task_of
from housemates.benchmarks.alfred.world.agent_camera import Sight, checked_mask
from housemates.benchmarks.alfred.world.dynamics import ACTIONS, AlfredWorld
from housemates.errors import HousematesError
from housemates.home import Thing
from housemates.home.navigation import agent_at, standing_poses
from housemates.home.scenes import load
from housemates.home.types import object_types


@pytest.fixture
def world() -> AlfredWorld:
    return AlfredWorld(load("kitchen-03"))


def stand(world: AlfredWorld, name: str) -> None:
    thing = world.home.things[name]
    world.home.agent = agent_at(world.home.agent, standing_poses(world.home, thing, look_deg=15)[0])


def first(world: AlfredWorld, kind: str) -> Thing:
    return world.home.of_type(kind)[0]


def in_the_open(world: AlfredWorld, kind: str) -> Thing:
    return next(thing for thing in world.home.of_type(kind) if world.home.enclosing(thing) is None)


def do(world: AlfredWorld, *deeds: tuple[str, str]) -> None:
    for name, target in deeds:
        stand(world, target)
        outcome = world.act(name, target)
        assert outcome.success, (name, target, outcome.message)


def test_there_are_58_things_26_receptacles_and_thirteen_actions() -> None:
    table = classes()
    assert (len(set(table.objects)), len(set(table.receptacles)), len(ACTIONS)) == (58, 26, 13)
    known = {*object_types(), "Cart"}
    assert {table.names.get(name, name) for name in (*table.objects, *table.receptacles)} <= known


def test_the_camera_sees_60_degrees_and_looks_in_steps_of_15(world: AlfredWorld) -> None:
    assert (world.home.agent.fov, world.home.agent.horizon) == (60, 30)
    assert world.act("LookUp").success
    assert world.home.agent.horizon == 15


def test_a_running_microwave_heats_what_is_in_it(world: AlfredWorld) -> None:
    mug, oven = in_the_open(world, "Mug").id, first(world, "Microwave").id
    do(world, ("PickupObject", mug), ("OpenObject", oven), ("PutObject", oven), ("CloseObject", oven))
    assert not world.marks.heated
    do(world, ("ToggleObjectOn", oven))
    assert mug in world.marks.heated


def test_a_fridge_cools_when_it_is_closed_and_a_snapshot_forgets_it(world: AlfredWorld) -> None:
    mug, fridge = in_the_open(world, "Mug").id, first(world, "Fridge").id
    do(world, ("PickupObject", mug), ("OpenObject", fridge), ("PutObject", fridge))
    before, digest = world.snapshot(), world.digest()
    do(world, ("CloseObject", fridge))
    assert mug in world.marks.cooled
    assert world.diff(before)[mug]["cooled"] == (False, True)
    world.restore(before)
    assert mug not in world.marks.cooled
    assert world.digest() == digest


def test_water_cleans_what_is_in_the_sink_also_if_the_sink_is_named(world: AlfredWorld) -> None:
    mug, sink = in_the_open(world, "Mug").id, first(world, "Sink").id
    faucet = first(world, "Faucet").id
    do(world, ("PickupObject", mug), ("PutObject", sink), ("ToggleObjectOn", faucet))
    assert mug in world.marks.cleaned
    task = Task("pick_clean_then_place_in_recep", "Mug", "SinkBasin")
    assert progress(task, world) == (3, 3)


def test_a_slice_is_a_condition_of_its_own(world: AlfredWorld) -> None:
    task = Task("pick_and_place_simple", "Apple", "CounterTop", object_sliced=True)
    assert progress(task, world) == (0, 2)
    knife, apple = first(world, "Knife").id, first(world, "Apple").id
    for name in (knife, apple):
        shut = world.home.enclosing(world.home.things[name])
        if shut is not None:
            do(world, ("OpenObject", shut.id))
    do(world, ("PickupObject", knife), ("SliceObject", apple))
    assert progress(task, world).met >= 1


def test_two_things_count_only_in_the_same_receptacle(world: AlfredWorld) -> None:
    task = Task("pick_two_obj_and_place", "Plate", "Microwave")
    oven = first(world, "Microwave")
    found = [progress(task, world).met]
    for plate in world.home.of_type("Plate")[:2]:
        world.home.move(plate, oven.position, 0.0, (oven.id,))
        found.append(progress(task, world).met)
    assert found == [0, 1, 2]


def test_the_mask_of_a_thing_means_that_thing(world: AlfredWorld) -> None:
    sight = Sight(world.home)
    seen = 0
    for kind in ("Microwave", "Fridge", "Faucet", "Mug", "Toaster"):
        thing = next(each for each in world.home.of_type(kind) if world.home.enclosing(each) is None)
        stand(world, thing.id)
        mask = sight.mask(thing.id)
        if mask.any():
            assert sight.pick(mask) == thing.id
            seen += 1
    assert seen >= 4


def test_what_is_held_is_not_meant_by_a_mask(world: AlfredWorld) -> None:
    mug = in_the_open(world, "Mug").id
    do(world, ("PickupObject", mug))
    sight = Sight(world.home)
    mask = sight.mask(mug)
    assert mask.any()
    assert sight.pick(mask) != mug


@pytest.mark.parametrize(
    ("mask", "said"),
    [
        (np.ones((300, 299), bool), "shape"),
        (np.zeros((300, 300), bool), "empty"),
        (np.ones((300, 300), float), "float64"),
        (np.full((300, 300), 7), "only 0 and 1"),
        ("mask", "found str"),
    ],
)
def test_a_mask_that_makes_no_sense_is_refused_in_a_sentence(mask: object, said: str) -> None:
    with pytest.raises(HousematesError, match=said):
        checked_mask(mask)


def test_a_task_of_an_unknown_type_or_class_is_named() -> None:
    params = {"object_target": "Mug", "parent_target": "Desk", "mrecep_target": "", "toggle_target": ""}
    assert task_of("pick_and_place_simple", params).params["object_target"] == "Mug"
    with pytest.raises(HousematesError, match="juggle"):
        task_of("juggle", params)
    with pytest.raises(HousematesError, match="parent_target is 'Moon'"):
        task_of("pick_and_place_simple", {**params, "parent_target": "Moon"})
