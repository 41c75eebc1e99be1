"""An agent that counts its steps knows where it was blocked."""

from __future__ import annotations

from housemates.agents.alfred.dead_reckoning import AHEAD, LEFT, RIGHT, DeadReckoning


def test_a_blocked_way_is_not_tried_again() -> None:
    bearings = DeadReckoning()
    bearings.note(AHEAD, True)
    assert list(bearings.idle()) == []
    bearings.note(AHEAD, False)
    assert list(bearings.idle()) == [AHEAD]
    bearings.note(RIGHT, True)
    assert list(bearings.idle()) == []


def test_a_turn_between_two_blocked_ways_is_not_taken_back() -> None:
    bearings = DeadReckoning()
    for action, success in ((AHEAD, False), (RIGHT, True), (AHEAD, False)):
        bearings.note(action, success)
    assert list(bearings.idle()) == [AHEAD, LEFT]


def test_it_knows_a_place_to_which_it_comes_back() -> None:
    bearings = DeadReckoning()
    bearings.note(AHEAD, False)
    for _ in range(4):
        bearings.note(RIGHT, True)
        bearings.note(AHEAD, True)
    assert list(bearings.idle()) == [AHEAD]
    bearings.note(AHEAD, True)
    assert list(bearings.idle()) == []


def test_a_pose_is_not_taken_a_third_time_between_two_deeds() -> None:
    bearings = DeadReckoning()
    for action in (RIGHT, LEFT, RIGHT):
        bearings.note(action, True)
    assert list(bearings.idle()) == [LEFT]
    bearings.note("PickupObject", True)
    assert list(bearings.idle()) == []


def test_it_knows_how_far_it_looks_down() -> None:
    bearings = DeadReckoning()
    for action, success in (("LookDown", True), ("LookDown", True), ("LookUp", False)):
        bearings.note(action, success)
    assert bearings.pose.horizon == 60
