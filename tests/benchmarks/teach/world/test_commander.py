"""The Commander: flying through walls, checking progress, and finding things."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from housemates.benchmarks.teach.session import TatcSession
from housemates.core.actions import Act

Begin = Callable[..., TatcSession]


@pytest.fixture
def session(begin: Begin) -> TatcSession:
    return begin()


def test_a_search_shows_the_thing_and_tells_where_it_is(session: TatcSession) -> None:
    outcome = session.act(Act("Search", {"text": "fridge"}))
    data = outcome.data
    assert outcome.success and data["oid"] == data["shown_oid"]
    assert data["oid"].startswith("Fridge|")
    assert outcome.message == f"The fridge [{data['oid']}] is by itself."
    assert np.array_equal(data["mask"], data["frame"].mask(data["oid"])) and data["mask"].any()
    assert all(0 <= value <= 1 for spot in data["view_hotspots"] for value in spot)
    assert all(0 <= value <= 1 for value in (*data["pos_norm"], *data["view_pos_norm"]))


def test_a_hidden_thing_is_shown_by_what_hides_it(session: TatcSession) -> None:
    home = session.world.home
    hidden = [thing for thing in home.things.values() if thing.solid and home.enclosing(thing)]
    for thing in hidden[:3]:
        shut = home.enclosing(thing)
        assert shut is not None
        outcome = session.act(Act("Select", {"object": thing.id}))
        data = outcome.data
        assert (data["oid"], data["shown_oid"], data["hidden_in"]) == (thing.id, shut.id, shut.id)
        assert outcome.message.endswith(f"[{shut.id}].")
    assert hidden


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (Act("Search", {"text": "unicorn"}), "Search: There is nothing like 'unicorn' here."),
        (Act("Search", {"text": " "}), "Search: expected the name of an object."),
        (Act("Select", {"object": "Dragon|1"}), "Select: there is no 'Dragon|1' here."),
    ],
    ids=str,
)
def test_what_is_not_there_is_a_failed_search_that_is_recorded(
    session: TatcSession, act: Act, said: str
) -> None:
    outcome = session.act(act)
    assert (outcome.success, outcome.message, dict(outcome.data)) == (False, said, {"success": False})
    assert session.recorder.interactions[-1].success == 0


def test_what_is_in_the_followers_hand_is_said_to_be_there(session: TatcSession, go_to) -> None:
    home = session.world.home
    session.act("Pass")
    name = go_to(session, "Kettle")
    assert session.act(Act("Pickup", {"object": name})).success
    session.act("Pass")
    assert session.act("Search kettle").message == "Search: The kettle is in the Follower's hand."
    assert f"it holds kettle [{name}]" in session.observe().text and home.agent.held == name


def test_it_flies_through_walls_and_moves_nobody(session: TatcSession) -> None:
    start = session.commander.pose
    for _ in range(40):
        assert session.act("Forward").success
    assert math.dist(session.commander.pose[:3], start[:3]) == pytest.approx(10.0)
    session.act("LookUp")
    assert session.commander.pose.y == pytest.approx(start.y + 0.25)
    session.act("TurnRight")
    session.act("PanLeft")
    assert session.world.home.agent == session.world.home.scene.agent
    assert session.observe().pictures["camera"]().shape == (300, 300, 3)


def test_it_does_not_fly_out_of_sight(session: TatcSession) -> None:
    outcomes = [session.act("Forward") for _ in range(120)]
    assert not outcomes[-1].success and "Fly back" in outcomes[-1].message
    assert session.act("Backward").success


def test_the_progress_check_has_the_official_form(session: TatcSession) -> None:
    outcome = session.act("ProgressCheck")
    assert outcome.message == "2 of 3 conditions hold."
    assert {"task_desc", "success", "subgoals"} <= set(outcome.data)
    assert session.recorder.interactions[-1].success == 0
