"""Meanings, utterances and hardness levels follow their definitions."""

from __future__ import annotations

import numpy as np
import pytest

from housemates.benchmarks.handmethat.generate.synthesis import generate_one
from housemates.benchmarks.handmethat.tasks import english
from housemates.benchmarks.handmethat.tasks.meanings import Lexicon, Meaning, bits, complexity
from housemates.benchmarks.handmethat.tasks.subgoals import hardness, helpful, mind


@pytest.mark.parametrize(
    ("meaning", "cost"),
    [
        (Meaning("bring_me", ()), 0),
        (Meaning("bring_me", (("class", "FOOD"),)), 1),
        (Meaning("bring_me", (("ontop", "table"), ("type", "apple"))), 3 + 1),
        (Meaning("move_to", ()), 0),
        (Meaning("move_to", (("class", "RECEPTACLE"), ("size", "large"))), 1 + 1),
        (
            Meaning("move_to", (("color", "red"), ("size", "large"), ("subclass", "box")), "sofa"),
            1 + 1 + 2 + 1,
        ),
        (Meaning("change_state", (), "slice"), 0),
        (
            Meaning("change_state", (("frozen", False), ("ontop", "table"), ("type", "apple")), "slice"),
            1 + 3 + 1,
        ),
    ],
)
def test_costs_are_those_of_table_18(meaning: Meaning, cost: int) -> None:
    assert complexity(meaning) == cost


@pytest.mark.parametrize("number", range(6))
def test_meanings_are_useful_and_speakers_and_listeners_are_distributions(number: int) -> None:
    episode = generate_one(3, number)
    lexicon = Lexicon(episode.current)
    useful = helpful("bring_me", episode.goal, episode.current)
    thoughts = mind("bring_me", useful, lexicon)
    assert thoughts is not None
    helpful_objects = {subgoal.number for subgoal in useful}
    for meaning, extension in zip(thoughts.prior.meanings, thoughts.prior.extensions, strict=True):
        assert extension == lexicon.extension(meaning.spec)
        assert set(bits(extension)) <= helpful_objects
    assert np.isclose(thoughts.prior.probability.sum(), 1)
    assert np.allclose(thoughts.speech.speaker.sum(axis=0), 1)
    assert np.allclose(thoughts.speech.listener.sum(axis=1), 1)
    said = lexicon.extension(episode.utterance.spec)
    assert lexicon.extension(episode.meaning.spec) & ~said == 0


@pytest.mark.parametrize("number", range(12))
def test_the_level_is_what_its_definition_says(number: int) -> None:
    episode = generate_one(4, number)
    lexicon = Lexicon(episode.current)
    meant = {grounded.number for grounded in episode.wanted}
    said = set(bits(lexicon.extension(episode.utterance.spec)))
    useful = {grounded.number for grounded in episode.useful}
    understood = set(bits(lexicon.extension(episode.understood.spec)))
    if meant == said:
        expected = 1
    elif meant == said & useful:
        expected = 2
    else:
        expected = 3 if meant == understood else 4
    assert episode.level == expected
    assert expected == hardness(
        episode.meaning, episode.utterance, episode.understood, episode.useful, lexicon
    )


UTTERANCES = [
    Meaning("bring_me", ()),
    Meaning("bring_me", (("color", "red"), ("open", False), ("size", "large"), ("type", "box"))),
    Meaning("bring_me", (("inside", "duffel_bag#1"), ("subclass", "prepared_food"))),
    Meaning("move_to", (("dusty", False), ("ontop", "table")), None),
    Meaning("move_to", (), "xmas_stocking#0"),
    Meaning("move_to", (("class", "THING"),), "sink"),
    *(Meaning("change_state", (("soaked", False), ("type", "rag")), verb) for verb in english.CHANGES),
    *(Meaning("change_state", (), verb) for verb in english.CHANGES),
]


@pytest.mark.parametrize(
    "utterance", UTTERANCES, ids=lambda utterance: english.say(utterance, np.random.default_rng(0))
)
def test_every_wording_is_understood(utterance: Meaning) -> None:
    wordings = list(english.wordings(utterance))
    assert len(set(wordings)) == len(wordings) >= 3
    for sentence in wordings:
        assert english.read_instruction(sentence) == utterance
