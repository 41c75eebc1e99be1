"""What follows by itself: water, coffee, heat and cold."""

from __future__ import annotations

import pytest

from housemates.home import act
from housemates.home.geometry import in_reach, in_view
from housemates.home.navigation import agent_at, standing_poses
from housemates.home.rules import WARM_STEPS


def run_water(kitchen, over: str) -> None:
    """Switch the faucet on while looking at a thing in the sink."""
    world = kitchen.world
    agents = [agent_at(world.agent, pose) for pose in standing_poses(world, kitchen[over])]
    faucet = kitchen["Faucet"]
    world.agent = next(agent for agent in agents if in_reach(agent, faucet) and in_view(agent, faucet))
    assert kitchen.act("ToggleOn", "Faucet").success


def wait(kitchen, steps: int) -> None:
    """Let time pass by touching nothing that matters."""
    for _ in range(steps):
        act(kitchen.world, "Pickup", target="nothing")


# Water


def test_a_mug_under_a_running_faucet_comes_out_clean_and_full(kitchen) -> None:
    kitchen.change("Mug", dirty=True)
    kitchen.take("Mug", "SinkBasin")
    run_water(kitchen, over="Mug")
    assert not kitchen["Mug"].dirty
    assert kitchen["Mug"].liquid == "water"


def test_what_is_put_under_running_water_is_rinsed_at_once(kitchen) -> None:
    kitchen.change("Plate", dirty=True)
    kitchen.do("ToggleOn", "Faucet")
    kitchen.take("Plate", "SinkBasin")
    assert not kitchen["Plate"].dirty


def test_without_water_nothing_is_rinsed(kitchen) -> None:
    kitchen.change("Plate", dirty=True)
    kitchen.take("Plate", "SinkBasin")
    assert kitchen["Plate"].dirty


def test_what_stands_in_a_dish_in_the_sink_is_rinsed_too(kitchen) -> None:
    kitchen.change("Cup", dirty=True)
    kitchen.take("Cup", "Plate")
    kitchen.take("Plate", "SinkBasin")
    run_water(kitchen, over="Cup")
    assert not kitchen["Cup"].dirty


def test_water_works_only_while_the_agent_sees_it(kitchen) -> None:
    kitchen.change("Plate", dirty=True)
    kitchen.take("Plate", "SinkBasin")
    kitchen.change("Faucet", on=True)
    act(kitchen.world, "Teleport", x=0.0, z=0.0, rotation=0, horizon=0)
    wait(kitchen, 1)
    assert kitchen["Plate"].dirty
    kitchen.go_to("Plate")
    wait(kitchen, 1)
    assert not kitchen["Plate"].dirty


def test_motion_alone_sets_nothing_going(kitchen) -> None:
    kitchen.change("Plate", dirty=True)
    kitchen.take("Plate", "SinkBasin")
    kitchen.change("Faucet", on=True)
    kitchen.go_to("Plate")
    act(kitchen.world, "TurnLeft")
    act(kitchen.world, "TurnRight")
    assert kitchen["Plate"].dirty


def test_a_vessel_keeps_what_it_holds_under_the_faucet(kitchen) -> None:
    kitchen.change("Mug", liquid="coffee")
    kitchen.take("Mug", "SinkBasin")
    run_water(kitchen, over="Mug")
    assert kitchen["Mug"].liquid == "coffee"


def test_water_stands_in_the_basin_while_the_faucet_runs(kitchen) -> None:
    kitchen.do("ToggleOn", "Faucet")
    assert kitchen["SinkBasin"].liquid == "water"
    kitchen.do("ToggleOff", "Faucet")
    assert kitchen["SinkBasin"].liquid == ""


# Coffee


def test_a_machine_switched_on_fills_an_empty_mug(kitchen) -> None:
    kitchen.take("Mug", "CoffeeMachine")
    kitchen.do("ToggleOn", "CoffeeMachine")
    assert kitchen["Mug"].liquid == "coffee"


def test_a_running_machine_fills_the_mug_that_is_put_in(kitchen) -> None:
    kitchen.do("ToggleOn", "CoffeeMachine")
    kitchen.take("Mug", "CoffeeMachine")
    assert kitchen["Mug"].liquid == "coffee"


def test_a_mug_of_water_gets_no_coffee(kitchen) -> None:
    kitchen.change("Mug", liquid="water")
    kitchen.take("Mug", "CoffeeMachine")
    kitchen.do("ToggleOn", "CoffeeMachine")
    assert kitchen["Mug"].liquid == "water"


