"""What people did next, and what they will do."""

from __future__ import annotations

from housemates.agents.reader.planning.continuations import shipped_continuations
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
from housemates.agents.reader.planning.step_features import Situation
from housemates.core.percepts import Utterance


def _asked(text: str) -> History:
    return History([Utterance("follower", "what should I do?"), Utterance("commander", text)], ())


def test_after_an_order_people_do_what_was_said() -> None:
    steps = shipped_continuations().next(_asked("please slice the tomato"))
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


def test_neighbours_can_be_left_out() -> None:
    found, history = shipped_neighbours(), _asked("please slice the tomato")
    likeness = found.similarity(history, RoleBinding(history))
    nearest = likeness == likeness.max()
    assert found.neighbours(history, nearest)[0].similarity < found.neighbours(history)[0].similarity


def test_continuations_come_in_the_order_of_their_odds() -> None:
    found = shipped_continuations().likeliest(_asked("please wash the mug in the sink"), 5)
    shares = [each.share for each in found]
    assert len(found) == 5
    assert shares == sorted(shares, reverse=True)
    assert all(0.0 < each < 1.0 for each in shares)


def test_the_policy_prefers_what_was_asked_for_and_what_the_hand_allows() -> None:
    policy, situation = (
        shipped_continuations().policy,
        Situation(_asked("pick up the knife and slice the bread")),
    )
    ways = [
        [TypedStep("Pickup", "Knife"), TypedStep("Slice", "Bread")],
        [TypedStep("Pickup", "Mug"), TypedStep("Place", "CoffeeMachine")],
        [TypedStep("Place", "CounterTop")],
    ]
    odds = policy.odds(situation, ways)
    assert odds.steps[0] > odds.steps[1]
    assert odds.steps[2] < odds.rarest[0]


def test_policy_is_told_what_was_done_and_what_is_held() -> None:
    situation = Situation(History(_asked("put the mug in the sink").said, [TypedStep("Pickup", "Mug")]))
    assert situation.held == "Mug"
    assert situation.step([]) != situation.step([TypedStep("Place", "Sink")])
