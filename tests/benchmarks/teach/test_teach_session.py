"""Two roles in one home: what each can do, how they are misunderstood, and the record they leave."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from housemates.benchmarks.teach.files.episodes import parse_game
from housemates.benchmarks.teach.files.replay import replay
from housemates.benchmarks.teach.files.scenes import scene_of
from housemates.benchmarks.teach.files.states import recall
from housemates.benchmarks.teach.session import Session
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.world.actions import FOLLOWER
from housemates.benchmarks.teach.world.naming import types_named
from housemates.benchmarks.teach.world.roles import Act
from housemates.home.navigation import agent_at, path, standing_poses
from housemates.home.scenes import load
from housemates.home.types import object_types

PARAMS: dict[str, tuple[str, ...]] = {
    "Coffee": (),
    "Clean All X": ("Plate",),
    "Salad": ("1", "1", "1"),
    "Sandwich": ("1", "1"),
    "N Cooked Slices Of X In Y": ("2", "Potato", "on", "Plate"),
    "Put All X On Y": ("Mug", "on", "DiningTable"),
}


@pytest.fixture
def session() -> Session:
    return Session.of_task(load("kitchen-03"), "Coffee")


def go_to(session: Session, kind: str) -> str:
    """Stand before the first thing of a type that can be seen, and return its id."""
    home = session.world.home
    for thing in home.of_type(kind):
        poses = standing_poses(home, thing)
        if poses and home.enclosing(thing) is None:
            home.agent = agent_at(home.agent, poses[0])
            return thing.id
    raise AssertionError(f"no {kind} can be reached")


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("fridge", "Fridge"),
        ("coffee maker", "CoffeeMachine"),
        ("cutting tool", "Knife"),
        ("cup board", "Cabinet"),
        ("knives", "Knife"),
        ("Plates", "Plate"),
        ("letuce", "Lettuce"),
        ("kinfe", "Knife"),
        ("the clean mug?", "Mug"),
        ("tomatoes", "Tomato"),
        ("table", "DiningTable"),
        ("knife is in the sink", "Knife"),
        ("slice of bread", "BreadSliced"),
    ],
)
def test_people_find_what_they_mean(words: str, kind: str) -> None:
    assert types_named(words, object_types())[0] == kind


@pytest.mark.parametrize("words", ["", "  ", "asdfgh", "unicorn", "yeah", "i", "42", "on your left"])
def test_nonsense_finds_nothing(words: str) -> None:
    assert types_named(words, object_types()) == []


def test_what_is_not_there_is_not_found() -> None:
    assert types_named("fridge", ["Floor", "Sofa", "Bread"]) == []
    assert types_named("knife", ["ButterKnife"]) == ["ButterKnife"]


def test_a_search_shows_the_thing(session: Session) -> None:
    answer = session.act("commander", Act("SearchObject", text="fridge"))
    data = answer.data
    assert answer.success and data["oid"] == data["shown_oid"]
    assert data["oid"].startswith("Fridge|")
    assert np.array_equal(data["mask"], data["frame"].mask(data["oid"])) and data["mask"].any()
    assert all(0 <= value <= 1 for spot in data["view_hotspots"] for value in spot)
    assert all(0 <= value <= 1 for value in (*data["pos_norm"], *data["view_pos_norm"]))


def test_a_hidden_thing_is_shown_by_what_hides_it(session: Session) -> None:
    home = session.world.home
    hidden = [thing for thing in home.things.values() if thing.solid and home.enclosing(thing)]
    for thing in hidden[:3]:
        shut = home.enclosing(thing)
        assert shut is not None
        data = session.act("commander", Act("SelectOid", oid=thing.id)).data
        assert (data["oid"], data["shown_oid"], data["hidden_in"]) == (thing.id, shut.id, shut.id)
    assert hidden


def test_nonsense_is_a_failed_search_that_is_recorded(session: Session) -> None:
    answer = session.act("commander", {"name": "SearchObject", "text": "unicorn"})
    assert not answer.success and answer.data == {"success": False}
    assert session.interactions[-1].success == 0


@pytest.mark.parametrize(
    "action",
    [
        None,
        42,
        "Fly",
        {"name": "Pickup"},
        {"name": "Pickup", "x": "left", "y": 0.5},
        {"name": "Pickup", "x": 1.5, "y": 0.5},
        {"name": "Pickup", "x": -0.1, "y": 0.5},
        {"name": "Pickup", "x": math.nan, "y": 0.5},
        {"name": "Pickup", "x": True, "y": 0.5},
        {"name": "Pickup", "colour": "red"},
        {"name": "Pickup", "oid": "Dragon|1"},
        {"name": "Pickup", "oid": 7},
        {"name": "Text", "text": ""},
        {"name": "Text", "text": 3},
        {"name": "SearchObject", "text": "mug"},
    ],
)
def test_what_makes_no_sense_is_a_failed_action_and_changes_nothing(session: Session, action: Any) -> None:
    before = session.world.digest()
    answer = session.act("follower", action)
    assert not answer.success and len(answer.message) > 10
    assert session.world.digest() == before
    assert session.interactions == []


def test_clicks_at_the_very_edge_are_allowed(session: Session) -> None:
    answer = session.act("follower", Act("Pickup", 1.0, 1.0))
    assert "between 0 and 1" not in answer.message


def test_a_click_takes_what_it_shows(session: Session) -> None:
    mug = go_to(session, "Mug")
    x, y = session.follower.sight.click_on(session.world.home.things[mug])
    answer = session.act("follower", Act("Pickup", x, y))
    assert answer.success and answer.oid == session.world.home.agent.held == mug


def test_only_the_follower_touches(session: Session) -> None:
    answer = session.act("commander", Act("Pickup", 0.5, 0.5))
    assert not answer.success and "Only the Follower touches" in answer.message


def test_the_commander_flies_through_walls(session: Session) -> None:
    start = session.commander.pose
    for _ in range(40):
        assert session.act("commander", "Forward").success
    assert math.dist(session.commander.pose[:3], start[:3]) == pytest.approx(10.0)
    session.act("commander", "Look Up")
    assert session.commander.pose.y == pytest.approx(start.y + 0.25)
    session.act("commander", "Turn Right")
    session.act("commander", "Pan Left")
    assert session.world.home.agent == session.world.home.scene.agent
    assert session.commander.look().rgb.shape == (300, 300, 3)


def test_the_progress_check_has_the_official_form(session: Session) -> None:
    data = session.act("commander", "OpenProgressCheck").data
    assert {"task_desc", "success", "subgoals"} <= set(data)
    assert session.interactions[-1].success == 0


def test_times_are_milliseconds_that_never_stand_still() -> None:
    session = Session.of_task(load("kitchen-03"), "Coffee", clock=lambda: 7.0)
    for _ in range(5):
        session.act("follower", "Turn Left")
    times = [each.time_start for each in session.interactions]
    assert times == [0.001, 0.002, 0.003, 0.004, 0.005]


def test_a_session_is_an_official_game_that_replays_to_the_same_state(session: Session) -> None:
    session.act("follower", Act("Text", text="What shall I do?"))
    session.act("commander", Act("Text", text="Make coffee."))
    mug = go_to_recorded(session, "Mug")
    assert session.act("follower", Act("Pickup", oid=mug)).success
    assert not session.act("follower", Act("Pickup", oid=mug)).success
    sink = go_to_recorded(session, "SinkBasin")
    assert session.act("follower", Act("Place", oid=sink)).success
    game = parse_game(session.game("made-here").to_json(), "made-here")
    done = replay(game, scene_of(game))
    assert [each.agree for each in done.compared] == [True] * len(done.compared)
    end = len(game.episode.interactions)
    assert recall(game, [end]).objects(end) == session.world.objects()
    assert [(each.role, each.text) for each in session.dialogue] == [
        ("follower", "What shall I do?"),
        ("commander", "Make coffee."),
    ]


def go_to_recorded(session: Session, kind: str) -> str:
    """Walk to a thing by recorded actions."""
    home = session.world.home
    for thing in home.of_type(kind):
        if home.enclosing(thing) is None and (poses := standing_poses(home, thing)):
            steps = path(home, set(poses[:20]).__contains__)
            if steps is not None:
                for step in steps:
                    session.act("follower", NAMES.get(step, step))
                return thing.id
    raise AssertionError(f"no {kind} can be reached")


NAMES = {
    "TurnLeft": "Turn Left",
    "TurnRight": "Turn Right",
    "LookUp": "Look Up",
    "LookDown": "Look Down",
    "PanLeft": "Pan Left",
    "PanRight": "Pan Right",
}


@pytest.mark.parametrize("name", PARAMS)
def test_a_task_in_the_official_form_asks_for_the_same(session: Session, name: str) -> None:
    definition = tasks.definition(name, PARAMS[name])
    objects = session.world.objects()
    official = tasks.check(tasks.game_task(definition, name), objects)
    assert official.as_dict() == tasks.check(tasks.bind(name, PARAMS[name]), objects).as_dict()


def test_the_recorded_end_has_the_sessions_verdict(session: Session) -> None:
    final = session.game("g").episode.final_state
    recorded = tasks.check(session.task, tasks.with_custom(final.objects, final.custom_object_metadata))
    assert recorded.as_dict() == tasks.check(session.task, session.world.objects()).as_dict()
    assert session.game("g").episode.initial_state.agents[FOLLOWER]["name"] == "agent"
