"""Episodes as tokens: what the human did and said, and the stream of what the robot reads and does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.handmethat.formats.places import Place, places, read_episode
from housemates.benchmarks.handmethat.session import HandMeThatSession
from housemates.benchmarks.handmethat.tasks.episodes import Episode
from housemates.benchmarks.handmethat.world.catalog import LOCATIONS
from housemates.core.benchmark import Instance
from housemates.data.fingerprints import fingerprint
from housemates.errors import HousematesError
from housemates.models.caches import Features, features_folder
from housemates.models.handmethat_seq2seq.config import Seq2SeqConfig
from housemates.models.vocabulary import Vocabulary
from housemates.parallel import track

PAD, START, END = 0, 2, 3
"""Numbers of the vocabulary's first names."""
_TOKEN = re.compile(r"[a-z_]+|[0-9]|[.]")
WORDS, HEAD = 12, 3
"""Words of a phrase, and of where its sentence says it is; one more for where its line says it is."""
UNIT = WORDS + HEAD + 1
_SEEN = " you can see "
SAMPLED = 1500
"""Episodes whose words make the vocabulary."""


def tokens(text: str) -> list[str]:
    """A text as words, digits and full stops; nothing else tells anything."""
    return _TOKEN.findall(text.lower())


CONDITIONS = ("nothing", "goal", "subgoal")
"""What the robot can be told besides."""


class Unit(NamedTuple):
    """What is read at once: a phrase and where its sentence and its line say it is, or a single token."""

    words: list[str]
    head: list[str]
    place: list[str]


def units(text: str, phrases: bool) -> Iterator[Unit]:
    """A text as phrases, or as tokens."""
    if not phrases:
        yield from (Unit([token], [], []) for token in tokens(text))
        return
    for line in text.lower().splitlines():
        place: list[str] = []
        for sentence in line.split(". "):
            before, seen, things = sentence.partition(_SEEN)
            head = tokens(before)[1:] if seen else []
            place = place or head
            for phrase in re.split(r"[,(]", (things if seen else sentence).replace(".", "")):
                if words := tokens(phrase):
                    yield Unit(words, head, place[:1])


@dataclass(frozen=True)
class Example:
    """An episode: texts as numbers, and the commands of its demonstration."""

    task: NDArray[np.int64]
    """Units x numbers of words, as all texts: what the human did and said."""
    stream: NDArray[np.int64]
    """Text, command, text, command, ..."""
    commands: list[NDArray[np.int64]]
    spans: NDArray[np.int64]
    """For each command: the first unit of the text before it, and how many units come before it."""


def story(goal: str, told: str) -> str:
    """What the human did and said, and what the robot is told besides."""
    return f"{goal.strip()}\n{told}"


def besides(episode: Episode, told: str) -> str:
    """What the robot is told besides."""
    return {"nothing": "", "goal": episode.goal_pddl, "subgoal": episode.subgoal}[told]


def told_in_turn(episode: Episode, fully: bool) -> list[str]:
    """What is read at first, and after each command of the episode's demonstration."""
    session = HandMeThatSession(Instance(episode.name, "", episode), fully=fully)
    return [session.narrator.welcome(fully), *(session.act(command).message for command in episode.demo)]


def vocabulary_of(chosen: Sequence[Place]) -> Vocabulary:
    """The words of some episodes, and the names of all places."""
    texts: list[list[str]] = [list(LOCATIONS)]
    for place in chosen[:SAMPLED]:
        episode = read_episode(place.path, place.line)
        texts += map(tokens, [*told_in_turn(episode, True), *episode.demo])
        texts += map(tokens, [episode.story, episode.goal_pddl, episode.subgoal])
    return Vocabulary.of(texts)


