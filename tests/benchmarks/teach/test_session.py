"""The seats of TEACh: whose turn it is, what each is told and offered, how it points, how it ends."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from housemates.agents.basic import FirstAgent
from housemates.agents.teach.baselines import Idle
from housemates.benchmarks.teach.session import FollowerSession, TatcSession
from housemates.benchmarks.teach.world.actions import MOVES, TOUCHES
from housemates.core import registry
from housemates.core.actions import Act, Offer
from housemates.core.agent import Agent
from housemates.core.episode import play
from housemates.core.loading import make_alike
from housemates.core.percepts import Limits, Percept
from housemates.errors import HousematesError

Begin = Callable[..., TatcSession]
GoTo = Callable[[TatcSession, str], str]


@pytest.fixture
def session(begin: Begin) -> TatcSession:
    return begin()


@pytest.fixture
def follower(session: TatcSession) -> TatcSession:
    """The same at the Follower's first turn."""
    session.act(Act("Say", {"text": "Make coffee."}))
    return session


@pytest.fixture
def alone(made: Path) -> FollowerSession:
    """A Follower on its own, in the middle of a generated game."""
    benchmark = registry.benchmark("teach-edh", data=made)
    references = benchmark.references("recorded", 0)
    instance = next(each for reference in references for each in benchmark.open(reference)[1:])
    found = benchmark.session(instance)
    assert isinstance(found, FollowerSession)
    return found


def offered(percept: Percept) -> dict[str, Offer]:
    return {offer.name: offer for offer in percept.offers}


def choices(offer: Offer) -> tuple[str, ...]:
    return next((each.choices for each in offer.arguments if each.kind == "object"), ())


class Saying(Agent):
    """Answers with the same thing each time, or raises it."""

    def __init__(self, what: Any) -> None:
        self.what = what

    def act(self, percept: Percept) -> Any:
        if isinstance(self.what, Exception):
            raise self.what
        return self.what


def test_who_speaks_or_passes_hands_the_turn_over(session: TatcSession) -> None:
    assert session.role == "commander"
    session.act("ProgressCheck")
    assert session.role == "commander"
    session.act(Act("Say", {"text": "Make coffee."}))
    assert session.role == "follower"
    session.act("TurnLeft")
    assert session.role == "follower"
    session.act("Pass")
    assert session.role == "commander"


def test_an_empty_utterance_keeps_the_turn(session: TatcSession) -> None:
    outcome = session.act(Act("Say", {"text": " "}))
    assert (outcome.success, outcome.message) == (False, "Say: expected something to say.")
    assert session.role == "commander" and session.observe().said == ()


@pytest.mark.parametrize("passes", [0, 1])
def test_either_can_stop(session: TatcSession, passes: int) -> None:
    for _ in range(passes):
        session.act("Pass")
    assert session.act("Stop").success
    assert session.role is None
    with pytest.raises(HousematesError, match="over"):
        session.act("Stop")


def test_completion_ends_it_and_is_rewarded_once(begin: Begin) -> None:
    session, earned = begin(), []
    trace = play(
        session,
        make_alike(registry.benchmark_class("teach-tatc"), "rule"),
        on_step=lambda s, _: earned.append(s.reward("follower")),
    )
    assert trace.ended == "done" and session.complete
    assert trace.steps[-1].act is not None and trace.steps[-1].act.name in TOUCHES
    assert (earned[-1], sum(earned)) == (1.0, 1.0)


def test_two_who_do_nothing_come_to_the_limit_of_steps_and_earn_nothing(session: TatcSession) -> None:
    trace = play(session, {"commander": Idle(), "follower": Idle()})
    assert (trace.ended, len(trace.steps), trace.failures) == ("steps", 1000, 0)
    assert session.reward("follower") == 0.0


def test_the_briefs_tell_the_task_to_the_commander_alone(session: TatcSession) -> None:
    commander, follower = session.brief("commander"), session.brief("follower")
    assert commander.goal == "Have this done: Make coffee in a clean mug."
    assert follower.goal == "Do what the Commander asks you to do."
    assert "coffee" not in (follower.rules + follower.goal).lower()
    assert commander.limits == follower.limits == Limits(1000, 30)
    assert follower.data == {"width": 300, "height": 300, "pointing": "any"}
    assert [offer.name for offer in follower.offers] == [*MOVES, *TOUCHES, "Say", "Pass", "Stop"]
    assert {"ProgressCheck", "Select", "Search", "Say", "Pass", "Stop"} <= {
        offer.name for offer in commander.offers
    }
    assert commander.seed != follower.seed


