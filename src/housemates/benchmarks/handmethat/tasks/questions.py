"""Questions to the human (Table 23), answered from what she means."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from housemates.benchmarks.handmethat.tasks.english import describe
from housemates.benchmarks.handmethat.tasks.meanings import LEVELS, Meaning, Value
from housemates.benchmarks.handmethat.world.catalog import FLAGS, categories

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


def topic_of(command: str) -> str | None:
    """What a question asks about; None if the command is no question of the table."""
    text = re.sub(r"^\s*(question|ask)\s*:", "", command.lower())
    return _ASKED.get(re.sub(r"\W+", " ", text).strip())


def price(topic: str, cost: float) -> float:
    """What a question costs when a single one costs `cost`."""
    return cost * (WHOLE_COST if topic == WHOLE else 1)


def answer(meaning: Meaning, topic: str) -> str:
    """What the human says to a question."""
    said: dict[str, Value] = dict(meaning.spec)
    if topic in _ANSWERS:
        return _ANSWERS[topic](meaning, said)
    if topic not in said:
        return INDIFFERENT
    value = said[topic]
    if isinstance(value, bool):
        return f"{'Yes' if value else 'No'}, I mean the {topic if value else f'not {topic}'} one."
    return f"The {value} one."


def _category(meaning: Meaning, said: Mapping[str, Value]) -> str:
    for level in reversed(LEVELS):
        if level in said:
            noun = _shown(said[level]).lower()
            return f"I mean the {noun}." if level == "type" else f"I just want a {noun}."
    return "Not any specific type."


def _place(meaning: Meaning, said: Mapping[str, Value]) -> str:
    for relation, words in (("inside", "Inside"), ("ontop", "On top of")):
        if relation in said:
            return f"{words} the {_shown(said[relation])}."
    return "Not any specific place."


def _target(meaning: Meaning, said: Mapping[str, Value]) -> str:
    if meaning.quest != "move_to" or meaning.arg is None:
        return "Not any specific place."
    relation = "in" if categories()[meaning.arg.partition("#")[0]].relation == "inside" else "on"
    return f"Put it {relation} the {_shown(meaning.arg)}."


def _whole(meaning: Meaning, said: Mapping[str, Value]) -> str:
    thing = describe(meaning) or "anything"
    if meaning.quest == "move_to" and meaning.arg is not None:
        return f"I mean {thing}, and put it to the {_shown(meaning.arg)}."
    return f"I mean {thing}."


_ANSWERS: Mapping[str, Callable[[Meaning, Mapping[str, Value]], str]] = {
    "type": _category,
    "place": _place,
    "target": _target,
    WHOLE: _whole,
}


def _shown(value: Value) -> str:
    return str(value).replace("#", " ").replace("_", " ")


def read_answer(text: str, topic: str, meanings: tuple[Meaning, ...]) -> list[int]:
    """The positions of the meanings that would have been answered with this text."""
    return [number for number, meaning in enumerate(meanings) if answer(meaning, topic) == text]
