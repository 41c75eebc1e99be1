"""The state of a home in words."""

from __future__ import annotations

from housemates.home.facts import facts


def test_where_a_thing_is_and_how_it_is_are_told(kitchen) -> None:
    mug, faucet = kitchen["Mug"].id, kitchen["Faucet"].id
    assert facts(kitchen.world)[mug].startswith("at the dining table")
    kitchen.do("Pickup", "Mug")
    assert facts(kitchen.world)[mug].startswith("in the hand")
    kitchen.do("ToggleOn", "Faucet")
    kitchen.do("Place", "SinkBasin")
    told = facts(kitchen.world)
    assert told[mug] == "at the sink basin, full of water"
    assert told[faucet] == "on"
