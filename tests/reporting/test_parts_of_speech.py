"""Verbs, nouns and adjectives of people's sentences about housework."""

from __future__ import annotations

import pytest

from housemates.reporting.parts_of_speech import ADJECTIVE, NOUN, OTHER, VERB, lexicon, tagged


@pytest.mark.parametrize(
    ("sentence", "verbs", "nouns", "adjectives"),
    [
        ("walk to the sink and turn on the water", "walk turn", "sink water", ""),
        ("please slice the tomato", "slice", "tomato", ""),
        ("put the slice on a plate", "put", "slice plate", ""),
        ("open the fridge , then close it", "open close", "fridge", ""),
        ("pick up the dirty mug", "pick", "mug", "dirty"),
        ("water the plant", "water", "plant", ""),
        ("it is in the left drawer of the white dresser", "is", "drawer dresser", "left white"),
        ("steering towards the gizmo", "steering", "gizmo", ""),
    ],
)
def test_the_word_before_decides_what_a_word_is(
    sentence: str, verbs: str, nouns: str, adjectives: str
) -> None:
    found = list(tagged(sentence.split()))
    for part, words in ((VERB, verbs), (NOUN, nouns), (ADJECTIVE, adjectives)):
        assert [word for word, each in found if each == part] == words.split(), (part, found)


def test_what_is_no_word_is_left_out() -> None:
    assert list(tagged(["!", "the", "2"])) == [("the", OTHER)]


def test_the_lexicon_lists_words_once_each() -> None:
    for name, words in lexicon().items():
        assert all(word == word.lower() for word in words), name
