"""What each way of touching a thing does, and what it refuses."""

from __future__ import annotations

import pytest

from housemates.home import act
from housemates.home.geometry import bounding_box
from housemates.home.navigation import standing_poses


def refused(outcome, *said: str) -> None:
    assert not outcome.success
    for words in said:
        assert words in outcome.message


# Picking up


def test_a_thing_picked_up_is_in_the_hand_and_nowhere_else(kitchen) -> None:
    kitchen.do("Pickup", "Mug")
    assert kitchen.world.held == kitchen["Mug"]
    assert kitchen["Mug"].parents == ()
    assert kitchen["Mug"] not in kitchen.world.contents(kitchen["DiningTable"])


def test_the_hand_holds_one_thing(kitchen) -> None:
    kitchen.do("Pickup", "Mug")
    kitchen.go_to("Apple")
    refused(kitchen.act("Pickup", "Apple"), "hand is full", "mug")


def test_what_is_in_the_hand_cannot_be_picked_up_again(kitchen) -> None:
    kitchen.do("Pickup", "Mug")
    refused(kitchen.act("Pickup", "Mug"), "in your hand")


def test_a_dish_is_picked_up_with_what_lies_on_it(kitchen) -> None:
    kitchen.take("Apple", "Plate")
    kitchen.do("Pickup", "Plate")
    assert kitchen.world.in_hand(kitchen["Apple"])
    kitchen.do("Place", "SinkBasin")
    assert not kitchen.world.in_hand(kitchen["Apple"])
    assert [thing.type for thing in kitchen.world.ancestors(kitchen["Apple"])] == ["Plate", "SinkBasin"]


def test_a_held_thing_is_seen_before_the_agent(kitchen) -> None:
    kitchen.do("Pickup", "Mug")
    act(kitchen.world, "Teleport", x=0.0, z=0.0, rotation=90, horizon=0)
    x, y, z = kitchen.world.in_world(kitchen["Mug"]).position
    assert x == pytest.approx(0.354)
    assert z == pytest.approx(0.0)
    assert 1.2 < y < 1.6


# Opening


def test_a_fridge_opens_and_closes(kitchen) -> None:
    kitchen.do("Open", "Fridge")
    assert kitchen["Fridge"].open
    refused(kitchen.act("Open", "Fridge"), "open already")
    assert kitchen.act("Close", "Fridge").success
    assert not kitchen["Fridge"].open
    refused(kitchen.act("Close", "Fridge"), "closed already")


def test_a_running_microwave_does_not_open(kitchen) -> None:
    kitchen.do("ToggleOn", "Microwave")
    refused(kitchen.act("Open", "Microwave"), "running", "Turn it off")


def test_a_door_does_not_open_into_the_agent(kitchen) -> None:
    act(kitchen.world, "Teleport", x=-1.25, z=-1.0, rotation=180, horizon=60)
    refused(kitchen.act("Open", "Cabinet"), "in the way of the cabinet")
    act(kitchen.world, "Teleport", x=-0.75, z=-0.5, rotation=180, horizon=60)
    assert kitchen.act("Open", "Cabinet").success


def test_what_lies_in_a_drawer_comes_out_with_it_and_goes_back(kitchen) -> None:
    kitchen.change("Drawer", open=True)
    kitchen.add("Fork", "Drawer")
    kitchen.go_to("Drawer")
    open_z = kitchen["Fork"].position[2]
    assert kitchen.act("Close", "Drawer").success
    shut_z = kitchen["Fork"].position[2]
    assert open_z - shut_z == pytest.approx(0.81 * kitchen["Drawer"].size[2])
    kitchen.do("Open", "Drawer")
    assert kitchen["Fork"].position[2] == pytest.approx(open_z)


def test_a_laptop_in_the_hand_can_be_opened(kitchen) -> None:
    kitchen.do("Pickup", "Laptop")
    assert kitchen.act("Open", "Laptop").success


# Switching


def test_a_switch_goes_on_and_off(kitchen) -> None:
    kitchen.do("ToggleOn", "LightSwitch")
    assert kitchen["LightSwitch"].on
    refused(kitchen.act("ToggleOn", "LightSwitch"), "on already")
    assert kitchen.act("ToggleOff", "LightSwitch").success
    refused(kitchen.act("ToggleOff", "LightSwitch"), "off already")


def test_an_open_microwave_does_not_start(kitchen) -> None:
    kitchen.do("Open", "Microwave")
    refused(kitchen.act("ToggleOn", "Microwave"), "open", "Close it first")


# Slicing


def test_slicing_needs_a_knife_in_the_hand(kitchen) -> None:
    kitchen.go_to("Bread")
    refused(kitchen.act("Slice", "Bread"), "knife", "bread")
    kitchen.do("Pickup", "Mug")
    kitchen.go_to("Bread")
    refused(kitchen.act("Slice", "Bread"), "knife")


@pytest.mark.parametrize(("kind", "count", "piece"), [("Apple", 3, "AppleSliced"), ("Egg", 1, "EggCracked")])
def test_a_thing_is_cut_into_the_pieces_of_its_type(kitchen, kind, count, piece) -> None:
    kitchen.do("Pickup", "Knife")
    kitchen.do("Slice", kind)
    whole = kitchen[kind]
    assert whole.sliced
    assert not whole.solid
    pieces = kitchen.world.of_type(piece)
    assert [thing.id for thing in pieces] == [f"{whole.id}|{piece}_{i}" for i in range(count)]


