"""The moments at which a Commander speaks: what it knows then, and what people said in recorded games."""

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
"""The kind of a topic that the Follower asked about and nothing is to be done with."""
MOST_TOPICS = 3
"""Limit on the topics of a moment."""


class Lack(msgspec.Struct, frozen=True):
    """A step that the progress check lists as still to be done."""

    object: str
    type: str
    part: str
    """Of the task that it belongs to."""
    text: str


class Moment(msgspec.Struct, frozen=True):
    """What a Commander knows when it is about to speak."""

    task: str
    goals: tuple[str, ...]
    """Types of places that the task names."""
    lacks: tuple[Lack, ...]
    held: int
    """Goal conditions that hold."""
    rose: bool
    """Whether more of them hold than when it last spoke."""
    own: str
    """Its last utterance."""
    heard: str
    """The Follower's utterances since."""
    text: str = ""
    """What people said at this moment."""


class Topic(NamedTuple):
    """What can be spoken of: an object type, its id if known, and what is to be done with it."""

    type: str
    object: str
    kind: str
    """What is to be done, without the type itself: decides which lines can be true of it."""


def topics(moment: Moment) -> list[Topic]:
    """The topics of a moment: first what the Follower asked about, then what is to be done."""
    todo = [Topic(each.type, each.object, _kind(moment.task, each)) for each in moment.lacks]
    asked = [
        next((each for each in todo if each.type == kind), Topic(kind, "", ASKED))
        for kind in nouns(moment.heard)
    ]
    found: dict[tuple[str, str], Topic] = {}
    for each in (*asked, *todo):
        found.setdefault((each.type, each.kind), each)
    return list(found.values())[:MOST_TOPICS]


def _kind(task: str, lack: Lack) -> str:
    """What is to be done in lower-case words, without numbers, and with a slot for the thing."""
    tokens = [each for each in words(f"{task} {lack.part} {lack.text}") if each.isalpha() and each != "x"]
    return " ".join(THING if each == lack.type.lower() else each for each in tokens)


def moment_of(
    definition: Mapping[str, Any], progress: Mapping[str, Any], dialogue: Sequence[Utterance], before: int
) -> Moment:
    """The moment of a progress check.

    Args:
        definition: Of the task.
        progress: The answer of the progress check.
        dialogue: All utterances so far.
        before: Goal conditions that held when the Commander last spoke.
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
    """The moments of a recorded game at which its Commander spoke, in order."""
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
