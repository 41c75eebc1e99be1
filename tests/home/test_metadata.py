"""The metadata has AI2-THOR's fields and tells the truth about the world."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from housemates.files import read_lines
from housemates.home import act
from housemates.home.metadata import metadata, visible_things


def entry(world, thing) -> dict[str, Any]:
    return next(row for row in metadata(world)["objects"] if row["objectId"] == thing.id)


def kinds(value: Any) -> Any:
    """The fields of a record and of the records in it, without lists."""
    return {key: kinds(part) for key, part in value.items()} if isinstance(value, dict) else None


def test_the_fields_are_those_of_a_real_record(kitchen, real_data: Path) -> None:
    game = next(read_lines(real_data / "teach" / "valid_seen.jsonl.zst")).value
    state = game["tasks"][0]["episodes"][0]["initial_state"]
    for kind in ("Mug", "Fridge", "CounterTop", "Chair" if "Chair" in str(state) else "Stool"):
        real = next((row for row in state["objects"] if row["objectType"] == kind), None)
        if real is None or not kitchen.world.of_type(kind):
            continue
        ours = entry(kitchen.world, kitchen[kind])
        fields = {key: value for key, value in real.items() if not key.startswith("simbot")}
        assert kinds(ours) == kinds(fields)
    agent = next(row for row in state["agents"] if row.get("name") == "agent")
    assert kinds(metadata(kitchen.world)["agent"]) == kinds(agent)


def test_affordances_are_those_of_a_real_kitchen(kitchen, real_data: Path) -> None:
    game = next(read_lines(real_data / "teach" / "valid_seen.jsonl.zst")).value
    rows = game["tasks"][0]["episodes"][0]["initial_state"]["objects"]
    real = {row["objectType"]: row for row in rows}
    flags = ["receptacle", "toggleable", "canFillWithLiquid", "dirtyable", "cookable"]
    flags += ["sliceable", "openable", "pickupable", "moveable"]
    for row in metadata(kitchen.world)["objects"]:
        if row["objectType"] in real:
            for flag in flags:
                assert row[flag] == real[row["objectType"]][flag], (row["objectType"], flag)


def test_states_are_told(kitchen) -> None:
    kitchen.do("Open", "Fridge")
    kitchen.change("Mug", dirty=True, liquid="water")
    fridge, mug = entry(kitchen.world, kitchen["Fridge"]), entry(kitchen.world, kitchen["Mug"])
    assert (fridge["isOpen"], fridge["openness"]) == (True, 1.0)
    assert (mug["isDirty"], mug["isFilledWithLiquid"], mug["isOpen"]) == (True, True, False)


def test_parents_and_contents_are_inverse(kitchen) -> None:
    kitchen.take("Apple", "Plate")
    rows = {row["objectId"]: row for row in metadata(kitchen.world)["objects"]}
    pairs = {(name, parent) for name, row in rows.items() for parent in row["parentReceptacles"] or ()}
    inverse = {(inner, name) for name, row in rows.items() for inner in row["receptacleObjectIds"] or ()}
    assert pairs == inverse
    assert {parent.split("|")[0] for parent in rows[kitchen["Apple"].id]["parentReceptacles"]} == {
        "Plate",
        "DiningTable",
    }


def test_a_box_has_eight_corners_about_its_centre(kitchen) -> None:
    box = entry(kitchen.world, kitchen["Chair"])["axisAlignedBoundingBox"]
    assert len(box["cornerPoints"]) == 8
    for axis, name in enumerate("xyz"):
        values = [corner[axis] for corner in box["cornerPoints"]]
        assert max(values) - min(values) == pytest.approx(box["size"][name])
        assert (max(values) + min(values)) / 2 == pytest.approx(box["center"][name])
    assert box["size"]["x"] == pytest.approx(kitchen["Chair"].size[2])


def test_a_held_thing_is_picked_up_and_in_the_inventory(kitchen) -> None:
    kitchen.do("Pickup", "Mug")
    told = metadata(kitchen.world)
    assert told["inventoryObjects"] == [{"objectId": kitchen["Mug"].id, "objectType": "Mug"}]
    mug = entry(kitchen.world, kitchen["Mug"])
    assert mug["isPickedUp"]
    assert mug["distance"] < 1.0


def test_visible_is_near_in_view_and_not_hidden(kitchen) -> None:
    kitchen.go_to("Mug")
    assert kitchen["Mug"].id in visible_things(kitchen.world)
    assert kitchen["Fridge"].id not in visible_things(kitchen.world)
    act(kitchen.world, "TurnLeft")
    act(kitchen.world, "TurnLeft")
    assert kitchen["Mug"].id not in visible_things(kitchen.world)


def test_a_refusal_is_the_error_message(kitchen) -> None:
    outcome = act(kitchen.world, "Pickup", target="x")
    told = metadata(kitchen.world, "Pickup", outcome)
    assert (told["lastAction"], told["lastActionSuccess"]) == ("Pickup", False)
    assert told["errorMessage"] == outcome.message


def test_a_thing_that_lacks_an_affordance_of_its_type_says_so(kitchen) -> None:
    kitchen.change("Cup", lacks=("break",))
    assert not entry(kitchen.world, kitchen["Cup"])["breakable"]
    kitchen.go_to("Cup")
    assert not kitchen.act("Break", "Cup").success
