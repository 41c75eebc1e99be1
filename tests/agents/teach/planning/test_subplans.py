"""What to do next for a task: what comes first, what stands in the way, and what is tried instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from housemates.agents.teach.planning import PlannedStep, Subplan, assign_roles, closing_steps, next_subplan
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.world.dynamics import TeachWorld
from housemates.home import World
from housemates.home.placement import find_spot
from housemates.home.scenes import load
from housemates.home.things import Thing
from housemates.home.world import parents_on


@pytest.fixture
def world() -> TeachWorld:
    return TeachWorld(World(load("kitchen-03")))


def first(world: TeachWorld, kind: str) -> Thing:
    return world.home.of_type(kind)[0]


def every(world: TeachWorld, kind: str, **changes: Any) -> None:
    for thing in world.home.of_type(kind):
        world.home.update(thing, **changes)


def put(world: TeachWorld, thing: Thing, place: Thing) -> None:
    spot = find_spot(world.home, thing, place)
    assert spot is not None
    world.home.move(thing, spot.position, spot.yaw, parents_on(world.home, place))


def subplan(world: TeachWorld, task: str, *params: str, avoid: Sequence[PlannedStep] = ()) -> Subplan:
    found = next_subplan(tasks.bind(task, params), world, avoid)
    assert found is not None
    return found


def actions(found: Subplan) -> list[str]:
    return [step.action for step in found.steps]


def test_a_dirty_mug_is_washed_before_it_gets_coffee(world: TeachWorld) -> None:
    every(world, "Mug", dirty=True, liquid="")
    found = subplan(world, "Coffee")
    assert found.condition.property == "isDirty"
    assert actions(found)[-3:] == ["Place", "ToggleOn", "ToggleOff"]
    assert found.steps[-3].place == first(world, "SinkBasin").id


def test_a_full_mug_is_emptied_before_it_gets_coffee(world: TeachWorld) -> None:
    every(world, "Mug", dirty=False, liquid="water")
    assert actions(subplan(world, "Coffee"))[-1] == "Pour"


def test_another_mug_is_taken_out_of_the_machine_first(world: TeachWorld) -> None:
    every(world, "Mug", dirty=False, liquid="")
    machine, mug = first(world, "CoffeeMachine"), first(world, "Mug")
    for inside in world.home.contents(machine):
        put(world, inside, first(world, "CounterTop"))
    other = Thing("Mug|+09.00|+00.00|+00.00", "Mug", (9.0, 0.0, 0.0), mug.size, dirty=True, liquid="water")
    world.home.add(other)
    put(world, other, machine)
    world.act("Forward")
    found = subplan(world, "Coffee")
    assert PlannedStep("Pickup", other.id) in found.steps
    assert all(step.place != machine.id for step in found.steps)


def test_what_is_shut_in_is_taken_out_and_closed_in_again(world: TeachWorld) -> None:
    fridge, potato = first(world, "Fridge"), first(world, "Potato")
    put(world, potato, world.home.update(fridge, open=True))
    world.home.update(fridge, open=False)
    found = subplan(world, "Put All X On Y", "Potato", "on", "CounterTop")
    assert actions(found)[:3] == ["Open", "Pickup", "Close"]


def test_a_full_basin_is_cleared_first(world: TeachWorld) -> None:
    basin = first(world, "SinkBasin")
    for number in range(8):
        sponge = Thing(
            f"DishSponge|+09.00|+00.00|+0{number}.00", "DishSponge", (9.0, 0.0, number), basin.size
        )
        world.home.add(sponge)
        world.home.move(sponge, basin.position, basin.yaw, (basin.id,))
    every(world, "Plate", dirty=True)
    found = subplan(world, "Clean X", "Plate")
    taken = world.home.things[found.steps[0].thing]
    assert actions(found) == ["Pickup", "Place"]
    assert taken.parents[0] == basin.id
    assert found.steps[1].place != basin.id


def test_a_knife_comes_before_slicing_and_the_hand_is_freed_before_the_knife(world: TeachWorld) -> None:
    put(world, first(world, "Tomato"), first(world, "CounterTop"))
    mug = first(world, "Mug")
    world.home.move(mug, (0.0, 0.0, 0.0), 0.0, ())
    world.home.agent = type(world.home.agent)(**{**_fields(world.home.agent), "held": mug.id})
    found = subplan(world, "Sliced X", "Tomato")
    assert actions(found)[0] == "Place"
    assert found.steps[0].thing == mug.id
    assert actions(found)[-1] == "Slice"
    assert any("Knife" in step.thing for step in found.steps)


def _fields(record: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__struct_fields__}


def test_a_potato_is_boiled_in_a_pot_that_is_filled_first(world: TeachWorld) -> None:
    every(world, "Pot", liquid="")
    pot = first(world, "Pot")
    assert subplan(world, "Boil X", "Potato").steps[-2].action == "ToggleOn"
    world.home.update(pot, liquid="water")
    burner = first(world, "StoveBurner")
    for kettle in world.home.contents(burner):
        put(world, kettle, first(world, "CounterTop"))
    put(world, world.home.things[pot.id], burner)
    found = subplan(world, "Boil X", "Potato")
    assert found.steps[-1] == PlannedStep("Place", found.condition.thing, pot.id)


def test_a_cooked_potato_is_not_chosen_to_be_boiled(world: TeachWorld) -> None:
    every(world, "Potato", cooked=True)
    raw = Thing("Potato|+09.00|+00.00|+00.00", "Potato", (9.0, 0.0, 0.0), first(world, "Potato").size)
    world.home.add(raw)
    assert {condition.thing for condition in assign_roles(tasks.bind("Boil X", ["Potato"]), world)} == {
        raw.id
    }


def test_what_cannot_be_done_is_done_with_something_else(world: TeachWorld) -> None:
    put(world, first(world, "Tomato"), first(world, "CounterTop"))
    knives = [thing.id for thing in world.home.things.values() if thing.kind.cuts]
    assert len(knives) > 1
    for knife in knives[:-1]:
        found = subplan(world, "Sliced X", "Tomato", avoid=[PlannedStep("Pickup", knife)])
        assert PlannedStep("Pickup", knife) not in found.steps


def test_meals_share_a_plate_where_there_is_only_one(world: TeachWorld) -> None:
    plates = world.home.of_type("Plate")
    for plate in plates[1:]:
        del world.home.things[plate.id]
    params = ["0", "1", "0", "Plate", "1", "Plate", "0", "0", "0", "0", "0", "0", "0", "CounterTop"]
    conditions = assign_roles(tasks.bind("Breakfast", params), world)
    assert {condition.thing for condition in conditions if "Plate" in condition.thing} <= {plates[0].id}


def test_a_finished_task_asks_for_nothing(world: TeachWorld) -> None:
    every(world, "Plate", dirty=False)
    assert next_subplan(tasks.bind("Clean X", ["Plate"]), world) is None


def test_open_doors_can_be_closed_to_get_past_them(world: TeachWorld) -> None:
    every(world, "Fridge", open=True)
    assert PlannedStep("Close", first(world, "Fridge").id) in closing_steps(world)
