"""What a message about an act tells of the thing that was touched."""

from __future__ import annotations

import pytest

from housemates.benchmarks.embodied import touching


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
    assert touching.named(message) == kind


def test_a_sink_is_touched_where_its_basin_is() -> None:
    assert touching.alike("Sink", "SinkBasin")
    assert not touching.alike("Mug", "Cup")
