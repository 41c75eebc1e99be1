"""Moments at which a Commander speaks: what it knows then, and what people said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from housemates.benchmarks.teach.formats.episodes import Game
from housemates.benchmarks.teach.formats.starts import SPEAKERS
from housemates.benchmarks.teach.formats.states import recall
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.core.percepts import Utterance
from housemates.data.store import Store
from housemates.home.types import object_types
from housemates.models.teach_speaker.lines import THING, nouns
from housemates.models.vocabulary import words

ASKED = "asked"
"""Of what is spoken because the Follower did, and nothing is to be done with it."""
TALKED_OF = 3
"""Things that come into question at a moment, at most."""


class Lack(msgspec.Struct, frozen=True):
    """Something that the progress check says is still to be done."""

    object: str
    type: str
    part: str
    """Of the task."""
    text: str


class Moment(msgspec.Struct, frozen=True):
    """What a Commander knows when it is about to speak."""

    task: str
    goals: tuple[str, ...]
    """Types of places that the task names."""
    lacks: tuple[Lack, ...]
    held: int
    """Conditions that hold."""
    rose: bool
    """Whether more of them hold than when it spoke last."""
    own: str
    """What it said last."""
    heard: str
    """What the Follower has said since."""
    text: str = ""
    """What people said then."""


class Topic(NamedTuple):
    """What can be spoken of: a type, its thing if it is known, and what is to be done with it."""

    type: str
    object: str
    kind: str
    """What decides which lines are true of it; the type itself is left out."""


def topics(moment: Moment) -> list[Topic]:
    """What comes into question, the likeliest first: what was asked about, then what is to be done."""
    todo = [Topic(each.type, each.object, _kind(moment.task, each)) for each in moment.lacks]
    asked = [
        next((each for each in todo if each.type == kind), Topic(kind, "", ASKED))
        for kind in nouns(moment.heard)
    ]
    found: dict[tuple[str, str], Topic] = {}
    for each in (*asked, *todo):
        found.setdefault((each.type, each.kind), each)
    return list(found.values())[:TALKED_OF]


def _kind(task: str, lack: Lack) -> str:
    """What is to be done, in small words without numbers, and with the thing that it is about as a slot."""
    told = [each for each in words(f"{task} {lack.part} {lack.text}") if each.isalpha() and each != "x"]
    return " ".join(THING if each == lack.type.lower() else each for each in told)


def moment_of(
    definition: Mapping[str, Any], progress: Mapping[str, Any], dialogue: Sequence[Utterance], before: int
) -> Moment:
    """What is known now.

    Args:
        definition: Of the task.
        progress: What the progress check says.
        dialogue: All that was said.
        before: Conditions that held when it spoke last.
    """
    kinds = object_types()
    named = [str(each) for each in definition.get("task_params") or ()]
    goals = tuple(each for each in named if each in kinds and kinds[each].can("receptacle"))
    own = [number for number, each in enumerate(dialogue) if each.role == "commander"]
    since = dialogue[own[-1] + 1 :] if own else dialogue
    held = int(progress["goal_conditions_satisfied"])
    lacks = tuple(
        Lack(str(step["objectId"]), str(step["objectType"]), str(part["description"]), str(step["desc"]))
        for part in progress["subgoals"]
        for step in part["steps"]
        if not step["success"]
    )
    return Moment(
        str(definition.get("task_name")),
        goals,
        lacks,
        held,
        bool(own) and held > before,
        dialogue[own[-1]].text if own else "",
        " ".join(each.text for each in since),
    )


def moments(game: Game, definition: Mapping[str, Any], store: Store | None) -> Iterator[Moment]:
    """Every moment of a recorded game at which its Commander spoke."""
    interactions = game.episode.interactions
    spoken = [
        (number, SPEAKERS[each.agent_id], each.utterance)
        for number, each in enumerate(interactions)
        if isinstance(each.utterance, str) and each.utterance.strip()
    ]
    past = recall(game, [number for number, *_ in spoken], store)
    task = tasks.game_task(definition, game.id)
    dialogue: list[Utterance] = []
    before = 0
    for number, role, text in spoken:
        if role == "commander":
            progress = tasks.check(task, past.objects(number)).as_dict()
            found = moment_of(definition, progress, dialogue, before)
            before = found.held
            yield msgspec.structs.replace(found, text=text)
        dialogue.append(Utterance(role, text))
