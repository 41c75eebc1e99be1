"""What generated rooms hold, and what can be done in them."""

from __future__ import annotations

import pytest

from housemates.home import act
from housemates.home.geometry import bounding_box
from housemates.home.navigation import agent_at, reachable, standing_poses
from housemates.home.placement import overlapping
from housemates.home.scenes import load, scene_ids
from housemates.home.scenes.tables import tables
from housemates.home.things import Thing
from housemates.home.world import World

KITCHENS = scene_ids("kitchen")


def go_to(world: World, thing: Thing) -> None:
    world.agent = agent_at(world.agent, standing_poses(world, thing)[0])


def the(world: World, kind: str) -> Thing:
    return world.of_type(kind)[0]


@pytest.mark.parametrize("name", KITCHENS)
def test_a_kitchen_has_what_its_tasks_need(name: str) -> None:
    scene = load(name)
    there = {thing.type for thing in scene.things}
    assert set(tables().rooms["kitchen"].needs) <= there
    assert len(scene.things) >= 80


@pytest.mark.parametrize("name", KITCHENS)
def test_each_knob_drives_one_burner_and_outer_knobs_the_front_ones(name: str) -> None:
    world = World(load(name))
    knobs, burners = world.of_type("StoveKnob"), world.of_type("StoveBurner")
    assert len(knobs) == len(burners) == 4
    assert sorted(knob.controls[0] for knob in knobs) == sorted(burner.id for burner in burners)

    def from_middle(thing: Thing) -> float:
        across = 0 if thing.yaw in (0.0, 180.0) else 2
        middle = sum(knob.position[across] for knob in knobs) / 4
        return abs(thing.position[across] - middle)

    outer = sorted(knobs, key=from_middle)[2:]
    along = 2 if knobs[0].yaw in (0.0, 180.0) else 0
    front = sorted(burners, key=lambda burner: abs(burner.position[along] - knobs[0].position[along]))[:2]
    assert {knob.controls[0] for knob in outer} == {burner.id for burner in front}


def test_a_mug_under_a_running_faucet_comes_out_clean_and_full() -> None:
    world = World(load("kitchen-03"))
    basin = the(world, "SinkBasin")
    mug = next(each for each in world.of_type("Mug") if world.enclosing(each) is None)
    world.update(mug, dirty=True, liquid="")
    go_to(world, world.things[mug.id])
    assert act(world, "Pickup", target=mug.id).success
    go_to(world, basin)
    assert act(world, "Place", target=basin.id).success
    assert act(world, "ToggleOn", target=the(world, "Faucet").id).success
    assert (world.things[mug.id].dirty, world.things[mug.id].liquid) == (False, "water")


def test_a_knob_heats_the_burner_it_names() -> None:
    world = World(load("kitchen-05"))
    knob = the(world, "StoveKnob")
    go_to(world, knob)
    assert act(world, "ToggleOn", target=knob.id).success
    hot = [burner.id for burner in world.of_type("StoveBurner") if burner.temperature == "Hot"]
    assert hot == list(knob.controls)


def test_what_is_in_the_fridge_is_cold_and_nothing_else_is() -> None:
    for name in KITCHENS:
        world = World(load(name))
        cold = {thing.id for thing in world.things.values() if thing.temperature == "Cold"}
        assert cold == {thing.id for thing in world.contents(the(world, "Fridge"))}


def test_a_kitchen_hides_things_in_cabinets_drawers_and_fridges() -> None:
    world = World(load("kitchen-03"))
    hidden = {holder.type for thing in world.things.values() if (holder := world.enclosing(thing))}
    assert {"Cabinet", "Fridge"} <= hidden


def test_about_a_third_of_the_dishes_are_dirty() -> None:
    dishes = [
        thing
        for name in KITCHENS
        for thing in load(name).things
        if thing.type in ("Mug", "Cup", "Bowl", "Plate", "Pot", "Pan")
    ]
    assert 0.2 < sum(dish.dirty for dish in dishes) / len(dishes) < 0.45


@pytest.mark.parametrize("name", scene_ids()[::5])
def test_things_do_not_go_through_each_other(name: str) -> None:
    assert list(overlapping(World(load(name)))) == []


@pytest.mark.parametrize("name", ["kitchen-12", "living-room-28", "bedroom-04", "bathroom-27"])
def test_whatever_can_be_taken_has_a_place_to_stand_for_it(name: str) -> None:
    world = World(load(name))
    cells = reachable(world)
    for thing in world.things.values():
        if thing.kind.can("pickup"):
            assert standing_poses(world, thing, cells), thing.id


@pytest.mark.parametrize("name", scene_ids()[::3])
def test_everything_is_inside_the_walls(name: str) -> None:
    world = World(load(name))
    low, high = bounding_box(the(world, "Floor"))
    for thing in world.things.values():
        if thing.type in ("Window", "Floor"):
            continue
        lo, hi = bounding_box(thing)
        assert lo[0] > low[0] - 0.011 and lo[2] > low[2] - 0.011, thing.id
        assert hi[0] < high[0] + 0.011 and hi[2] < high[2] + 0.011, thing.id


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("living-room-04", {"Sofa", "Television", "TVStand", "CoffeeTable", "FloorLamp"}),
        ("bedroom-04", {"Bed", "SideTable", "Desk", "Chair", "DeskLamp", "Drawer"}),
        (
            "bathroom-26",
            {"Toilet", "Bathtub", "BathtubBasin", "ShowerHead", "ShowerGlass", "Mirror", "Towel"},
        ),
    ],
)
def test_rooms_are_furnished_as_people_furnish_them(name: str, kinds: set[str]) -> None:
    assert kinds <= {thing.type for thing in load(name).things}


def test_the_sofa_faces_the_television() -> None:
    for name in scene_ids("living room", "train"):
        world = World(load(name))
        screen = the(world, "Television")
        assert any(abs(sofa.yaw - screen.yaw) == 180 for sofa in world.of_type("Sofa")), name