def test_a_mug_under_a_machine_that_runs_from_the_start_stays_empty(kitchen) -> None:
    kitchen.take("Mug", "CoffeeMachine")
    kitchen.change("CoffeeMachine", on=True)
    wait(kitchen, 2)
    assert kitchen["Mug"].liquid == ""


# Heat


def slice_bread(kitchen) -> str:
    kitchen.do("Pickup", "Knife")
    kitchen.do("Slice", "Bread")
    kitchen.do("Place", "DiningTable")
    return "BreadSliced"


@pytest.mark.parametrize("first", ["ToggleOn", "Place"])
def test_a_toaster_toasts_before_and_after_it_is_switched_on(kitchen, first) -> None:
    piece = slice_bread(kitchen)
    if first == "ToggleOn":
        kitchen.do("ToggleOn", "Toaster")
        kitchen.take(piece, "Toaster")
    else:
        kitchen.take(piece, "Toaster")
        assert not kitchen[piece].cooked
        kitchen.do("ToggleOn", "Toaster")
    assert kitchen[piece].cooked
    assert kitchen[piece].temperature == "Hot"


def test_a_microwave_cooks_what_is_inside_when_it_runs(kitchen) -> None:
    kitchen.do("Open", "Microwave")
    kitchen.take("Potato", "Microwave")
    kitchen.do("Close", "Microwave")
    assert not kitchen["Potato"].cooked
    kitchen.do("ToggleOn", "Microwave")
    assert kitchen["Potato"].cooked


def test_a_microwave_warms_what_cannot_be_cooked(kitchen) -> None:
    kitchen.do("Open", "Microwave")
    kitchen.take("Apple", "Microwave")
    kitchen.do("Close", "Microwave")
    kitchen.do("ToggleOn", "Microwave")
    assert kitchen["Apple"].temperature == "Hot"
    assert not kitchen["Apple"].cooked


def test_a_knob_heats_its_own_burner(kitchen) -> None:
    kitchen.do("ToggleOn", "StoveKnob")
    assert [burner.temperature for burner in kitchen.world.of_type("StoveBurner")] == ["Hot", "RoomTemp"]
    kitchen.do("ToggleOff", "StoveKnob")
    assert [burner.temperature for burner in kitchen.world.of_type("StoveBurner")] == ["RoomTemp", "RoomTemp"]


def test_what_is_in_a_pan_on_a_hot_burner_is_cooked(kitchen) -> None:
    kitchen.take("Pan", "StoveBurner")
    kitchen.take("Potato", "Pan")
    assert not kitchen["Potato"].cooked
    kitchen.do("ToggleOn", "StoveKnob")
    assert kitchen["Potato"].cooked
    assert kitchen["Pan"].temperature == "Hot"


def test_a_potato_in_a_pot_of_water_on_a_hot_burner_has_the_water_in_its_chain(kitchen) -> None:
    kitchen.take("Pot", "SinkBasin")
    run_water(kitchen, over="Pot")
    kitchen.take("Pot", "StoveBurner")
    kitchen.take("Potato", "Pot")
    kitchen.do("ToggleOn", "StoveKnob")
    chain = list(kitchen.world.ancestors(kitchen["Potato"]))
    assert kitchen["Potato"].cooked
    assert [thing.type for thing in chain] == ["Pot", "StoveBurner"]
    assert chain[0].liquid == "water"


# Cold, and what wears off


def test_a_fridge_cools_what_is_in_it(kitchen) -> None:
    kitchen.do("Open", "Fridge")
    kitchen.take("Apple", "Fridge")
    assert kitchen["Apple"].temperature == "Cold"
    wait(kitchen, 2 * WARM_STEPS)
    assert kitchen["Apple"].temperature == "Cold"


def test_out_of_the_fridge_a_thing_soon_has_the_temperature_of_the_room(kitchen) -> None:
    kitchen.do("Open", "Fridge")
    kitchen.take("Apple", "Fridge")
    kitchen.do("Pickup", "Apple")
    wait(kitchen, WARM_STEPS - 1)
    assert kitchen["Apple"].temperature == "Cold"
    wait(kitchen, 1)
    assert kitchen["Apple"].temperature == "RoomTemp"


def test_nothing_switches_itself_off(kitchen) -> None:
    for kind in ("Faucet", "Microwave", "CoffeeMachine", "Toaster", "StoveKnob"):
        kitchen.do("ToggleOn", kind)
    wait(kitchen, 50)
    for kind in ("Faucet", "Microwave", "CoffeeMachine", "Toaster", "StoveKnob"):
        assert kitchen[kind].on
