"""Questions to the human (Table 23), answered from what she means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from housemates.benchmarks.handmethat.catalog import FLAGS, categories
from housemates.benchmarks.handmethat.language import describe
from housemates.benchmarks.handmethat.meanings import LEVELS, Feature, Meaning, Value

WHOLE = "clearly"
"""The topic of the question that asks for everything."""
WHOLE_COST = 3
"""How many single questions it costs."""
INDIFFERENT = "Either is fine."
TOPICS: Mapping[str, str] = {
    "type": "Which type do you mean?",
    "color": "Which color do you like?",
    "size": "Which size do you like?",
    "place": "Where is the object you want?",
    "target": "Where do you want to place it?",
    **{
        flag: f"Do you want {'an' if flag == 'open' else 'a'} {flag} one?"
        for flag in FLAGS
        if flag != "stained"
    },
    WHOLE: "Can you say it clearly?",
}
"""What each question is about, and how it is asked."""
_ASKED = {re.sub(r"\W+", " ", text.lower()).strip(): topic for topic, text in TOPICS.items()}


class Answer(NamedTuple):
    """A sentence, and what it tells: features of the objects, or that a topic does not matter."""

    text: str
    told: tuple[Feature, ...]
    topic: str


def topic_of(command: str) -> str | None:
    """What a question asks about; None if the command is no question of the table."""
    text = re.sub(r"^\s*(question|ask)\s*:", "", command.lower())
    return _ASKED.get(re.sub(r"\W+", " ", text).strip())


def price(topic: str, cost: float) -> float:
    """What a question costs when a single one costs `cost`."""
    return cost * (WHOLE_COST if topic == WHOLE else 1)


def answer(meaning: Meaning, topic: str) -> Answer:
    """What the human says to a question."""
    said: dict[str, Value] = dict(meaning.spec)
    if topic == WHOLE:
        return Answer(_whole(meaning), meaning.spec, topic)
    if topic == "type":
        return _category(said, topic)
    if topic == "place":
        for relation, words in (("inside", "Inside"), ("ontop", "On top of")):
            if relation in said:
                return Answer(f"{words} the {_shown(said[relation])}.", ((relation, said[relation]),), topic)
        return Answer("Not any specific place.", (), topic)
    if topic == "target":
        if meaning.quest != "move_to" or meaning.arg is None:
            return Answer("Not any specific place.", (), topic)
        relation = "in" if categories()[meaning.arg.partition("#")[0]].relation == "inside" else "on"
        return Answer(f"Put it {relation} the {_shown(meaning.arg)}.", (("target", meaning.arg),), topic)
    if topic not in said:
        return Answer(INDIFFERENT, (), topic)
    value = said[topic]
    if isinstance(value, bool):
        word = topic if value else f"not {topic}"
        return Answer(f"{'Yes' if value else 'No'}, I mean the {word} one.", ((topic, value),), topic)
    return Answer(f"The {value} one.", ((topic, value),), topic)


def _category(said: Mapping[str, Value], topic: str) -> Answer:
    for level in reversed(LEVELS):
        if level in said:
            noun = _shown(said[level]).lower()
            text = f"I mean the {noun}." if level == "type" else f"I just want a {noun}."
            return Answer(text, ((level, said[level]),), topic)
    return Answer("Not any specific type.", (), topic)


def _whole(meaning: Meaning) -> str:
    thing = describe(meaning) or "anything"
    if meaning.quest == "move_to" and meaning.arg is not None:
        return f"I mean {thing}, and put it to the {_shown(meaning.arg)}."
    return f"I mean {thing}."


def _shown(value: Value) -> str:
    return str(value).replace("#", " ").replace("_", " ")


def read_answer(text: str, topic: str, meanings: tuple[Meaning, ...]) -> list[int]:
    """The positions of the meanings that would have been answered with this text."""
    return [number for number, meaning in enumerate(meanings) if answer(meaning, topic).text == text]
