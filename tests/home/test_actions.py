"""What all actions share: their arguments, their targets, reach and sight."""

from __future__ import annotations

import math
from typing import Any

import pytest

from housemates.errors import HousematesError
from housemates.home import ACTIONS, MOVES, TOUCHES, Action, act, perform
from housemates.home.actions import HANDS, STATES, offered

WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("Fly", {}, "Unknown action 'Fly'"),
    ("Pickup", {}, "missing argument 'target'"),
    ("Teleport", {"x": 0.0}, "missing argument 'z'"),
    ("Forward", {"metres": 2}, "unexpected argument 'metres'"),
    ("Pickup", {"target": 7}, "argument 'target' is 7"),
    ("Teleport", {"x": math.nan, "z": 0.0}, "expected a finite number"),
    ("Teleport", {"x": 0.0, "z": math.inf}, "expected a finite number"),
    ("Teleport", {"x": True, "z": 0.0}, "expected a finite number"),
    ("Teleport", {"x": 0.0, "z": 0.0, "rotation": 45}, "expected 0, 90, 180 or 270"),
    ("LookUp", {"degrees": 0}, "between 1 and 90"),
    ("LookUp", {"degrees": 2.5}, "whole number"),
    ("Place", {"target": "x", "at": (0.0, math.nan, 0.0)}, "finite"),
    ("Place", {"target": "x", "at": (0.0, 1.0)}, "a point (x, y, z)"),
    ("Fill", {"target": "x", "liquid": "lava"}, "water, coffee or wine"),
]


@pytest.mark.parametrize(("name", "arguments", "said"), WRONG)
def test_wrong_arguments_raise_one_sentence_and_change_nothing(kitchen, name, arguments, said) -> None:
    before = kitchen.world.digest()
    with pytest.raises(HousematesError) as caught:
        act(kitchen.world, name, **arguments)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert kitchen.world.digest() == before


def test_every_action_says_what_it_does() -> None:
    assert all(spec.help.endswith(".") for spec in ACTIONS.values())


def test_every_row_of_words_is_of_an_action_with_a_key_of_its_own() -> None:
    rows = offered()
    assert set(rows) == {*MOVES, *TOUCHES} <= set(ACTIONS)
    assert len({row.key for row in rows.values()}) == len(rows)
    assert all(row.help.endswith(".") and row.text for row in rows.values())
    assert all(rows[name].sign and rows[name].pad for name in MOVES)
    assert all("{thing}" in rows[name].label and rows[name].nothing.endswith(".") for name in TOUCHES)


def test_what_an_action_is_meant_for_is_what_it_is_for() -> None:
    assert all(HANDS[ACTIONS[name].hand] and all(ACTIONS[name].fits) for name in TOUCHES)
    assert all({*spec.when, *spec.first} <= set(STATES) for spec in ACTIONS.values())


def test_an_action_is_sensible_where_hand_and_state_allow_it(kitchen) -> None:
    pickup, place, open_, slice_ = (ACTIONS[name] for name in ("Pickup", "Place", "Open", "Slice"))
    knife, bread, fridge = kitchen["Knife"], kitchen["Bread"], kitchen["Fridge"]
    assert pickup.sensible(knife, None) and not pickup.sensible(knife, bread)
    assert place.meant(fridge) and not place.sensible(fridge, bread), "it is shut"
    assert open_.sensible(fridge, bread) and not open_.sensible(bread, None)
    assert slice_.sensible(bread, knife) and not slice_.sensible(bread, fridge)
    kitchen.do("Pickup", "Knife")
    kitchen.do("Slice", "Bread")
    heels = [each for each in kitchen.world.things.values() if each.heel]
    assert heels and not any(map(slice_.meant, heels))


def test_a_record_of_an_action_does_the_same_as_the_call(kitchen) -> None:
    perform(kitchen.world, Action("TurnLeft"))
    assert kitchen.world.agent.rotation == 270


def test_an_unknown_target_is_refused_by_its_name(kitchen) -> None:
    outcome = kitchen.act("Pickup", target="Mug|nowhere")
    assert not outcome.success
    assert "'Mug|nowhere'" in outcome.message


def test_a_refused_action_still_takes_a_step_of_time(kitchen) -> None:
    kitchen.act("Pickup", target="Mug|nowhere")
    assert kitchen.world.tick == 1


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Pickup", "DiningTable"),
        ("Open", "Mug"),
        ("ToggleOn", "Bread"),
        ("Slice", "Plate"),
        ("Fill", "Plate"),
        ("Clean", "Bread"),
        ("Cook", "Mug"),
        ("Break", "Bread"),
    ],
)
def test_a_thing_is_used_only_for_what_it_affords(kitchen, name, kind) -> None:
    kitchen.go_to(kind)
    outcome = kitchen.act(name, kind)
    assert not outcome.success
    assert "cannot be used that way" in outcome.message


def test_what_is_beyond_one_and_a_half_metres_is_too_far(kitchen) -> None:
    act(kitchen.world, "Teleport", x=-1.5, z=0.0, rotation=90, horizon=30)
    outcome = kitchen.act("Pickup", "Apple")
    assert not outcome.success
    assert "too far" in outcome.message


def test_what_is_behind_the_agent_is_not_in_view(kitchen) -> None:
    kitchen.go_to("Mug")
    act(kitchen.world, "TurnLeft")
    act(kitchen.world, "TurnLeft")
    outcome = kitchen.act("Pickup", "Mug")
    assert not outcome.success
    assert "not in view" in outcome.message


def test_what_is_shut_in_cannot_be_taken(kitchen) -> None:
    kitchen.change("Microwave", open=True)
    kitchen.add("Tomato", "Microwave")
    kitchen.change("Microwave", open=False)
    kitchen.go_to("Microwave")
    outcome = kitchen.act("Pickup", "Tomato")
    assert not outcome.success
    assert "inside the closed microwave" in outcome.message
