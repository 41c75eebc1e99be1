"""Instructions: what the follower understands, and that the leader says what is true."""

from __future__ import annotations

import numpy as np
import pytest

from housemates.agents.cerealbar.language.lexicon import lexicon
from housemates.agents.cerealbar.language.listener import CardDescription, Goal, parse
from housemates.agents.cerealbar.language.scene import holds, relate, sector
from housemates.agents.cerealbar.language.speaker import EnglishSpeaker
from housemates.agents.cerealbar.leader import Assignment
from housemates.benchmarks.cerealbar.formats.episodes import Recording
from housemates.benchmarks.cerealbar.formats.statistics import tokenise, vocabulary
from housemates.benchmarks.cerealbar.generate.maps import new_game
from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.benchmarks.cerealbar.world.landmarks import landmarks
from housemates.benchmarks.cerealbar.world.observe import observe
from housemates.benchmarks.cerealbar.world.state import LEADER
from housemates.benchmarks.cerealbar.world.tables import PROPS


def card(number: int | None, colour: str | None, shape: str | None) -> CardDescription:
    return CardDescription(number, colour, shape)


@pytest.mark.parametrize(
    ("text", "goals"),
    [
        ("get the three red hearts", [Goal("collect", card(3, "red", "heart"))]),
        (
            "turn left and get the three red hearts past the yellow hut, then wait by the lake",
            [
                Goal("turn", amount=-1),
                Goal("collect", card(3, "red", "heart"), links=(("past", "yellow hut"),)),
                Goal("near", landmark="water"),
            ],
        ),
        (
            "great job! grab 2 blue squares on your left and the pink donut card",
            [
                Goal("collect", card(2, "blue", "cube"), direction="left"),
                Goal("collect", card(None, "pink", "torus")),
            ],
        ),
        ("pick up one green, no wait, one orange star", [Goal("collect", card(1, "orange", "star"))]),
        ("get the black card. i will get the two red stars", [Goal("collect", card(None, "black", None))]),
        ("don't touch the red heart, take the yellow plus", [Goal("collect", card(None, "yellow", "plus"))]),
        (
            "turn right twice, go forward 3 steps and hit the cross",
            [Goal("turn", amount=2), Goal("step", amount=3), Goal("collect", card(None, None, "plus"))],
        ),
        ("back up two spaces", [Goal("step", amount=-2)]),
        ("oops, step back on the 2 pink triangles", [Goal("deselect", card(2, "pink", "triangle"))]),
        ("go to the windmill and wait there", [Goal("near", landmark="windmill")]),
        ("wait next to the two blue stars", [Goal("near", card(2, "blue", "star"))]),
        ("well done, we make a good team", []),
        ("", []),
    ],
)
def test_the_listener_understands(text: str, goals: list[Goal]) -> None:
    assert parse(text) == goals


def test_every_name_of_a_prop_has_words() -> None:
    names = {prop.name for prop in PROPS} | {"water", "hill"}
    assert names == set(lexicon()["landmarks"])


def test_chat_means_nothing_to_the_listener() -> None:
    for kind, phrases in lexicon()["chat"].items():
        for phrase in phrases:
            goals = parse(f"{phrase}, get the red heart")
            assert goals[-1:] == [Goal("collect", card(None, "red", "heart"))], (kind, phrase)
            assert len(goals) == 1, (kind, phrase)


def test_what_is_said_of_a_card_is_understood_as_that_card() -> None:
    speaker = EnglishSpeaker(np.random.default_rng(5))
    for seed in range(12):
        seen = observe(new_game(seed), LEADER)
        for at, face in seen.faces.items():
            speaker.begin(np.random.default_rng([seed, at]))
            text = speaker.phrase(seen, Assignment((at,)), seen.partner or 0)
            wanted = [goal for goal in parse(text) if goal.kind == "collect"]
            assert len(wanted) == 1, text
            assert wanted[0].card.fits(face), text


def test_relations_that_are_said_are_true(corpus: list[Recording]) -> None:
    speaker = EnglishSpeaker(np.random.default_rng(5))
    said = 0
    for seed in range(6):
        seen = observe(new_game(seed), LEADER)
        pose = seen.partner or 0
        for at in seen.faces:
            speaker.begin(np.random.default_rng([seed, at]))
            for goal in parse(speaker.phrase(seen, Assignment((at,)), pose)):
                for relation, kind in goal.links:
                    assert holds(relate(seen.map, pose, at), relation, kind)
                    said += 1
                if goal.direction:
                    assert sector(seen.map, pose, at) == goal.direction
    assert said > 20


def test_near_past_and_beside_are_what_one_would_say() -> None:
    hut = next(number for number, prop in enumerate(PROPS) if prop.name == "red hut")
    props = [-1] * 625
    props[12 * 25 + 10] = hut
    meadow = HexMap(new_game(0).map.size, (0,) * 625, tuple(props), (0,) * 625)
    viewer = (12 * 25 + 5) * 6 + 1

    def said(target: int) -> set[str]:
        return {relation for each in relate(meadow, viewer, target) for relation in each.relations}

    assert said(12 * 25 + 12) == {"near", "past"}
    assert said(12 * 25 + 8) == {"near", "before"}
    assert "left" in said(15 * 25 + 10)
    assert "right" in said(9 * 25 + 10)
    assert sector(meadow, viewer, 12 * 25 + 20) == "ahead"
    assert sector(meadow, viewer, 12 * 25 + 1) == "behind"


def test_a_lake_is_one_landmark() -> None:
    found = [mark for mark in landmarks(new_game(2).map) if mark.kind == "water"]
    assert 1 <= len(found) <= 2
    assert sum(len(mark.hexes) for mark in found) <= 16


def test_a_few_games_already_have_a_rich_vocabulary(corpus: list[Recording]) -> None:
    assert len(vocabulary(corpus)) > 250
    assert tokenise("Don't stop, go!") == ["do", "n't", "stop", ",", "go", "!"]