class Coder:
    """Texts as numbers; what was said before is not looked up again."""

    def __init__(self, vocabulary: Vocabulary, phrases: bool) -> None:
        self.vocabulary, self.phrases = vocabulary, phrases
        self._known: dict[str, NDArray[np.int16]] = {}

    def units(self, text: str) -> NDArray[np.int16]:
        """Units x numbers of words."""
        rows = [self._row(unit) for unit in units(text, self.phrases)]
        return np.stack(rows) if rows else np.zeros((0, UNIT), np.int16)

    def _row(self, unit: Unit) -> NDArray[np.int16]:
        key = f"{unit.words} {unit.head} {unit.place}"
        row = self._known.get(key)
        if row is None:
            row = self._known[key] = np.zeros(UNIT, np.int16)
            for words, start, most in ((unit.words, 0, WORDS), (unit.head, WORDS, HEAD), (unit.place, -1, 1)):
                numbers = self.vocabulary.numbers(words[:most])
                row[start : start + len(numbers) or None] = numbers
        return row

    def packed(self, episode: Episode, fully: bool) -> NDArray[Any]:
        """A whole demonstration as numbers: sizes, then all that `example` takes apart."""
        parts, spans, commands, size = [], [], [], 0
        texts = told_in_turn(episode, fully)
        for text, command in zip(texts, episode.demo, strict=False):
            seen, done = self.units(text), self.units(command)
            spans.append((size, size + len(seen)))
            commands.append(self.vocabulary.numbers(tokens(command)))
            parts += [seen, done]
            size += len(seen) + len(done)
        tasks = [self.units(story(episode.story, besides(episode, told))) for told in CONDITIONS]
        sizes = [each.size for each in tasks] + [len(commands), *map(len, commands)]
        flat = [each.ravel() for each in (*tasks, *parts)]
        rows = (sizes, np.ravel(spans), *commands, *flat)
        return np.concatenate([np.asarray(row, np.int16) for row in rows])


def example(row: NDArray[np.int64], told: str) -> Example:
    """What `Coder.packed` put together, for a robot that is told so much."""
    kinds = len(CONDITIONS)
    count = int(row[kinds])
    lengths = row[kinds + 1 : kinds + 1 + count]
    ends = np.cumsum([2 * count, *lengths, *row[:kinds]])
    spans, *parts, stream = np.split(row[kinds + 1 + count :], ends)
    task = parts[count + CONDITIONS.index(told)]
    return Example(task.reshape(-1, UNIT), stream.reshape(-1, UNIT), parts[:count], spans.reshape(-1, 2))


class Episodes:
    """The episodes of a split as examples; texts are made once and kept in the cache."""

    def __init__(self, split: Sequence[Place], coder: Coder, config: Seq2SeqConfig, kept: Features) -> None:
        """Have all examples of the split."""
        fully = config.observability == "full"
        self._told = config.told
        self._names = [f"{place.path} {place.line}" for place in split]
        self._kept = kept
        by_name = dict(zip(self._names, split, strict=True))

        def make(missing: list[str]) -> Iterator[tuple[str, NDArray[Any]]]:
            for name in track(iter(missing), len(missing), "texts as numbers"):
                place = by_name[name]
                yield name, coder.packed(read_episode(place.path, place.line), fully)

        kept.fill(self._names, make)

    def __len__(self) -> int:
        return len(self._names)

    def example(self, number: int) -> Example:
        """One of them."""
        return example(self._kept[self._names[number]].astype(np.int64), self._told)


def open_splits(
    data: Path, config: Seq2SeqConfig, splits: Sequence[str]
) -> tuple[Vocabulary, list[Episodes]]:
    """The vocabulary of a set's first split, and the episodes of all."""
    found: dict[str, list[Place]] = {}
    for place in places(data):
        found.setdefault(place.split, []).append(place)
    for split in splits:
        if split not in found:
            raise HousematesError(f"{data}: has no episodes of split {split!r}.")
    coder = Coder(vocabulary_of(found[splits[0]]), config.encoder == "phrases")
    maker = {
        "what": "handmethat-seq2seq 2",
        "data": fingerprint(data).sha256,
        "reads": [config.encoder, config.observability],
        "vocabulary": list(coder.vocabulary.names),
    }
    kept = Features(features_folder(), maker, (), "int16")
    return coder.vocabulary, [Episodes(found[split], coder, config, kept) for split in splits]
