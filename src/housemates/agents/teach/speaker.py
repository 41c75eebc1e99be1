"""The Commander that speaks with what was trained."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from housemates.agents.teach.talk.referring_expressions import ReferringExpressions
from housemates.agents.teach.talk.wording import Realiser, capitalised
from housemates.benchmarks.teach.world.views import CommanderView
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.outcome import spoken
from housemates.core.percepts import Brief, Percept
from housemates.home import Thing, World
from housemates.models.checkpoints import read_card
from housemates.models.networks import open_network
from housemates.models.teach_speaker.data import Repertoire, known, tokens_of
from housemates.models.teach_speaker.lines import GOAL, THING, WHERE, Line, nouns, said
from housemates.models.teach_speaker.moments import Moment, Topic, moment_of, topics
from housemates.models.vocabulary import Vocabulary

CHECK = Act("ProgressCheck")
OFTEN = 2
"""Times that the same is said where it is asked for, or where nothing else is left to say."""
PATIENCE = 12
"""Turns without progress after which it ends the session."""


class Choice(NamedTuple):
    """A line that is true of a topic, and how likely it is."""

    score: float
    line: Line
    topic: Topic


class SpeakerCommander(Agent):
    """Looks at the progress, then says the likeliest line that is true; looks up where things are."""

    def __init__(self, folder: Path) -> None:
        card = read_card(folder)
        self._words = Vocabulary(card.vocabulary["words"])
        self._repertoire = Repertoire.read(card.vocabulary["lines"])
        self._net = open_network(folder)

    def reset(self, brief: Brief) -> None:
        """Forget the last home."""
        self._tongue = Realiser(np.random.default_rng(brief.seed), "commander")
        self._queue: deque[Act] = deque([CHECK])
        self._said: Counter[tuple[str, str]] = Counter()
        self._placed: Counter[str] = Counter()
        self._held, self._idle = 0, 0

    def act(self, percept: Percept) -> Act:
        """Check, then perhaps search, then speak."""
        if not self._queue:
            self._queue.extend(self._turn(percept.data))
        act = self._queue.popleft()
        if act.name in ("Say", "Pass"):
            self._queue.append(CHECK)
        return act

    def _turn(self, view: CommanderView) -> list[Act]:
        """What to do once the progress is known."""
        progress = view.history[-1].outcome.data
        moment = moment_of(view.definition, progress, view.dialogue, self._held)
        self._idle = 0 if moment.rose else self._idle + 1
        self._held = moment.held
        if progress["success"] or self._idle > PATIENCE:
            return [Act("Stop")]
        return self._speech(moment, view.world().home)

    def _speech(self, moment: Moment, home: World) -> list[Act]:
        """The likeliest line that is due, else what the progress check says, else nothing."""
        for choice in sorted(self._choices(moment, home), reverse=True):
            if self._is_due(choice, moment):
                self._said[choice.line.text, choice.topic.type] += 1
                tells = WHERE in choice.line.text
                self._placed[choice.topic.type] += tells
                looked = [Act("Search", {"text": self._tongue.name(choice.topic.type)})] if tells else []
                return [*looked, Act("Say", {"text": self._told(choice, moment, home)})]
        text = next((each.text for each in moment.lacks if self._said[each.text, ""] < OFTEN), "")
        self._said[text, ""] += 1
        return [Act("Say", {"text": capitalised(spoken(text))}) if text else Act("Pass")]

    def _is_due(self, choice: Choice, moment: Moment) -> bool:
        """Whether a line is no idle talk, was not said before, and is no place told twice unasked."""
        line, kind = choice.line, choice.topic.type
        asked = kind in nouns(moment.heard)
        if not line.depends and moment.own and not moment.rose:
            return False
        if WHERE in line.text and self._placed[kind] and not asked:
            return False
        return self._said[line.text, kind] < (OFTEN if asked else 1)

    def _choices(self, moment: Moment, home: World) -> Iterator[Choice]:
        """Every line that is true of what comes into question."""
        for topic in topics(moment):
            tokens = tokens_of(known(moment, topic), self._words)[None]
            scores = self._net.run("choose", tokens=tokens)["scores"].astype(float)
            scores -= np.log(np.exp(scores - scores.max()).sum()) + scores.max()
            for number, line in enumerate(self._repertoire.lines):
                if self._is_true(number, topic, moment, home):
                    yield Choice(float(scores[number]), line, topic)

    def _is_true(self, number: int, topic: Topic, moment: Moment, home: World) -> bool:
        """Whether a line can be said of a topic: it was said of such ones, and what it names is there."""
        line = self._repertoire.lines[number]
        if line.praises and not moment.rose:
            return False
        if line.depends and topic.kind not in self._repertoire.kinds[number]:
            return False
        there = all(home.of_type(kind) for kind in line.types)
        placed = WHERE not in line.text or self._thing(topic, home) is not None
        return there and placed and (GOAL not in line.text or bool(moment.goals))

    def _told(self, choice: Choice, moment: Moment, home: World) -> str:
        """A line in words that are true here."""
        text, topic = choice.line.text, choice.topic
        thing = self._thing(topic, home) if WHERE in text else None
        where = "" if thing is None else ReferringExpressions(home, self._tongue).where(thing)
        goal = self._tongue.name(moment.goals[-1]) if moment.goals else ""
        return said(text, self._tongue.name(topic.type) if THING in text else "", where, goal)

    def _thing(self, topic: Topic, home: World) -> Thing | None:
        """What a topic is about: the thing itself, or the nearest of its type."""
        if topic.object in home.things and home.things[topic.object].solid:
            return home.things[topic.object]
        agent = home.agent
        alike = (each for each in home.of_type(topic.type) if each.solid)
        return min(
            alike,
            key=lambda each: (abs(each.position[0] - agent.x) + abs(each.position[2] - agent.z), each.id),
            default=None,
        )
