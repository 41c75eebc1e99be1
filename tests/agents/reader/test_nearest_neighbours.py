"""What people did next."""

from __future__ import annotations

from housemates.agents.reader.planning.history_features import (
    NEW,
    Cast,
    Situation,
    Step,
    Touched,
    effects,
    holding,
    signs,
)
from housemates.agents.reader.planning.nearest_neighbours import shipped_precedents
from housemates.core.percepts import Utterance


def _asked(text: str) -> Situation:
    return Situation([Utterance("follower", "what should I do?"), Utterance("commander", text)], ())


def test_after_an_order_people_do_what_was_said() -> None:
    steps = shipped_precedents().next(_asked("please slice the tomato"))
    assert "Slice" in [step.action for step in steps]


def test_what_was_done_with_one_thing_is_done_with_another() -> None:
    parts = Cast(_asked("slice the tomato")).parts
    assert Cast(_asked("slice the potato")).instead_of(parts) == {
        "Tomato": "Potato",
        "TomatoSliced": "PotatoSliced",
    }


def test_another_one_of_a_type_is_told_from_the_same_one() -> None:
    known = Touched()
    ids = ("Mug|1|2|3", "Mug|1|2|3", "Mug|4|5|6")
    assert [known.step("Pickup", each).which for each in ids] == ["", "", NEW]


def test_effects_are_what_steps_leave_behind() -> None:
    steps = [Step("Pickup", "Mug"), Step("Place", "Sink"), Step("ToggleOn", "Faucet"), Step("Pickup", "Mug")]
    assert effects(steps, "") == {("touched", "Mug"): 1, ("Faucet", "ToggleOn"): 1, ("held", "Mug"): 1}
    assert holding(steps) == "Mug"
    two = [Step("Pickup", "Mug"), Step("Place", "Shelf"), Step("Pickup", "Mug", NEW), Step("Place", "Shelf")]
    assert effects(two, "") == {("touched", "Mug"): 2, ("Mug", "Shelf"): 2}


def test_what_was_said_last_is_another_sign_than_what_was_said_before() -> None:
    one, two = Utterance("commander", "slice the tomato"), Utterance("follower", "ok")
    now, before = Situation([one], ()), Situation([one, two, two, two], ())
    assert signs(now, Cast(now)) != signs(before, Cast(before))