def test_the_first_piece_of_a_loaf_is_still_bread_and_the_others_are_slices(kitchen) -> None:
    kitchen.do("Pickup", "Knife")
    kitchen.do("Slice", "Bread")
    whole, heel = kitchen.world.of_type("Bread")
    assert heel.id == f"{whole.id}|Bread_0"
    assert len(kitchen.world.of_type("BreadSliced")) == whole.kind.slices - 1
    kitchen.face(heel)
    refused(act(kitchen.world, "Slice", target=heel.id), "cannot be cut any further")


def test_pieces_lie_where_the_whole_lay_and_inherit_its_state(kitchen) -> None:
    kitchen.change("Potato", cooked=True)
    whole = kitchen["Potato"]
    kitchen.do("Pickup", "Knife")
    kitchen.do("Slice", "Potato")
    low, high = bounding_box(whole)
    for piece in kitchen.world.of_type("PotatoSliced"):
        assert piece.cooked
        assert piece.parents == whole.parents
        assert all(low[i] - 0.01 <= piece.position[i] <= high[i] + 0.01 for i in (0, 2))


def test_what_was_cut_up_is_gone(kitchen) -> None:
    kitchen.do("Pickup", "Knife")
    kitchen.do("Slice", "Apple")
    refused(kitchen.act("Slice", "Apple"), "there is no")
    assert kitchen["Apple"].parents == ()


def test_a_butter_knife_cuts_too(kitchen) -> None:
    kitchen.add("ButterKnife", "DiningTable")
    kitchen.do("Pickup", "ButterKnife")
    kitchen.do("Slice", "Apple")


# Liquids


def test_pouring_moves_the_liquid(kitchen) -> None:
    kitchen.change("Mug", liquid="coffee")
    kitchen.do("Pickup", "Mug")
    kitchen.do("Pour", "Bowl")
    assert kitchen["Mug"].liquid == ""
    assert kitchen["Bowl"].liquid == "coffee"


def test_pouring_needs_something_to_pour(kitchen) -> None:
    kitchen.go_to("Bowl")
    refused(kitchen.act("Pour", "Bowl"), "filled with a liquid in your hand")
    kitchen.do("Pickup", "Mug")
    kitchen.go_to("Bowl")
    refused(kitchen.act("Pour", "Bowl"), "filled with a liquid in your hand")


def test_one_pours_only_into_empty_vessels(kitchen) -> None:
    kitchen.change("Mug", liquid="water")
    kitchen.change("Bowl", liquid="water")
    kitchen.do("Pickup", "Mug")
    kitchen.go_to("Bowl")
    refused(kitchen.act("Pour", "Bowl"), "bowl is full already")
    kitchen.go_to("Plate")
    refused(kitchen.act("Pour", "Plate"), "plate cannot be filled")


def test_anything_can_be_poured_into_the_sink_which_drains(kitchen) -> None:
    kitchen.change("Mug", liquid="coffee")
    kitchen.do("Pickup", "Mug")
    kitchen.do("Pour", "SinkBasin")
    assert kitchen["Mug"].liquid == ""
    assert kitchen["SinkBasin"].liquid == ""


def test_a_plant_is_watered(kitchen) -> None:
    kitchen.change("Mug", liquid="water")
    kitchen.do("Pickup", "Mug")
    kitchen.do("Pour", "HousePlant")
    assert kitchen["HousePlant"].liquid == "water"


def test_fill_and_empty_undo_each_other(kitchen) -> None:
    kitchen.do("Fill", "Cup", liquid="wine")
    assert kitchen["Cup"].liquid == "wine"
    refused(kitchen.act("Fill", "Cup"), "full already")
    assert kitchen.act("Empty", "Cup").success
    refused(kitchen.act("Empty", "Cup"), "empty already")


# States at once


@pytest.mark.parametrize(
    ("name", "kind", "field"),
    [("Dirty", "Plate", "dirty"), ("Cook", "Potato", "cooked"), ("Break", "Egg", "broken")],
)
def test_a_state_is_set_once(kitchen, name, kind, field) -> None:
    kitchen.do(name, kind)
    assert getattr(kitchen[kind], field)
    refused(kitchen.act(name, kind), "already")


def test_clean_takes_dirt_away(kitchen) -> None:
    kitchen.do("Dirty", "Plate")
    assert kitchen.act("Clean", "Plate").success
    assert not kitchen["Plate"].dirty
    refused(kitchen.act("Clean", "Plate"), "clean already")


def test_a_broken_mug_loses_its_coffee(kitchen) -> None:
    kitchen.change("Mug", liquid="coffee")
    kitchen.do("Break", "Mug")
    assert kitchen["Mug"].liquid == ""


# Where one stands


def test_from_a_standing_pose_the_thing_can_be_used(kitchen) -> None:
    for kind in ("Mug", "Apple", "Knife", "Pot"):
        start = kitchen.world.snapshot()
        for pose in standing_poses(kitchen.world, kitchen[kind])[::25]:
            act(
                kitchen.world,
                "Teleport",
                x=pose.x * 0.25,
                z=pose.z * 0.25,
                rotation=pose.rotation,
                horizon=pose.horizon,
            )
            outcome = kitchen.act("Pickup", kind)
            assert outcome.success, outcome.message
            kitchen.world.restore(start)
