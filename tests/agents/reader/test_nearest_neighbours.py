"""What people did next."""

from __future__ import annotations

from housemates.agents.reader.planning.history_features import (
    NEW,
    History,
    RoleBinding,
    TouchedObjects,
    TypedStep,
    effects,
    features,
    holding,
)
from housemates.agents.reader.planning.nearest_neighbours import shipped_neighbours
from housemates.core.percepts import Utterance


def _asked(text: str) -> History:
    return History([Utterance("follower", "what should I do?"), Utterance("commander", text)], ())


def test_after_an_order_people_do_what_was_said() -> None:
    steps = shipped_neighbours().next(_asked("please slice the tomato"))
    assert "Slice" in [step.action for step in steps]


def test_what_was_done_with_one_thing_is_done_with_another() -> None:
    parts = RoleBinding(_asked("slice the tomato")).parts
    assert RoleBinding(_asked("slice the potato")).instead_of(parts) == {
        "Tomato": "Potato",
        "TomatoSliced": "PotatoSliced",
    }


def test_another_one_of_a_type_is_told_from_the_same_one() -> None:
    known = TouchedObjects()
    ids = ("Mug|1|2|3", "Mug|1|2|3", "Mug|4|5|6")
    assert [known.step("Pickup", each).which for each in ids] == ["", "", NEW]


def test_effects_are_what_steps_leave_behind() -> None:
    steps = [
        TypedStep("Pickup", "Mug"),
        TypedStep("Place", "Sink"),
        TypedStep("ToggleOn", "Faucet"),
        TypedStep("Pickup", "Mug"),
    ]
    assert effects(steps, "") == {("touched", "Mug"): 1, ("Faucet", "ToggleOn"): 1, ("held", "Mug"): 1}
    assert holding(steps) == "Mug"
    two = [
        TypedStep("Pickup", "Mug"),
        TypedStep("Place", "Shelf"),
        TypedStep("Pickup", "Mug", NEW),
        TypedStep("Place", "Shelf"),
    ]
    assert effects(two, "") == {("touched", "Mug"): 2, ("Mug", "Shelf"): 2}


def test_what_was_said_last_is_another_sign_than_what_was_said_before() -> None:
    one, two = Utterance("commander", "slice the tomato"), Utterance("follower", "ok")
    now, before = History([one], ()), History([one, two, two, two], ())
    assert features(now, RoleBinding(now)) != features(before, RoleBinding(before))