def test_the_follower_knows_nothing_but_its_own(session: TatcSession) -> None:
    commander = session.observe()
    assert commander.data.task.name == "Coffee"
    assert commander.data.definition["task_name"] == "Coffee"
    session.act(Act("Say", {"text": "Please."}))
    follower = session.observe()
    assert not hasattr(follower.data, "task") and not hasattr(follower.data, "world")
    assert [tuple(each) for each in follower.said] == [("commander", "Please.")]
    assert follower.data.history == () and follower.last is None
    assert "offee" not in follower.text.split("You see")[0] + follower.text.split("Said so far")[1]
    session.act("TurnLeft")
    later = session.observe()
    assert later.last is not None and later.last.success
    assert [deed.act for deed in later.data.history] == [Act("TurnLeft")]


def test_the_world_that_the_commander_gets_is_a_copy_that_is_kept_up_to_date(session: TatcSession) -> None:
    before = session.digest()
    copied = session.observe().data.world()
    assert copied.digest() == session.world.digest()
    copied.act("TurnLeft")
    for thing in list(copied.home.things.values()):
        copied.home.update(thing, dirty=True)
    assert session.digest() == before
    session.act("Pass")
    session.act("TurnLeft")
    session.act("Pass")
    assert session.observe().data.world().digest() == session.world.digest()


def test_a_view_is_over_with_the_next_act(session: TatcSession) -> None:
    view = session.observe().data
    session.act("Pass")
    for call in (view.world, view.frame):
        with pytest.raises(HousematesError, match="over"):
            call()


def test_the_follower_reads_the_id_and_a_point_of_all_it_sees(follower: TatcSession, go_to: GoTo) -> None:
    go_to(follower, "Mug")
    text = follower.observe().text
    lines = re.findall(r"^- .* \[(.+?)\].* at (\d\.\d+) (\d\.\d+), \d+\.\d m away$", text, re.M)
    seen = {each.thing.id: each for each in follower.follower.sight.things()}
    assert {name for name, *_ in lines} == set(seen) and len(seen) > 10
    assert [name for name, *_ in lines] == sorted(seen, key=lambda each: (seen[each].away_m, each))
    assert "Your hand is empty." in text and "commander: Make coffee." in text


def test_every_point_that_is_read_means_the_thing_beside_it(follower: TatcSession, go_to: GoTo) -> None:
    points = 0
    for kind in ("Mug", "Fridge", "Toaster", "SinkBasin"):
        go_to(follower, kind)
        lines = re.findall(r"^- .* \[(.+?)\].* at (\S+) (\S+), ", follower.observe().text, re.M)
        sight = follower.follower.sight
        for name, x, y in lines:
            for action in TOUCHES:
                if name in follower.follower.fitting(action):
                    pointed = sight.point(action, float(x), float(y))
                    assert pointed is not None and pointed.thing == name, (action, name)
                    points += 1
        follower.act("TurnLeft")
    assert points > 100


def test_a_point_that_is_read_takes_the_thing_beside_it(follower: TatcSession, go_to: GoTo) -> None:
    mug = go_to(follower, "Mug")
    told = re.search(rf"\[{re.escape(mug)}\].* at (\S+) (\S+), ", follower.observe().text)
    assert told is not None
    outcome = follower.act(f"Pickup {told[1]} {told[2]}")
    assert outcome.success and outcome.data["object"] == mug
    text = follower.observe().text
    assert f"In your hand: mug [{mug}]" in text
    assert f"Last: Pickup {mug}: done." in text


def test_a_failed_act_is_told_with_its_reason(follower: TatcSession) -> None:
    follower.act(Act("Pickup", {"object": "Dragon|1"}))
    assert "Last: Pickup Dragon|1: failed. Pickup: there is no 'Dragon|1' here." in follower.observe().text
    follower.act("Dance")
    assert "Last: Your answer: failed. Unknown act 'Dance'" in follower.observe().text


def test_the_commander_reads_what_is_to_do_and_where_everything_is(session: TatcSession) -> None:
    text, home = session.observe().text, session.world.home
    assert text.startswith("Task: Make coffee in a clean mug. 2 of 3 conditions hold.")
    assert "To do:\n- There is no coffee in this mug. [Mug|" in text
    about = text[text.index("What it is about:") : text.index("The Follower is at")]
    for kind in ("Mug", "CoffeeMachine", "Faucet"):
        for thing in home.of_type(kind):
            assert f"[{thing.id}]" in about
    (shut,) = (each for each in home.of_type("Mug") if home.enclosing(each))
    holder = home.enclosing(shut)
    assert holder is not None
    assert f"[{shut.id}], with water in it: shut in the cabinet [{holder.id}], " in about
    assert len(re.findall(r" \d\.\d m .* the Follower$", about, re.M)) == about.count("\n- ")
    assert "it holds nothing" in text and "Your camera is at" in text


