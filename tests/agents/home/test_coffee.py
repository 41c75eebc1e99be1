"""The script that makes coffee."""

from __future__ import annotations

import pytest

from housemates.agents.home.coffee import make_coffee
from housemates.home import World
from housemates.home.scenes import load, scene_ids


@pytest.mark.parametrize("scene", scene_ids("kitchen"))
def test_the_script_makes_coffee_in_every_kitchen(scene: str) -> None:
    world = World(load(scene))
    full = {thing.id for thing in world.of_type("Mug") if thing.liquid == "coffee"}
    deeds = list(make_coffee(world))
    assert all(deed.outcome.success for deed in deeds)
    used = [deed.target for deed in deeds if deed.action == "Pickup"]
    mug = world.things[used[-1]]
    assert (mug.liquid, mug.dirty) == ("coffee", False)
    assert mug.id not in full or "Pour" in {deed.action for deed in deeds}
    assert world.held is None
