"""A session as an official game: it replays to the same state, and its times never stand still."""

from __future__ import annotations

from collections.abc import Callable

from housemates.benchmarks.teach.formats.episodes import parse_game
from housemates.benchmarks.teach.formats.replay import replay
from housemates.benchmarks.teach.formats.scenes import scene_of
from housemates.benchmarks.teach.formats.starts import Start
from housemates.benchmarks.teach.formats.states import recall
from housemates.benchmarks.teach.session import LIMITS, TatcSession
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.world.actions import FOLLOWER
from housemates.core.actions import Act
from housemates.core.benchmark import Instance
from housemates.home.navigation import path, standing_poses
from housemates.home.scenes import load

Begin = Callable[..., TatcSession]


def walk_to(session: TatcSession, kind: str) -> str:
    """Walk to a thing by acts that are noted."""
    home = session.world.home
    for thing in home.of_type(kind):
        if home.enclosing(thing) is None and (poses := standing_poses(home, thing)):
            steps = path(home, set(poses[:20]).__contains__)
            if steps is not None:
                for step in steps:
                    assert session.act(step).success
                return thing.id
    raise AssertionError(f"no {kind} can be reached")


def test_a_session_is_an_official_game_that_replays_to_the_same_state(begin: Begin) -> None:
    session = begin()
    session.act("Pass")
    session.act(Act("Say", {"text": "What shall I do?"}))
    session.act(Act("Say", {"text": "Make coffee."}))
    mug = walk_to(session, "Mug")
    assert session.act(Act("Pickup", {"object": mug})).success
    assert not session.act(Act("Pickup", {"object": mug})).success
    sink = walk_to(session, "SinkBasin")
    assert session.act(Act("Place", {"object": sink})).success
    game = parse_game(session.game("made-here").to_json(), "made-here")
    done = replay(game, scene_of(game))
    assert [each.agree for each in done.compared] == [True] * len(done.compared)
    end = len(game.episode.interactions)
    assert recall(game, [end]).objects(end) == session.world.objects()
    assert [(each.agent_id, each.text) for each in game.episode.interactions if each.text is not None] == [
        (1, "What shall I do?"),
        (0, "Make coffee."),
    ]


def test_times_are_milliseconds_that_never_stand_still() -> None:
    start = Start(load("kitchen-03"), tasks.definition("Coffee"))
    session = TatcSession(Instance("x", "Coffee", start), LIMITS, clock=lambda: 7.0)
    for _ in range(5):
        session.act("TurnLeft")
    times = [each.time_start for each in session.recorder.interactions]
    assert times == [0.001, 0.002, 0.003, 0.004, 0.005]


def test_the_recorded_end_has_the_sessions_verdict(begin: Begin) -> None:
    session = begin()
    game = session.game("g")
    final = game.episode.final_state
    recorded = tasks.check(session.task, tasks.with_custom(final.objects, final.custom_object_metadata))
    assert recorded.as_dict() == session.progress().as_dict()
    assert game.episode.initial_state.agents[FOLLOWER]["name"] == "agent"
    assert game.task.definition() == tasks.definition("Coffee")


def test_passing_and_what_makes_no_sense_leave_no_trace(begin: Begin) -> None:
    session = begin()
    for action in ("Dance", Act("Say", {"text": " "}), "Pass", Act("Pickup", {"object": "Dragon|1"}), "Pass"):
        session.act(action)
    assert session.recorder.interactions == []
    session.act("Forward")
    (noted,) = session.recorder.interactions
    assert (noted.agent_id, noted.action.offer, noted.success) == (0, "Forward", 1)
