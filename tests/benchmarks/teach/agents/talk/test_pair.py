"""The talking pair finishes tasks, in plain and varied words, and the Follower acts on what it sees alone."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest

from housemates.benchmarks.base import Instance
from housemates.benchmarks.teach.agents.talk.body import Body
from housemates.benchmarks.teach.agents.talk.follower import TalkFollower
from housemates.benchmarks.teach.agents.talk.leaks import leak
from housemates.benchmarks.teach.agents.talk.meaning import Fact, Phrase, Question
from housemates.benchmarks.teach.agents.talk.pair import agents
from housemates.benchmarks.teach.agents.talk.parsing import understand
from housemates.benchmarks.teach.agents.talk.places import Describer
from housemates.benchmarks.teach.agents.talk.saying import Tongue, sayings
from housemates.benchmarks.teach.agents.talk.spatial import misfit
from housemates.benchmarks.teach.session import Session, Utterance
from housemates.benchmarks.teach.tatc import Tatc, TatcSession
from housemates.benchmarks.teach.world.observation import Observation
from housemates.benchmarks.teach.world.roles import Act
from housemates.home.navigation import Cell, reachable
from housemates.home.scenes import load
from housemates.home.things import GRID_M

EPISODES = {"Water Plant": 1, "N Slices Of X In Y": 4, "Put All X On Y": 10, "Boil X": 3}
"""Some generated instances of seed 7, by number."""


VAGUE = 7


@cache
def played(number: int, frank: bool = False) -> tuple[TatcSession, list[Act]]:
    """One generated session that the pair has played, and all acts of the Follower.

    A frank pair asks whenever it may, as much is left open.
    """
    benchmark = Tatc()
    instance = benchmark.instances("generated", number + 1, 7)[number]
    session, pair = benchmark.session(instance), agents()
    acts: list[Act] = []
    for agent in pair.values():
        agent.reset(instance)
    if frank:
        vars(pair["commander"])["terse"] = vars(pair["follower"])["curious"] = 1.0
    for _ in range(benchmark.limits.steps):
        if session.role is None:
            break
        act = pair[session.role].act(session.observe())
        if session.role == "follower":
            acts.append(act)
        session.act(act)
    return session, acts


@pytest.mark.parametrize("task", EPISODES)
def test_tasks_get_done(task: str) -> None:
    session, _ = played(EPISODES[task])
    assert session.session.complete


def test_nothing_is_said_that_only_a_program_would_say() -> None:
    said = [each.text for number in EPISODES.values() for each in played(number)[0].session.dialogue]
    assert [leak(text) for text in said if leak(text)] == []
    assert len(set(said)) > len(EPISODES)


def test_the_follower_points_on_its_picture_and_names_no_object() -> None:
    acts = [act for number in EPISODES.values() for act in played(number)[1]]
    assert all(act.oid is None for act in acts)
    assert any(act.x is not None for act in acts)


def test_the_same_instance_is_played_the_same_way() -> None:
    first = played(EPISODES["Water Plant"])[0]
    again = played.__wrapped__(EPISODES["Water Plant"])[0]
    assert [each.text for each in first.session.dialogue] == [each.text for each in again.session.dialogue]
    assert first.session.world.digest() == again.session.world.digest()


class Person:
    """Plays the Commander with what a person types, and lets the talking Follower do the rest."""

    def __init__(self, room: str) -> None:
        self.session = TatcSession(Session.of_task(load(room), "Breakfast", BREAKFAST))
        self.follower = TalkFollower()
        self.follower.reset(Instance("person", "Breakfast", None))

    def say(self, text: str) -> str:
        """Say something; returns what the Follower answers when it is done."""
        self.session.act(Act("Text", text=text))
        while True:
            while self.session.role == "follower":
                self.session.act(self.follower.act(self.session.observe()))
            answer = self.session.session.dialogue[-1].text
            if answer not in sayings()["follower"]["ok"]:
                return answer
            self.session.act("Pass")

    def state(self, kind: str) -> list[Any]:
        return self.session.session.world.home.of_type(kind)


BREAKFAST = ("1", "0", "0", "Plate", "0", "Plate", "1", "1", "1", "0", "0", "0", "0", "DiningTable")


def test_a_person_can_be_the_commander() -> None:
    person = Person("kitchen-03")
    answer = person.say("hi! please turn on the coffee machine")
    assert person.state("CoffeeMachine")[0].on, answer
    answer = person.say("now grab the mug and put it in the sink")
    assert any(each.parents and "Sink" in each.parents[0] for each in person.state("Mug")), answer


def test_the_follower_asks_which_one_and_takes_the_one_it_is_told() -> None:
    person = Person("kitchen-03")
    person.follower.curious = 1.0
    person.say("turn on the coffee machine")
    answer = person.say("open the drawer")
    assert understand(answer)[-1] == Question("which", Phrase(("Drawer",), "drawer")), answer
    describer = Describer(person.session.session.world.home, person.follower.tongue)
    stove = [describer.extent(each) for each in person.state("StoveBurner")]
    viewer = describer.viewer
    drawers = [describer.extent(each) for each in person.state("Drawer")]
    meant = min(drawers, key=lambda each: misfit(each, "left", stove, viewer))
    person.say("the one left of the stove")
    assert [each.id for each in person.state("Drawer") if each.open] == [meant.key]


def test_an_order_for_any_one_of_a_kind_is_not_asked_about() -> None:
    person = Person("kitchen-03")
    person.follower.curious = 1.0
    person.say("turn on the coffee machine")
    person.say("open a drawer")
    assert any(each.open for each in person.state("Drawer"))


def test_the_commander_tells_apart_what_it_left_open() -> None:
    said = [(each.role, each.text) for each in played(VAGUE, frank=True)[0].session.dialogue]
    asked = [index for index, (role, text) in enumerate(said) if role == "follower" and _asks_which(text)]
    assert asked
    for index in asked:
        role, answer = said[index + 1]
        facts = [each for each in understand(answer) if isinstance(each, Fact)]
        assert role == "commander" and facts and facts[0].theme.places, answer
        assert not any(_asks_which(text) for _, text in said[index + 2 : index + 3])
    assert played(VAGUE, frank=True)[0].session.complete


def _asks_which(text: str) -> bool:
    return any(isinstance(each, Question) and each.about == "which" for each in understand(text))


def test_what_is_not_understood_is_asked_about() -> None:
    answer = Person("kitchen-03").say("flibber the gronk")
    assert "?" in answer or "what" in answer.lower()


def test_the_map_of_the_follower_agrees_with_the_home() -> None:
    session = Session.of_task(load("kitchen-03"), "Coffee")
    body = Body()
    for _ in range(4):
        body.perceive(Observation("follower", session.follower.pose, (), [], session.follower.look))
        session.act("follower", "Turn Left")
    known = {Cell(stand.x, stand.z) for stand, cost in body.map.ways(body.stand).items() if cost < 12}
    real = reachable(session.world.home)
    assert len(known & real) > 0.85 * len(known)
    for thing in body.memory.things.values():
        place = session.world.home.things[thing.key]
        reach = max(place.size) + GRID_M
        assert math.dist(thing.middle, place.position) < reach + place.size[1]


def test_a_described_place_is_found_in_the_words() -> None:
    home = Session.of_task(load("kitchen-03"), "Coffee").world.home
    describer = Describer(home, Tongue(np.random.default_rng(0), "commander"))
    for thing in home.things.values():
        if thing.can("pickup") and thing.parents:
            facts = [
                each for each in understand(f"It is {describer.where(thing)}.") if isinstance(each, Fact)
            ]
            assert facts and facts[0].theme.places, describer.where(thing)
            holder = home.things[thing.parents[0]]
            anchor = facts[0].theme.places[0].anchor
            assert anchor is None or holder.type == "Floor" or {holder.type, "Sink"} & set(anchor.types)


def test_utterances_are_of_both() -> None:
    roles = {each.role for number in EPISODES.values() for each in played(number)[0].session.dialogue}
    assert roles == {"commander", "follower"}
    assert all(isinstance(each, Utterance) for each in played(1)[0].session.dialogue)
