"""What the outcome of an act tells of the thing that was touched."""

from __future__ import annotations

import numpy as np
import pytest

from housemates.agents.embodied import outcome_parsing
from housemates.agents.embodied.object_memory import ObjectMemory, TrackedObject
from housemates.agents.embodied.perception import NOISY
from housemates.core.outcome import Outcome, Reason, done, refuse
from housemates.home.things import REACH_M


@pytest.mark.parametrize(
    ("outcome", "kind"),
    [
        (done("Picked up the mug.", type="Mug"), "Mug"),
        (refuse(Reason.NO_ROOM, "", type="Shelf", held="Mug"), "Shelf"),
        (refuse(Reason.SHUT_IN, "", type="BreadSliced", inside="Fridge"), "BreadSliced"),
        (refuse(Reason.HANDS_FULL, "", held="Mug"), ""),
        (refuse(Reason.IN_HAND, "", type="Mug"), ""),
        (refuse(Reason.NEEDS_KNIFE, "", type="Apple"), ""),
        (refuse(Reason.NOTHING_THERE, "Open: the mug is not there."), ""),
    ],
)
def test_an_outcome_tells_what_was_touched(outcome: Outcome, kind: str) -> None:
    assert outcome_parsing.touched(outcome) == kind


def test_a_sink_is_touched_where_its_basin_is() -> None:
    assert outcome_parsing.alike("Sink", "SinkBasin")
    assert not outcome_parsing.alike("Mug", "Cup")


def _seen(kind: str) -> tuple[ObjectMemory, TrackedObject]:
    memory = ObjectMemory(NOISY)
    thing = TrackedObject("it", kind, np.array([[0.0, 0.9, 1.0]]), np.zeros(3), 0, 50)
    memory.things["it"] = thing
    return memory, thing


def test_what_is_taken_by_mistake_is_known_for_what_it_is() -> None:
    memory, thing = _seen("Mug")
    outcome = outcome_parsing.learn(memory, "it", "Pickup", done(type="Egg"), (0.0, 0.9, 0.0))
    assert outcome_parsing.mistaken(outcome)
    assert (thing.type, thing.detected_type, thing.confirmed) == ("Egg", "Mug", True)


def test_what_is_out_of_reach_is_farther_away_than_it_seemed() -> None:
    memory, thing = _seen("Mug")
    refused = refuse(Reason.TOO_FAR, "", type="Mug")
    assert outcome_parsing.learn(memory, "it", "Pickup", refused, (0.0, 0.9, 0.0)) is refused
    assert float(thing.points[0, 2]) >= REACH_M


def test_where_nothing_was_twice_there_is_nothing() -> None:
    memory, _ = _seen("Mug")
    for left in (1, 0):
        refused = refuse(Reason.NOTHING_THERE, "")
        outcome_parsing.learn(memory, "it", "Pickup", refused, (0.0, 0.9, 0.0))
        assert len(memory.of(("Mug",))) == left


def test_a_faint_thing_is_believed_in_when_nothing_else_was_found() -> None:
    memory, thing = _seen("Fridge")
    memory.confidence["it"] = 0.5
    assert memory.of(("Fridge",)) == []
    memory.believed_types.add("Fridge")
    assert memory.of(("Fridge",)) == [thing]


def test_a_large_thing_that_is_well_seen_is_not_its_neighbour_for_a_touch_beside_it() -> None:
    memory, thing = _seen("SinkBasin")
    memory.confidence["it"] = 0.9
    beside = done(type="CounterTop", held="Pot")
    assert outcome_parsing.mistaken(outcome_parsing.learn(memory, "it", "Place", beside, (0.0, 0.9, 0.0)))
    assert thing.type == "SinkBasin"
