"""Skills: what they are offered for, what they do in small steps, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

import housemates
from housemates.agents.alfred.skill_planner import SkillPlanner as AlfredPlanner
from housemates.agents.basic import FirstAgent, RandomAgent
from housemates.agents.teach.baselines import Idle
from housemates.agents.teach.skill_planner import SkillPlanner as TeachPlanner
from housemates.benchmarks.alfred.session import AlfredSession
from housemates.benchmarks.teach.session import TatcSession
from housemates.core import registry
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.episode import play
from housemates.core.trace import Trace
from housemates.errors import HousematesError
from housemates.home.skills import SKILLS

Begin = Callable[..., AlfredSession]


@pytest.fixture(scope="module")
def begin() -> Begin:
    """Begins the first generated episode of ALFRED, to heat a slice of potato, in skills."""
    benchmark = registry.benchmark("alfred", acts="skills")
    (instance,) = benchmark.open(next(benchmark.references("generated", 0)))

    def session() -> AlfredSession:
        found = benchmark.session(instance)
        assert isinstance(found, AlfredSession)
        return found

    return session


def chosen(session: Any, name: str, kind: str) -> Act:
    """A skill on the first thing of a type that it is offered for."""
    offer = next(each for each in session.offers(session.role) if each.name == name)
    return Act(name, {"object": next(each for each in offer.arguments[0].choices if each.startswith(kind))})


def test_all_skills_are_in_the_brief_and_only_those_that_make_sense_are_offered(begin: Begin) -> None:
    session = begin()
    assert {each.name for each in session.brief("agent").offers} == {*SKILLS, "Stop"} - {"Pour"}
    session.act("LookAround")
    offered = {each.name for each in session.offers("agent")}
    assert {"GoTo", "LookAround", "Stop"} <= offered
    assert offered.isdisjoint({"Put", "Slice", "Heat"}), "the hand is empty"


def test_looking_around_is_four_turns_and_makes_more_things_known(begin: Begin) -> None:
    session = begin()
    before = len(session.hands.known()) if session.hands else 0
    assert session.act("LookAround").success
    assert session.hands is not None
    assert session.taken == session.hands.acts == 4
    assert len(session.hands.known()) > before


def test_what_was_not_seen_is_refused_and_nothing_changes(begin: Begin) -> None:
    session = begin()
    assert session.hands is not None
    known = {thing.id for thing in session.hands.known()}
    unseen = next(name for name in session.world.home.things if name not in known)
    before = session.digest()
    outcome = session.act(Act("GoTo", {"object": unseen}))
    assert not outcome.success and "not seen" in outcome.message
    assert session.digest() == before and session.taken == 0


def test_what_cannot_be_done_is_refused_with_a_reason_and_nothing_changes(begin: Begin) -> None:
    session = begin()
    session.act("LookAround")
    before, taken = session.digest(), session.taken
    fridge = chosen(session, "Open", "Fridge").arguments["object"]
    outcome = session.act(Act("Put", {"object": fridge}))
    assert not outcome.success and outcome.message.startswith("Put: ")
    assert session.digest() == before and session.taken == taken


def test_a_skill_walks_and_does_what_it_says_in_low_level_acts(begin: Begin) -> None:
    session = begin()
    session.act("LookAround")
    opening = chosen(session, "Open", "Fridge")
    assert session.act(opening).success
    assert session.world.home.things[opening.arguments["object"]].open
    assert session.taken > session.turn, "it took steps to get there"


def test_what_is_taken_is_offered_for_putting_and_heating(begin: Begin) -> None:
    session = begin()
    session.act("LookAround")
    session.act(chosen(session, "GoTo", "CounterTop"))
    taking = next(each for each in session.offers("agent") if each.name == "Take")
    assert session.act(Act("Take", {"object": taking.arguments[0].choices[0]})).success
    offered = {each.name for each in session.offers("agent")}
    assert "Put" in offered and "Take" not in offered


def test_words_tell_what_was_seen_before_and_where_it_is(begin: Begin) -> None:
    session = begin()
    session.act("LookAround")
    assert "You have also seen:" in session.observe().text
    assert "You act in skills" in session.brief("agent").rules


@pytest.mark.parametrize("agent", [FirstAgent, RandomAgent])
def test_agents_that_know_nothing_of_skills_run_in_them(begin: Begin, agent: type[Agent]) -> None:
    benchmark = registry.benchmark("alfred", acts="skills")
    session = begin()
    trace = play(session, {"agent": agent()})
    assert trace.steps and not trace.error
    assert benchmark.options.acts == "skills"


def test_the_experts_plan_in_skills_heats_the_potato(begin: Begin) -> None:
    benchmark = registry.benchmark("alfred", acts="skills")
    (instance,) = benchmark.open(next(benchmark.references("generated", 0)))
    session = begin()
    trace = play(session, {"agent": AlfredPlanner()}, instance)
    scores = benchmark.score(instance, session, trace)
    assert scores["success"] == 1.0 and scores["skills"] <= 25 < scores["steps"]


def test_a_follower_in_skills_finishes_with_a_commander_that_says_nothing() -> None:
    benchmark = registry.benchmark("teach-tatc", acts="skills")
    done = []
    for reference in islice(benchmark.references("generated", 0), 3):
        (instance,) = benchmark.open(reference)
        session = benchmark.session(instance)
        assert isinstance(session, TatcSession)
        trace = play(session, {"commander": Idle(), "follower": TeachPlanner()}, instance)
        done.append(benchmark.score(instance, session, trace)["success"])
        acts = [each for each in session.game("g").episode.interactions if each.agent_id == 1]
        assert session.hands is not None and len(acts) == session.hands.acts
    assert done == [1.0] * 3


def test_a_plan_outside_of_the_track_is_one_sentence() -> None:
    benchmark = registry.benchmark("alfred")
    (instance,) = benchmark.open(next(benchmark.references("generated", 0)))
    trace: Trace = play(benchmark.session(instance), {"agent": AlfredPlanner()}, instance)
    assert trace.ended == "error" and "expected acts=skills" in trace.error


def test_environments_in_skills_are_of_words() -> None:
    with pytest.raises(HousematesError, match="observations=text"):
        housemates.make("housemates/alfred-v3", acts="skills")
