"""TEACh's Commander that chooses its utterances by a trained network."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from housemates.agents.teach.talk.realisation import Realiser, capitalised
from housemates.agents.teach.talk.referring_expressions import ReferringExpressions
from housemates.benchmarks.teach.world.views import CommanderView
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.outcome import spoken
from housemates.core.percepts import Brief, Percept
from housemates.home import Thing, World
from housemates.models.checkpoints import read_card
from housemates.models.networks import open_network
from housemates.models.teach_speaker.data import Repertoire, input_words, tokens_of
from housemates.models.teach_speaker.lines import GOAL, THING, WHERE, Line, fill_slots, nouns
from housemates.models.teach_speaker.moments import Moment, Topic, moment_of, topics
from housemates.models.vocabulary import Vocabulary

CHECK = Act("ProgressCheck")
MOST_REPEATS = 2
"""How often it says the same if asked, or if nothing else is left to say."""
IDLE_LIMIT = 12
"""Turns without progress after which it stops the session."""


class Choice(NamedTuple):
    """A line that is true of a topic, with its log-probability."""

    log_probability: float
    line: Line
    topic: Topic


class SpeakerCommander(Agent):
    """Checks the progress each turn, then says the likeliest true line; it searches for what it locates."""

    def __init__(self, folder: Path) -> None:
        card = read_card(folder)
        self._words = Vocabulary(card.vocabulary["words"])
        self._repertoire = Repertoire.read(card.vocabulary["lines"])
        self._net = open_network(folder)

    def reset(self, brief: Brief) -> None:
        """Forget the episode before."""
        self._tongue = Realiser(np.random.default_rng(brief.seed), "commander")
        self._queue: deque[Act] = deque([CHECK])
        self._said: Counter[tuple[str, str]] = Counter()
        self._placed: Counter[str] = Counter()
        self._held, self._idle = 0, 0

    def act(self, percept: Percept) -> Act:
        """The next act of a turn: progress check, perhaps search, then speech."""
        if not self._queue:
            self._queue.extend(self._turn(percept.data))
        act = self._queue.popleft()
        if act.name in ("Say", "Pass"):
            self._queue.append(CHECK)
        return act

    def _turn(self, view: CommanderView) -> list[Act]:
        """The acts of a turn, given the answer of the progress check."""
        progress = view.history[-1].outcome.data
        moment = moment_of(view.told()[1], progress, view.dialogue, self._held)
        self._idle = 0 if moment.rose else self._idle + 1
        self._held = moment.held
        if progress["success"] or self._idle > IDLE_LIMIT:
            return [Act("Stop")]
        return self._speech(moment, view.world().home)

    def _speech(self, moment: Moment, home: World) -> list[Act]:
        """The likeliest line that is due, else a step of the progress check in its words, else pass."""
        for choice in sorted(self._choices(moment, home), reverse=True):
            if self._is_due(choice, moment):
                self._said[choice.line.text, choice.topic.type] += 1
                locates = WHERE in choice.line.text
                self._placed[choice.topic.type] += locates
                search = [Act("Search", {"text": self._tongue.name(choice.topic.type)})] if locates else []
                return [*search, Act("Say", {"text": self._utterance(choice, moment, home)})]
        text = next((each.text for each in moment.lacks if self._said[each.text, ""] < MOST_REPEATS), "")
        self._said[text, ""] += 1
        return [Act("Say", {"text": capitalised(spoken(text))}) if text else Act("Pass")]

    def _is_due(self, choice: Choice, moment: Moment) -> bool:
        """Whether a line is no idle talk, no repetition, and no place told twice unasked."""
        line, kind = choice.line, choice.topic.type
        asked = kind in nouns(moment.heard)
        if not line.claims and moment.own and not moment.rose:
            return False
        if WHERE in line.text and self._placed[kind] and not asked:
            return False
        return self._said[line.text, kind] < (MOST_REPEATS if asked else 1)

    def _choices(self, moment: Moment, home: World) -> Iterator[Choice]:
        """The lines that are true of the moment's topics, with log-probabilities."""
        for topic in topics(moment):
            tokens = tokens_of(input_words(moment, topic), self._words)[None]
            scores = self._net.run("score", tokens=tokens)["logits"].astype(float)
            scores -= np.log(np.exp(scores - scores.max()).sum()) + scores.max()
            for number, line in enumerate(self._repertoire.lines):
                if self._is_true(number, topic, moment, home):
                    yield Choice(float(scores[number]), line, topic)

    def _is_true(self, number: int, topic: Topic, moment: Moment, home: World) -> bool:
        """Whether people said the line of this kind of topic, and everything that it names exists here."""
        line = self._repertoire.lines[number]
        if line.praises and not moment.rose:
            return False
        if line.claims and topic.kind not in self._repertoire.kinds[number]:
            return False
        exists = all(home.of_type(kind) for kind in line.types)
        placed = WHERE not in line.text or self._thing(topic, home) is not None
        return exists and placed and (GOAL not in line.text or bool(moment.goals))

    def _utterance(self, choice: Choice, moment: Moment, home: World) -> str:
        """A line with its slots filled by what is true here."""
        text, topic = choice.line.text, choice.topic
        thing = self._thing(topic, home) if WHERE in text else None
        where = "" if thing is None else ReferringExpressions(home, self._tongue).where(thing)
        goal = self._tongue.name(moment.goals[-1]) if moment.goals else ""
        return fill_slots(text, self._tongue.name(topic.type) if THING in text else "", where, goal)

    def _thing(self, topic: Topic, home: World) -> Thing | None:
        """The thing of a topic: the one that it names, or the nearest of its type."""
        if topic.object in home.things and home.things[topic.object].solid:
            return home.things[topic.object]
        agent = home.agent
        alike = (each for each in home.of_type(topic.type) if each.solid)
        return min(
            alike,
            key=lambda each: (abs(each.position[0] - agent.x) + abs(each.position[2] - agent.z), each.id),
            default=None,
        )