def test_the_commander_can_select_what_it_reads_about(session: TatcSession) -> None:
    selectable = choices(offered(session.observe())["Select"])
    assert selectable == tuple(
        re.findall(r"^- [^\[]*\[(.+?)\]", session.observe().text.split("What it is about:")[1], re.M)
    )
    for name in selectable[:2]:
        outcome = session.act(Act("Select", {"object": name}))
        assert outcome.success and f"[{name}] is " in outcome.message
        assert outcome.message in session.observe().text


def test_offers_give_what_is_seen_and_fits_as_choices(follower: TatcSession, go_to: GoTo) -> None:
    mug = go_to(follower, "Mug")
    things = follower.world.home.things
    seen = {each.thing.id for each in follower.follower.sight.things()}
    offers = offered(follower.observe())
    for name, able in (
        ("Pickup", "pickup"),
        ("Open", "open"),
        ("ToggleOn", "toggle"),
        ("Place", "receptacle"),
    ):
        assert set(choices(offers[name])) == {each for each in seen if things[each].can(able)}
    assert mug in choices(offers["Pickup"]) and mug in choices(offers["Pour"])
    follower.act(Act("Pickup", {"object": mug}))
    later = offered(follower.observe())
    assert all(mug not in choices(later[name]) for name in TOUCHES)


def test_an_action_for_which_nothing_is_seen_is_offered_only_where_one_can_point(begin: Begin) -> None:
    for pointing, there in (("any", True), ("point", True), ("object", False)):
        session = begin(pointing=pointing)
        session.act("Pass")
        session.act("TurnRight")
        offers = offered(session.observe())
        assert session.follower.fitting("Slice") == ()
        assert ("Slice" in offers) == there
        if there:
            assert [each.name for each in offers["Slice"].arguments] == ["point"]
            assert offers["Slice"].one_of == ("point",)


@pytest.mark.parametrize("track", ["object", "point"])
def test_a_track_takes_only_its_own_way_of_pointing(begin: Begin, go_to: GoTo, track: str) -> None:
    session = begin(pointing=track)
    session.act("Pass")
    mug = go_to(session, "Mug")
    x, y = session.follower.sight.click_on(session.world.home.things[mug])
    given = {"object": mug, "point": (x, y)}
    other = "point" if track == "object" else "object"
    assert session.brief("follower").data["pointing"] == track
    assert [each.name for each in session.menu("follower")["Pickup"].arguments] == [track]
    refused = session.act(Act("Pickup", {other: given[other]}))
    assert not refused.success and f"unknown argument '{other}': expected one of {track}" in refused.message
    assert session.act(Act("Pickup", {track: given[track]})).success
    assert session.world.home.agent.held == mug


def test_a_click_takes_what_it_shows(follower: TatcSession, go_to: GoTo) -> None:
    mug = go_to(follower, "Mug")
    point = follower.follower.sight.click_on(follower.world.home.things[mug])
    outcome = follower.act(Act("Pickup", {"point": point}))
    assert outcome.success and outcome.data["object"] == follower.world.home.agent.held == mug


def test_clicks_at_the_very_edge_are_allowed(follower: TatcSession) -> None:
    outcome = follower.act(Act("Pickup", {"point": (1.0, 1.0)}))
    assert "between 0 and 1" not in outcome.message
    assert outcome.data["point"] == (1.0, 1.0)


def test_with_both_given_the_object_is_touched(follower: TatcSession, go_to: GoTo) -> None:
    mug = go_to(follower, "Mug")
    outcome = follower.act(Act("Pickup", {"object": mug, "point": (0.5, 0.5)}))
    assert outcome.success and outcome.data["object"] == mug
    assert follower.follower.sight.outline(mug).sum() == 0 and outcome.data["point"] != (0.5, 0.5)


NONSENSE = [
    None,
    42,
    "Fly",
    ["Forward"],
    {"point": (0.5, 0.5)},
    {"name": "Pickup"},
    {"name": "Pickup", "point": ("left", 0.5)},
    {"name": "Pickup", "point": (1.5, 0.5)},
    {"name": "Pickup", "point": (-0.1, 0.5)},
    {"name": "Pickup", "point": (math.nan, 0.5)},
    {"name": "Pickup", "point": (True, 0.5)},
    {"name": "Pickup", "colour": "red"},
    {"name": "Pickup", "object": "Dragon|1"},
    {"name": "Pickup", "object": 7},
    {"name": "Say", "text": ""},
    {"name": "Say", "text": 3},
    {"name": "Say"},
    {"name": "Search", "text": "mug"},
]


