"""Episodes as tokens: the story of what the human did and said, and the stream of texts and commands."""

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
from housemates.models.caches import FeatureCache, features_folder
from housemates.models.handmethat_seq2seq.config import Seq2SeqConfig
from housemates.models.vocabulary import Vocabulary
from housemates.parallel import track

PAD, START, END = 0, 2, 3
"""Indices of special tokens."""
_TOKEN = re.compile(r"[a-z_]+|[0-9]|[.]")
WORDS, HEAD = 12, 3
"""Limits on the words of a phrase and of its sentence's place; its line's place is one word."""
UNIT = WORDS + HEAD + 1
"""Size of a unit: words of the phrase, of its sentence's place, of its line's place."""
_SEEN = " you can see "
SAMPLED = 1500
"""Episodes that the vocabulary is made of."""


def tokens(text: str) -> list[str]:
    """Tokenise: words, digits and full stops."""
    return _TOKEN.findall(text.lower())


CONDITIONS = ("nothing", "goal", "subgoal")
"""The oracle inputs, in the order in which a packed episode holds their stories."""


class Unit(NamedTuple):
    """What the network reads at once: a phrase with the places of its sentence and line, or a token."""

    words: list[str]
    head: list[str]
    place: list[str]


def units(text: str, phrases: bool) -> Iterator[Unit]:
    """Split a text into phrases, or into tokens."""
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
    """An episode as indices, with the commands of its demonstration."""

    story: NDArray[np.int64]
    """The story, (units, UNIT)."""
    stream: NDArray[np.int64]
    """Text, command, text, command and so on, (units, UNIT)."""
    commands: list[NDArray[np.int64]]
    """Tokens of each."""
    spans: NDArray[np.int64]
    """(commands, 2): the range of the stream's units that are the text before the command."""


def story(goal: str, oracle: str) -> str:
    """What the human did and said, with the oracle input on a line of its own."""
    return f"{goal.strip()}\n{oracle}"


def oracle_input(episode: Episode, told: str) -> str:
    """The text of an oracle input, one of `CONDITIONS`."""
    return {"nothing": "", "goal": episode.goal_pddl, "subgoal": episode.subgoal}[told]


def observations(episode: Episode, fully: bool) -> list[str]:
    """The first observation, and one after each command of the episode's demonstration."""
    session = HandMeThatSession(Instance(episode.name, "", episode), fully=fully)
    return [session.narrator.welcome(fully), *(session.act(command).message for command in episode.demo)]


def vocabulary_of(chosen: Sequence[Place]) -> Vocabulary:
    """The words of the first 1,500 episodes, and the names of all locations."""
    texts: list[list[str]] = [list(LOCATIONS)]
    for place in chosen[:SAMPLED]:
        episode = read_episode(place.path, place.line)
        texts += map(tokens, [*observations(episode, True), *episode.demo])
        texts += map(tokens, [episode.story, episode.goal_pddl, episode.subgoal])
    return Vocabulary.of(texts)


class TextEncoder:
    """Turns texts into indices, with a cache of units."""

    def __init__(self, vocabulary: Vocabulary, phrases: bool) -> None:
        self.vocabulary, self.phrases = vocabulary, phrases
        self._known: dict[str, NDArray[np.int16]] = {}

    def units(self, text: str) -> NDArray[np.int16]:
        """A text as (units, UNIT)."""
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

    def pack(self, episode: Episode, fully: bool) -> NDArray[Any]:
        """A demonstration as one array: sizes, then all parts; `unpack` is the inverse."""
        parts, spans, commands, size = [], [], [], 0
        texts = observations(episode, fully)
        for text, command in zip(texts, episode.demo, strict=False):
            seen, done = self.units(text), self.units(command)
            spans.append((size, size + len(seen)))
            commands.append(self.vocabulary.numbers(tokens(command)))
            parts += [seen, done]
            size += len(seen) + len(done)
        tasks = [self.units(story(episode.story, oracle_input(episode, told))) for told in CONDITIONS]
        sizes = [each.size for each in tasks] + [len(commands), *map(len, commands)]
        flat = [each.ravel() for each in (*tasks, *parts)]
        rows = (sizes, np.ravel(spans), *commands, *flat)
        return np.concatenate([np.asarray(row, np.int16) for row in rows])


def unpack(row: NDArray[np.int64], told: str) -> Example:
    """The example that `TextEncoder.pack` packed, with the story of an oracle input."""
    kinds = len(CONDITIONS)
    count = int(row[kinds])
    lengths = row[kinds + 1 : kinds + 1 + count]
    ends = np.cumsum([2 * count, *lengths, *row[:kinds]])
    spans, *parts, stream = np.split(row[kinds + 1 + count :], ends)
    task = parts[count + CONDITIONS.index(told)]
    return Example(task.reshape(-1, UNIT), stream.reshape(-1, UNIT), parts[:count], spans.reshape(-1, 2))


class Episodes:
    """The episodes of a split as examples, encoded once and kept in the cache."""

    def __init__(
        self, split: Sequence[Place], encoder: TextEncoder, config: Seq2SeqConfig, cache: FeatureCache
    ) -> None:
        """Encode the episodes that are not cached."""
        fully = config.observability == "full"
        self._told = config.told
        self._names = [f"{place.path} {place.line}" for place in split]
        self._cache = cache
        by_name = dict(zip(self._names, split, strict=True))

        def make(missing: list[str]) -> Iterator[tuple[str, NDArray[Any]]]:
            for name in track(iter(missing), len(missing), "texts as numbers"):
                place = by_name[name]
                yield name, encoder.pack(read_episode(place.path, place.line), fully)

        cache.fill(self._names, make)

    def __len__(self) -> int:
        return len(self._names)

    def example(self, number: int) -> Example:
        """An episode by its number in the split."""
        return unpack(self._cache[self._names[number]].astype(np.int64), self._told)


def open_splits(
    data: Path, config: Seq2SeqConfig, splits: Sequence[str]
) -> tuple[Vocabulary, list[Episodes]]:
    """The vocabulary of the first split, and the episodes of all; HousematesError if a split is empty."""
    found: dict[str, list[Place]] = {}
    for place in places(data):
        found.setdefault(place.split, []).append(place)
    for split in splits:
        if split not in found:
            raise HousematesError(f"{data}: has no episodes of split {split!r}.")
    encoder = TextEncoder(vocabulary_of(found[splits[0]]), config.encoder == "phrases")
    maker = {
        "what": "handmethat-seq2seq 2",
        "data": fingerprint(data).sha256,
        "reads": [config.encoder, config.observability],
        "vocabulary": list(encoder.vocabulary.names),
    }
    cache = FeatureCache(features_folder(), maker, (), "int16")
    return encoder.vocabulary, [Episodes(found[split], encoder, config, cache) for split in splits]
