"""Where things come to stand: points, nearest free spots, and everything that is refused."""

from __future__ import annotations

import math

import pytest

from housemates.home import act
from housemates.home.geometry import bounding_box
from housemates.home.placement import MOST_PILED, find_spot, overlapping, surfaces


def refused(outcome, *said: str) -> None:
    assert not outcome.success
    for words in said:
        assert words in outcome.message


def test_a_thing_placed_stands_on_the_surface_of_what_was_named(kitchen) -> None:
    table = kitchen["DiningTable"]
    top = table.position[1] + surfaces(table)[0].y
    kitchen.take("Mug", "DiningTable")
    assert kitchen["Mug"].parents == (table.id,)
    assert kitchen["Mug"].position[1] == pytest.approx(top)
    assert kitchen.world.held is None


def test_it_lands_at_the_point_asked_for(kitchen) -> None:
    kitchen.do("Pickup", "Mug")
    act(kitchen.world, "Teleport", x=0.5, z=0.25, rotation=0, horizon=30)
    assert kitchen.act("Place", "DiningTable", at=(0.55, 0.9, 0.7)).success
    x, _, z = kitchen["Mug"].position
    assert math.hypot(x - 0.55, z - 0.7) < 0.05


def test_without_a_point_it_lands_at_arms_length_before_the_agent(kitchen) -> None:
    kitchen.do("Pickup", "Mug")
    act(kitchen.world, "Teleport", x=1.0, z=1.0, rotation=270, horizon=30)
    kitchen.act("Place", "DiningTable")
    assert kitchen["Mug"].position[0] == pytest.approx(0.25, abs=0.1)
    kitchen.do("Pickup", "Mug")
    act(kitchen.world, "Teleport", x=0.0, z=0.25, rotation=0, horizon=30)
    kitchen.act("Place", "DiningTable")
    assert kitchen["Mug"].position[2] == pytest.approx(1.0, abs=0.1)


def test_where_something_stands_it_takes_the_nearest_free_spot(kitchen) -> None:
    plate = kitchen["Plate"]
    kitchen.do("Pickup", "Cup")
    kitchen.go_to("Plate")
    kitchen.act("Place", "DiningTable", at=plate.position)
    assert list(overlapping(kitchen.world)) == []
    x, _, z = kitchen["Cup"].position
    assert math.hypot(x - plate.position[0], z - plate.position[2]) < 0.4


def test_a_table_fills_up_and_then_refuses(kitchen) -> None:
    world, chair = kitchen.world, kitchen["Chair"]
    count = 0
    while find_spot(world, kitchen["Bowl"], chair) is not None and count < 50:
        kitchen.add("Bowl", "Chair")
        count += 1
    assert list(overlapping(world)) == []
    kitchen.do("Pickup", "Plate")
    kitchen.go_to("Chair")
    refused(kitchen.act("Place", "Chair"), "no free room for the plate on the chair", f"{count + 1} things")
    assert world.held == kitchen["Plate"]


def test_what_is_too_large_does_not_go_in(kitchen) -> None:
    kitchen.do("Open", "Drawer")
    kitchen.do("Pickup", "Pot")
    kitchen.go_to("Drawer")
    world = kitchen.world
    tall = world.update(kitchen["Pot"], size=(0.3, 0.5, 0.3))
    refused(kitchen.act("Place", "Drawer"), "no free room for the pot")
    assert world.held == tall


def test_nothing_in_hand_nothing_placed(kitchen) -> None:
    kitchen.go_to("DiningTable")
    refused(kitchen.act("Place", "DiningTable"), "nothing in your hand")


@pytest.mark.parametrize(
    ("held", "receptacle", "takes"),
    [
        ("Mug", "Toaster", "bread sliced"),
        ("Bread", "Toaster", "bread sliced"),
        ("Cup", "CoffeeMachine", "mug"),
        ("Apple", "StoveBurner", "pot or pan or kettle"),
    ],
)
def test_machines_take_only_what_they_are_for(kitchen, held, receptacle, takes) -> None:
    kitchen.do("Pickup", held)
    kitchen.go_to(receptacle)
    refused(kitchen.act("Place", receptacle), "takes only", takes)


