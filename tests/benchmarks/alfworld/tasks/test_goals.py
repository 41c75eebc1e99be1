"""Goals in PDDL: what they mean, however they are written."""

from __future__ import annotations

import json

import pytest

from fixtures.alfworld import made
from housemates.benchmarks.alfworld.formats.games import read_game
from housemates.benchmarks.alfworld.world.playthrough import Playthrough

MUG = "(objectType ?o MugType)"
KITCHEN = "pick_heat_then_place_in_recep"


def with_goal(goal: str) -> Playthrough:
    game = json.loads(made(0, kind=KITCHEN).text)
    head, _, _ = game["pddl_problem"].partition("(:goal")
    game["pddl_problem"] = f"{head}(:goal {goal}))"
    return Playthrough(read_game(json.dumps(game), "game"))


@pytest.mark.parametrize(
    ("goal", "won"),
    [
        ("(and)", True),
        ("(or)", False),
        ("(not (and))", False),
        ("(exists (?o - object) (objectType ?o UnicornType))", False),
        ("(forall (?o - object) (imply (objectType ?o UnicornType) (isHot ?o)))", True),
        ("(exists (?o - object) (exists (?r - receptacle) (inReceptacle ?o ?r)))", True),
        ("(exists (?r - receptacle) (and (receptacleType ?r FridgeType) (opened ?r)))", False),
        ("(exists (?r - receptacle) (and (receptacleType ?r FridgeType) (not (opened ?r))))", True),
        ("(exists (?a - agent) (holdsAny ?a))", False),
        ("(exists (?o - object ?p - object) (and (not (= ?o ?p)) (pickupable ?o) (pickupable ?p)))", True),
        ("(exists (?o - object) (and (= ?o ?o) (isHot ?o)))", False),
    ],
)
def test_a_goal_is_decided_at_the_start(goal: str, won: bool) -> None:
    assert with_goal(goal).won == won


def test_a_goal_of_two_parts_is_reached_when_both_hold() -> None:
    fridge = "(exists (?r - receptacle) (and (receptacleType ?r FridgeType) (opened ?r)))"
    drawer = "(exists (?r - receptacle) (and (receptacleType ?r DrawerType) (opened ?r)))"
    play = with_goal(f"(and {fridge} {drawer})")
    for command, won in (("go to fridge 1", False), ("open fridge 1", False), ("go to drawer 1", False),
                         ("open drawer 1", True), ("close drawer 1", False)):  # fmt: skip
        play.step(command)
        assert (play.won, play.done_something) == (won, True)
