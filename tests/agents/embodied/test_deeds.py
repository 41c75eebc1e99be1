"""A report says what lasted of what was done, and nothing else."""

from __future__ import annotations

import pytest

from housemates.agents.embodied.colours import colour_name
from housemates.agents.embodied.deeds import Deed, plural, report, told
from housemates.core.outcome import done

TAKEN = Deed("Pickup", "mug", "Mug", origin="counter")
IN_SINK = Deed("Place", "sink", "SinkBasin", "Mug", "mug")
WATER = Deed("ToggleOn", "faucet", "Faucet", inside=(("mug", "Mug"), ("plate", "Plate")))
DRY = Deed("ToggleOff", "faucet", "Faucet")


def in_pot(number: int) -> Deed:
    """A slice of potato that was put into a pot."""
    return Deed("Place", "pot", "Pot", "PotatoSliced", f"slice {number}")


@pytest.mark.parametrize(
    ("deeds", "words"),
    [
        ([], ""),
        ([TAKEN], "I took the mug."),
        ([TAKEN, IN_SINK], "I put the mug in the sink."),
        ([TAKEN, IN_SINK, TAKEN], "I took the mug."),
        ([Deed("Open", "fridge", "Fridge"), Deed("Close", "fridge", "Fridge")], ""),
        ([WATER, DRY], ""),
        ([TAKEN, IN_SINK, WATER, DRY], "I put the mug in the sink and washed the mug."),
        ([in_pot(1), in_pot(2)], "I put 2 slices of potato in the pot."),
        ([in_pot(1), in_pot(1)], "I put the slice of potato in the pot."),
        ([Deed("Slice", "bread", "Bread")], "I sliced the bread."),
    ],
)
def test_a_report_says_what_lasted(deeds: list[Deed], words: str) -> None:
    assert report(deeds) == words


def test_a_deed_is_told_by_its_outcome() -> None:
    deed = told(Deed("Place", "a", "Cup", "Mug", "b"), done(type="Bowl", held="Plate", liquid="water"))
    assert (deed.type, deed.load, deed.liquid) == ("Bowl", "Plate", "water")


def test_names_have_plurals() -> None:
    assert [plural(each) for each in ("slice of bread", "knife", "dish", "potato", "keys")] == [
        *("slices of bread", "knives", "dishes", "potatoes", "keys"),
    ]


@pytest.mark.parametrize(
    ("rgb", "name"),
    [
        ((250, 250, 245), "white"),
        ((20, 20, 22), "black"),
        ((128, 130, 128), "grey"),
        ((200, 30, 30), "red"),
        ((110, 70, 30), "brown"),
        ((240, 220, 60), "yellow"),
        ((40, 150, 60), "green"),
        ((40, 80, 200), "blue"),
        ((90, 20, 20), "red"),
    ],
)
def test_colours_have_the_names_that_people_give_them(rgb: tuple[int, int, int], name: str) -> None:
    assert colour_name(rgb) == name