@pytest.mark.parametrize("action", NONSENSE, ids=str)
def test_what_makes_no_sense_is_refused_in_one_sentence_and_changes_nothing(
    follower: TatcSession, action: Any
) -> None:
    before, noted = follower.digest(), list(follower.recorder.interactions)
    outcome = follower.act(action)
    assert not outcome.success and len(outcome.message) > 10 and "\n" not in outcome.message
    assert follower.digest() == before and follower.role == "follower"
    assert follower.recorder.interactions == noted


@pytest.mark.parametrize("what", [17, {"name": "Pickup", "point": (2.0, 0.5)}, Act("Say")], ids=str)
def test_thirty_failures_end_it(begin: Begin, what: Any) -> None:
    trace = play(begin(size=32), {"commander": Idle(), "follower": Saying(what)})
    assert (trace.ended, trace.failures) == ("failures", 30)
    assert all(step.outcome.message for step in trace.steps if step.role == "follower")


def test_a_follower_that_raises_ends_its_episode_and_is_named(session: TatcSession) -> None:
    trace = play(session, {"commander": Idle(), "follower": Saying(RuntimeError("out of ideas"))})
    assert trace.ended == "error"
    assert trace.error == "follower (Saying) raised in act: RuntimeError: out of ideas"


def test_only_the_follower_touches(session: TatcSession) -> None:
    outcome = session.act(Act("Pickup", {"point": (0.5, 0.5)}))
    assert not outcome.success and outcome.message.startswith("Unknown act 'Pickup': expected one of Forward")


def test_pictures_have_the_size_that_is_asked_for_and_are_ones_own(begin: Begin) -> None:
    session = begin(size="160x120")
    pictures = session.observe().pictures
    assert set(pictures) == {"camera", "map"}
    assert pictures["camera"]().shape == (120, 160, 3) and pictures["map"]().ndim == 3
    session.act("Pass")
    percept = session.observe()
    mine = percept.pictures["view"]()
    assert mine.shape == (120, 160, 3)
    kept = mine.copy()
    mine[:] = 0
    frame = percept.data.frame()
    assert np.array_equal(frame.rgb, kept)
    shown = set(session.follower.sight.look().visible())
    assert {label.id for label in frame.labels if label.id} == shown < set(session.world.home.things)


def test_the_same_acts_give_the_same_session_and_words_count(begin: Begin) -> None:
    def digest(words: str) -> str:
        session = begin()
        for act in (Act("Say", {"text": words}), Act("TurnLeft"), Act("Pass"), Act("Forward")):
            session.act(act)
        return session.digest()

    assert digest("Hello.") == digest("Hello.") != digest("Hi.")


def test_a_follower_on_its_own_is_told_what_was_said_and_done_and_stops(alone: FollowerSession) -> None:
    brief, percept = alone.brief("follower"), alone.observe()
    assert alone.given.dialogue and alone.given.history
    assert all(f"{each.role}: {each.text}" in brief.goal for each in alone.given.dialogue)
    assert "You have done so far: " in brief.goal
    assert "Nobody answers" in brief.rules
    assert [offer.name for offer in brief.offers] == [*MOVES, *TOUCHES, "Stop"]
    assert tuple(percept.said) == alone.given.dialogue
    assert len(percept.data.history) == len(alone.given.history)
    assert "Last:" not in percept.text
    assert not alone.act("Say hello").success
    assert alone.act("Stop").success
    assert alone.role is None and alone.reward("follower") == 0.0


def test_a_follower_on_its_own_begins_where_people_were(alone: FollowerSession) -> None:
    assert alone.given.moment is not None
    assert alone.world.notes == alone.given.moment.notes
    assert alone.beginning.satisfied < alone.beginning.total


def test_what_people_did_brings_about_what_they_changed(alone: FollowerSession) -> None:
    for each in alone.given.future:
        assert alone.act(Act(each.action, {"object": each.object} if each.object else {})).success
    assert alone.complete and alone.reward("follower") == 0.0
    alone.act("Stop")
    assert alone.reward("follower") == 1.0


def test_an_agent_that_knows_no_benchmark_plays_on_from_offers_alone(alone: FollowerSession) -> None:
    alone.limits = Limits(20, 20)
    trace = play(alone, {"follower": FirstAgent()})
    assert trace.steps and not trace.error and all(step.act is not None for step in trace.steps)


def test_varied_looks_change_what_both_see_and_nothing_else(begin: Begin) -> None:
    plain, varied = (begin(looks=looks) for looks in ("plain", "varied"))
    for role, picture in (("follower", "view"), ("commander", "camera")):
        assert np.mean(plain.draw(role, picture) != varied.draw(role, picture)) > 0.5
    assert plain.digest() == varied.digest()
