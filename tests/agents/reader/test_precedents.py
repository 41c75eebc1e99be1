"""What people did next."""

from __future__ import annotations

from housemates.agents.reader.precedents import (
    Situation,
    Step,
    effects,
    holding,
    shipped_precedents,
    signs,
)
from housemates.benchmarks.seat import Utterance


def test_after_an_order_people_do_what_was_said() -> None:
    said = [Utterance("follower", "what should I do?"), Utterance("commander", "please water the plant")]
    steps = shipped_precedents().next(Situation(said, ()))
    assert steps
    assert all(len(step) == 2 for step in steps)


def test_effects_are_what_steps_leave_behind() -> None:
    steps = [Step("Pickup", "Mug"), Step("Place", "Sink"), Step("ToggleOn", "Faucet"), Step("Pickup", "Mug")]
    assert effects(steps, "") == {("touched", "Mug"), ("Faucet", "ToggleOn"), ("held", "Mug")}
    assert holding(steps) == "Mug"


def test_what_was_said_last_is_another_sign_than_what_was_said_before() -> None:
    one, two = Utterance("commander", "slice the tomato"), Utterance("follower", "ok")
    assert signs(Situation([one], ())) != signs(Situation([one, two, two, two], ()))