def test_a_coffee_machine_takes_one_mug_in_its_middle(kitchen) -> None:
    kitchen.take("Mug", "CoffeeMachine")
    assert kitchen["Mug"].parents == (kitchen["CoffeeMachine"].id, *kitchen["CoffeeMachine"].parents)
    assert kitchen["Mug"].position[0] == pytest.approx(kitchen["CoffeeMachine"].position[0], abs=0.05)
    second = kitchen.add("Mug", "DiningTable")
    kitchen.face(second)
    act(kitchen.world, "Pickup", target=second.id)
    kitchen.go_to("CoffeeMachine")
    refused(kitchen.act("Place", "CoffeeMachine"), "full (1 of 1)", "Take something out first")


def test_a_closed_fridge_takes_nothing_and_an_open_one_does(kitchen) -> None:
    kitchen.do("Pickup", "Apple")
    kitchen.go_to("Fridge")
    refused(kitchen.act("Place", "Fridge"), "fridge is closed", "Open it first")
    kitchen.do("Open", "Fridge")
    assert kitchen.act("Place", "Fridge").success
    low, high = bounding_box(kitchen["Fridge"])
    assert all(low[i] <= kitchen["Apple"].position[i] <= high[i] for i in range(3))


def test_nothing_stands_on_what_is_no_receptacle(kitchen) -> None:
    kitchen.do("Pickup", "Mug")
    kitchen.go_to("HousePlant")
    refused(kitchen.act("Place", "HousePlant"), "nothing can be put on a house plant")


def test_a_thing_cannot_be_put_on_itself(kitchen) -> None:
    kitchen.do("Pickup", "Plate")
    refused(kitchen.act("Place", "Plate"), "in your hand")


def test_slices_stand_side_by_side_on_a_plate(kitchen) -> None:
    kitchen.do("Pickup", "Knife")
    kitchen.do("Slice", "Bread")
    kitchen.do("Place", "DiningTable")
    for piece in kitchen.world.of_type("BreadSliced")[:4]:
        kitchen.face(piece)
        assert act(kitchen.world, "Pickup", target=piece.id).success
        kitchen.do("Place", "Plate")
    on_plate = kitchen.world.contents(kitchen["Plate"])
    assert len(on_plate) == 4
    assert [pair for pair in overlapping(kitchen.world) if set(pair) <= set(on_plate)] == []


def test_fruit_piles_up_on_a_plate_to_an_end(kitchen) -> None:
    for _ in range(20):
        if find_spot(kitchen.world, kitchen["Apple"], kitchen["Plate"]) is None:
            break
        kitchen.add("Apple", "Plate")
    piled = kitchen.world.contents(kitchen["Plate"])
    assert len({thing.position[1] for thing in piled}) > 1
    assert len(piled) == MOST_PILED


def test_a_point_farther_than_an_arm_is_refused(kitchen) -> None:
    kitchen.do("Pickup", "Mug")
    act(kitchen.world, "Teleport", x=0.5, z=0.25, rotation=0, horizon=30)
    refused(kitchen.act("Place", "DiningTable", at=(-0.6, 0.9, 1.4)), "too far away", "Go closer")


def test_room_out_of_reach_is_called_so(kitchen) -> None:
    kitchen.do("Open", "Fridge")
    kitchen.do("Pickup", "Apple")
    act(kitchen.world, "Teleport", x=-1.25, z=0.5, rotation=180, horizon=30)
    refused(kitchen.act("Place", "Fridge"), "too far away", "Go closer")


def test_the_floor_takes_things_and_what_is_tall_blocks_the_way(kitchen) -> None:
    kitchen.add("WineBottle", "CounterTop")
    kitchen.do("Pickup", "WineBottle")
    act(kitchen.world, "Teleport", x=0.0, z=-0.5, rotation=0, horizon=60)
    assert kitchen.act("Place", "Floor", at=(0.0, 0.0, 0.25)).success
    assert kitchen["WineBottle"].parents == (kitchen["Floor"].id,)
    assert [act(kitchen.world, "Forward").success for _ in range(3)] == [True, True, False]
