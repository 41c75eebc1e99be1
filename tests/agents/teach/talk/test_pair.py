"""The talking pair finishes tasks, in plain and varied words, and the Follower acts on what it sees alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from housemates.agents.embodied.navigation import Navigator
from housemates.agents.embodied.semantics import Fact, Question
from housemates.agents.embodied.spatial_relations import misfit
from housemates.agents.reader.follower import Follower
from housemates.agents.teach.embodiment import TeachEmbodiment
from housemates.agents.teach.talk.commander import TalkCommander
from housemates.agents.teach.talk.parsing import parse
from housemates.agents.teach.talk.realisation import Realiser
from housemates.agents.teach.talk.referring_expressions import ReferringExpressions
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.generate.sessions import session_of
from housemates.benchmarks.teach.session import TatcSession
from housemates.benchmarks.teach.tasks.leaks import leak
from housemates.core.actions import Act
from housemates.core.episode import play
from housemates.core.percepts import Brief
from housemates.core.trace import Trace
from housemates.home import Thing
from housemates.home.navigation import Cell, reachable
from housemates.home.things import GRID_M

Begin = Callable[..., TatcSession]
EPISODES = {"Water Plant": 1, "N Slices Of X In Y": 4, "Put All X On Y": 10, "Boil X": 3}
"""Some generated sessions of seed 7, by number."""
VAGUE = 7
"""One in which much is left open."""


class Terse(TalkCommander):
    """Leaves open whatever it may."""

    def reset(self, brief: Brief) -> None:
        super().reset(brief)
        self.terse = 1.0


class Curious(Follower):
    """Asks whenever it may."""

    def reset(self, brief: Brief) -> None:
        super().reset(brief)
        self.curious = 1.0


def play_generated(number: int, frank: bool = False) -> tuple[TatcSession, Trace]:
    (drawn,) = sampling.draws(7, 1, sampling.task_names(), first=number)
    session = session_of(drawn)
    agents = (Terse(), Curious()) if frank else (TalkCommander(), Follower())
    return session, play(session, dict(zip(("commander", "follower"), agents, strict=True)))


played = cache(play_generated)


@pytest.mark.parametrize("task", EPISODES)
def test_tasks_get_done(task: str) -> None:
    session, trace = played(EPISODES[task])
    assert session.task.name == task
    assert session.complete and trace.ended == "done"


def test_nothing_is_said_that_only_a_program_would_say() -> None:
    said = [each.text for number in EPISODES.values() for each in played(number)[0].dialogue]
    assert [leak(text) for text in said if leak(text)] == []
    assert len(set(said)) > len(EPISODES)


def test_the_follower_points_on_its_picture_and_names_no_object() -> None:
    assert {played(number)[1].pointed() for number in EPISODES.values()} == {("point",)}


def test_both_speak() -> None:
    roles = {each.role for number in EPISODES.values() for each in played(number)[0].dialogue}
    assert roles == {"commander", "follower"}


def test_the_same_instance_is_played_the_same_way() -> None:
    first, again = played(EPISODES["Water Plant"])[0], play_generated(EPISODES["Water Plant"])[0]
    assert first.dialogue == again.dialogue
    assert first.digest() == again.digest()


class Person:
    """Plays the Commander with what a person types, and lets the talking Follower do the rest."""

    def __init__(self, session: TatcSession, curious: bool = False) -> None:
        self.session = session
        self.follower = Curious() if curious else Follower()
        self.follower.reset(session.brief("follower"))

    def say(self, text: str) -> str:
        """Say something; returns what the Follower answers when it is done."""
        self.session.act(Act("Say", {"text": text}))
        while self.session.role == "follower":
            self.session.act(self.follower.act(self.session.observe()))
        return self.session.dialogue[-1].text

    def state(self, kind: str) -> list[Any]:
        """The things of a type as they are now."""
        return self.session.world.home.of_type(kind)


BREAKFAST = ("1", "0", "0", "Plate", "0", "Plate", "1", "1", "1", "0", "0", "0", "0", "DiningTable")


def test_a_person_can_be_the_commander(begin: Begin) -> None:
    person = Person(begin("Breakfast", BREAKFAST))
    answer = person.say("hi! please turn on the coffee machine")
    assert person.state("CoffeeMachine")[0].on, answer
    answer = person.say("now grab the mug and put it in the sink")
    assert any(each.parents and "Sink" in each.parents[0] for each in person.state("Mug")), answer


def test_the_follower_asks_which_one_and_takes_the_one_it_is_told(begin: Begin) -> None:
    person = Person(begin("Breakfast", BREAKFAST), curious=True)
    person.say("turn on the coffee machine")
    answer = person.say("open the drawer")
    question = parse(answer)[0]
    assert isinstance(question, Question) and question.about == "which", answer
    assert question.theme is not None and question.theme.types == ("Drawer",), answer
    describer = ReferringExpressions(person.session.world.home, person.follower.realiser)
    stove = [describer.extent(each) for each in person.state("StoveBurner")]
    viewer = describer.viewer
    drawers = [describer.extent(each) for each in person.state("Drawer")]
    meant = min(drawers, key=lambda each: misfit(each, "left", stove, viewer))
    person.say("the one left of the stove")
    assert [each.id for each in person.state("Drawer") if each.open] == [meant.key]


def test_an_order_for_any_one_of_a_kind_is_not_asked_about(begin: Begin) -> None:
    person = Person(begin("Breakfast", BREAKFAST), curious=True)
    person.say("turn on the coffee machine")
    person.say("open a drawer")
    assert any(each.open for each in person.state("Drawer"))


def test_what_is_not_understood_is_asked_about(begin: Begin) -> None:
    answer = Person(begin("Breakfast", BREAKFAST)).say("flibber the gronk")
    assert "?" in answer or "what" in answer.lower()


def test_the_commander_tells_apart_what_it_left_open() -> None:
    session, _ = played(VAGUE, frank=True)
    asked = [
        n for n, each in enumerate(session.dialogue) if each.role == "follower" and _asks_which(each.text)
    ]
    assert asked
    for index in asked:
        role, answer = session.dialogue[index + 1]
        facts = [each for each in parse(answer) if isinstance(each, Fact)]
        assert role == "commander" and facts and facts[0].theme.places, answer
        assert not any(_asks_which(text) for _, text in session.dialogue[index + 2 : index + 3])
    assert session.complete


def _asks_which(text: str) -> bool:
    return any(isinstance(each, Question) and each.about == "which" for each in parse(text))


def test_the_map_of_the_follower_agrees_with_the_home(begin: Begin) -> None:
    session, navigator = begin(), Navigator(TeachEmbodiment())
    session.act("Pass")
    for _ in range(4):
        navigator.perceive(session.observe())
        session.act("TurnLeft")
    navigator.perceive(session.observe())
    known = {
        Cell(stand.x, stand.z)
        for stand, cost in navigator.map.path_costs(navigator.grid_pose).items()
        if cost < 12
    }
    real = reachable(session.world.home)
    assert len(known & real) > 0.85 * len(known)
    for thing in navigator.memory.things.values():
        place = session.world.home.things[thing.key]
        reach = max(place.size) + GRID_M
        assert math.dist(thing.middle, place.position) < reach + place.size[1]


def test_a_described_place_is_found_in_the_words(begin: Begin) -> None:
    home = begin().world.home
    describer = ReferringExpressions(home, Realiser(np.random.default_rng(0), "commander"))
    for thing in home.things.values():
        if thing.can("pickup") and thing.parents:
            facts = [each for each in parse(f"It is {describer.where(thing)}.") if isinstance(each, Fact)]
            assert facts and facts[0].theme.places, describer.where(thing)
            holder = home.things[thing.parents[0]]
            anchor = facts[0].theme.places[0].anchor
            assert anchor is None or holder.type == "Floor" or {holder.type, "Sink"} & set(anchor.types)


def test_two_of_a_kind_on_one_counter_are_told_apart_by_what_stands_near(begin: Begin) -> None:
    home = begin("Breakfast", BREAKFAST).world.home
    describer = ReferringExpressions(home, Realiser(np.random.default_rng(0), "commander"))
    crowds: dict[tuple[str, str], list[Thing]] = {}
    for thing in home.things.values():
        if thing.can("pickup") and thing.parents and thing.solid:
            crowds.setdefault((thing.type, thing.parents[0]), []).append(thing)
    pairs = [each for each in crowds.values() if len(each) == 2]
    assert pairs
    for one, other in (*pairs, *(each[::-1] for each in pairs)):
        words = describer.the(one)
        (fact,) = parse(f"It is in {words}.")
        assert isinstance(fact, Fact) and fact.theme.places[0].anchor is not None
        (place,) = fact.theme.places[0].anchor.places
        kinds = () if place.anchor is None else place.anchor.types
        anchors = [describer.extent(each) for kind in kinds for each in home.of_type(kind)]
        own, rival = (
            misfit(describer.extent(each), place.relation, anchors, describer.viewer) for each in (one, other)
        )
        assert own < rival, words
