"""What a message about an act tells of the thing that was touched."""

from __future__ import annotations

import numpy as np
import pytest

from housemates.agents.embodied import outcome_parsing
from housemates.agents.embodied.object_memory import Memory, Seen
from housemates.core.outcome import Outcome
from housemates.home.things import REACH_M


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Picked up the mug.", "Mug"),
        ("Placed the mug on the counter top.", "CounterTop"),
        ("Place: the free room for the mug on the shelf is too far away. Go closer.", "Shelf"),
        ("Place: a coffee machine takes only a mug, not a cup.", "CoffeeMachine"),
        ("Pickup: the bread sliced is inside the closed fridge. Open it first.", "BreadSliced"),
        ("Open: you stand in the way of the drawer. Step back.", "Drawer"),
        ("Pickup: your hand is full. Put the mug down first.", ""),
        ("Open: there is nothing for it where you point.", ""),
        ("The way ahead is blocked.", ""),
    ],
)
def test_a_message_names_what_was_touched(message: str, kind: str) -> None:
    assert outcome_parsing.named(message) == kind


def test_a_sink_is_touched_where_its_basin_is() -> None:
    assert outcome_parsing.alike("Sink", "SinkBasin")
    assert not outcome_parsing.alike("Mug", "Cup")


def _seen(kind: str) -> tuple[Memory, Seen]:
    memory = Memory()
    memory.hazy = True
    thing = Seen("it", kind, np.array([[0.0, 0.9, 1.0]]), np.zeros(3), 0, 50)
    memory.things["it"] = thing
    return memory, thing


def test_what_is_taken_by_mistake_is_known_for_what_it_is() -> None:
    memory, thing = _seen("Mug")
    outcome = outcome_parsing.learn(
        memory, "it", "Pickup", Outcome(True, "Picked up the egg."), (0.0, 0.9, 0.0)
    )
    assert outcome_parsing.mistaken(outcome)
    assert (thing.type, thing.seemed, thing.sworn) == ("Egg", "Mug", True)


def test_what_is_out_of_reach_is_farther_away_than_it_seemed() -> None:
    memory, thing = _seen("Mug")
    refused = Outcome(False, "Pickup: the mug is too far away. Go closer.")
    assert outcome_parsing.learn(memory, "it", "Pickup", refused, (0.0, 0.9, 0.0)) is refused
    assert float(thing.points[0, 2]) >= REACH_M


def test_where_nothing_was_twice_there_is_nothing() -> None:
    memory, _ = _seen("Mug")
    for left in (1, 0):
        refused = Outcome(False, "Pickup: there is nothing for it where you point.")
        outcome_parsing.learn(memory, "it", "Pickup", refused, (0.0, 0.9, 0.0))
        assert len(memory.of(("Mug",))) == left


def test_a_faint_thing_is_believed_in_when_nothing_else_was_found() -> None:
    memory, thing = _seen("Fridge")
    memory.sure["it"] = 0.5
    assert memory.of(("Fridge",)) == []
    memory.credulous.add("Fridge")
    assert memory.of(("Fridge",)) == [thing]


def test_refusals_tell_whether_a_door_is_open() -> None:
    assert outcome_parsing.door("Close", Outcome(False, "Close: the cabinet is closed already.")) is False
    assert outcome_parsing.door("Open", Outcome(False, "Open: the cabinet is open already.")) is True
    assert outcome_parsing.door("Open", Outcome(True, "Opened the cabinet.")) is True
    assert outcome_parsing.door("Pickup", Outcome(True, "Picked up the mug.")) is None


def test_a_large_thing_that_is_well_seen_is_not_its_neighbour_for_a_touch_beside_it() -> None:
    memory, thing = _seen("SinkBasin")
    memory.sure["it"] = 0.9
    beside = Outcome(True, "Placed the pot on the counter top.")
    assert outcome_parsing.mistaken(outcome_parsing.learn(memory, "it", "Place", beside, (0.0, 0.9, 0.0)))
    assert thing.type == "SinkBasin"
