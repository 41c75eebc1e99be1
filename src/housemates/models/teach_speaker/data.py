"""Examples: what the Commander knew when it spoke, as three bags of words, and the line that it said."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.teach.formats.episodes import parse_game
from housemates.benchmarks.teach.formats.starts import Listed, listed, start_of
from housemates.data.fingerprints import fingerprint
from housemates.data.packs import read_place
from housemates.data.store import opened
from housemates.errors import HousematesError
from housemates.models.caches import FeatureCache, features_folder
from housemates.models.schedule import evenly
from housemates.models.teach_speaker.config import SpeakerConfig
from housemates.models.teach_speaker.lines import Line, line_of, nouns
from housemates.models.teach_speaker.moments import Moment, Topic, moments, topics
from housemates.models.vocabulary import Vocabulary, words
from housemates.parallel import track

FIELDS = ("todo", "own", "heard")
"""What is to be done with the topic, what the Commander said last, what the Follower has said since."""
LONGEST = 30
"""Limit on the words of a field; the last ones are read."""
NOTHING = "<nothing>"
"""The word of an empty field."""
SEPARATOR = "\t"
"""Between the columns of a row of `Repertoire.rows`."""


def input_words(moment: Moment, topic: Topic) -> dict[str, list[str]]:
    """The words of each of `FIELDS`, at least one each; `todo` ends with whether progress was made."""
    texts = {"todo": topic.kind, "own": moment.own, "heard": moment.heard}
    found = {name: words(text)[-LONGEST:] or [NOTHING] for name, text in texts.items()}
    found["todo"].append("<rose>" if moment.rose else "<same>")
    return found


class Example(msgspec.Struct, frozen=True):
    """A line that was said of a topic."""

    words: dict[str, list[str]]
    """Of each of `FIELDS`."""
    line: str
    kind: str
    """Of the topic."""


def example_of(moment: Moment) -> tuple[Example, Line] | None:
    """A moment's line about the first topic that its words name, else the first; None without a line."""
    found, named = topics(moment), nouns(moment.text)
    if not found:
        return None
    topic = next((each for each in found if each.type in named), found[0])
    line = line_of(moment.text, topic.type, moment.goals)
    return None if line is None else (Example(input_words(moment, topic), line.text, topic.kind), line)


class RecordedMoments:
    """The moments of a split's games, replayed once and kept in the cache."""

    def __init__(self, data: Path, split: str, config: SpeakerConfig, limit: int) -> None:
        """Replay at most `limit` games, those that are not cached; one that cannot be replayed is left out.

        Raises:
            HousematesError: no game of the split has a moment.
        """
        store = Path(config.store) if config.store else None
        self._store = opened(store)
        games = evenly(list(listed(str(data), split)), limit)
        maker = {
            "what": "teach-speaker 1",
            "data": fingerprint(data).sha256,
            "store": None if store is None else fingerprint(store).sha256,
        }
        self._cache = FeatureCache(features_folder(), maker, (), "uint8")
        places = {f"{split} {each.id}": each for each in games}
        self._cache.fill(places, lambda missing: self._compute(missing, places))
        self.moments = [each for name in places for each in self._read(name)]
        if not self.moments:
            raise HousematesError(f"{data}: no Commander of {split} says anything that could be replayed.")

    def _read(self, name: str) -> list[Moment]:
        return msgspec.json.decode(self._cache[name].tobytes(), type=list[Moment])

    def _compute(
        self, missing: Sequence[str], games: Mapping[str, Listed]
    ) -> Iterator[tuple[str, NDArray[Any]]]:
        for name in track(iter(missing), len(missing), "what Commanders knew"):
            yield name, np.frombuffer(msgspec.json.encode(self._moments(games[name])), np.uint8)

    def _moments(self, each: Listed) -> list[Moment]:
        try:
            game = parse_game(read_place(*each.place), each.id)
            return list(moments(game, start_of(game, self._store).definition, self._store))
        except HousematesError:
            return []


@dataclass(frozen=True)
class Repertoire:
    """The lines that can be said, and the kinds of topic that each was said of."""

    lines: tuple[Line, ...]
    kinds: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, heard: Sequence[tuple[Example, Line]], least: int) -> Repertoire:
        """The lines that were said at least `least` times, the most frequent first."""
        counts = Counter(line for _, line in heard)
        kinds: dict[Line, set[str]] = defaultdict(set)
        for each, line in heard:
            kinds[line].add(each.kind)
        lines = sorted(
            (each for each in counts if counts[each] >= least), key=lambda each: (-counts[each], each)
        )
        return cls(tuple(lines), tuple(frozenset(kinds[each]) for each in lines))

    @classmethod
    def read(cls, rows: Sequence[str]) -> Repertoire:
        """The inverse of `rows`."""
        fields = [row.split(SEPARATOR) for row in rows]
        lines = tuple(Line(text, tuple(types.split())) for text, types, *_ in fields)
        return cls(lines, tuple(frozenset(kinds) for _, _, *kinds in fields))

    def rows(self) -> list[str]:
        """A tab-separated row per line, as cards store it: text, types of things, kinds of topics."""
        return [
            SEPARATOR.join([line.text, " ".join(line.types), *sorted(kinds)])
            for line, kinds in zip(self.lines, self.kinds, strict=True)
        ]


def tokens_of(fields: Mapping[str, Sequence[str]], vocabulary: Vocabulary) -> NDArray[np.int64]:
    """Word indices, (fields, words); 0 is padding."""
    found = np.zeros((len(FIELDS), max(len(fields[name]) for name in FIELDS)), np.int64)
    for row, name in zip(found, FIELDS, strict=True):
        row[: len(fields[name])] = vocabulary.numbers(fields[name])
    return found
