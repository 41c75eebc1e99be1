"""What people said at recorded moments, as examples: what was known, in words, and the line."""

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
from housemates.models.caches import Features, features_folder
from housemates.models.schedule import evenly
from housemates.models.teach_speaker.config import SpeakerConfig
from housemates.models.teach_speaker.lines import Line, line_of, nouns
from housemates.models.teach_speaker.moments import Moment, Topic, moments, topics
from housemates.models.vocabulary import Vocabulary, words
from housemates.parallel import track

PARTS = ("todo", "own", "heard")
"""What is known, each in words of its own."""
LONGEST = 30
"""Words of a part that are read: the last ones."""
NOTHING = "<nothing>"
APART = "\t"
"""Between the fields of a row of the table of lines."""


def known(moment: Moment, topic: Topic) -> dict[str, list[str]]:
    """What decides what to say, in words; each part has at least one."""
    texts = {"todo": topic.kind, "own": moment.own, "heard": moment.heard}
    found = {name: words(text)[-LONGEST:] or [NOTHING] for name, text in texts.items()}
    found["todo"].append("<rose>" if moment.rose else "<same>")
    return found


class Said(msgspec.Struct, frozen=True):
    """A line that was said of a topic at a moment."""

    known: dict[str, list[str]]
    line: str
    kind: str


def said_at(moment: Moment) -> tuple[Said, Line] | None:
    """The line of a moment, of the first topic that its words name, else of the first one."""
    found, named = topics(moment), nouns(moment.text)
    if not found:
        return None
    topic = next((each for each in found if each.type in named), found[0])
    line = line_of(moment.text, topic.type, moment.goals)
    return None if line is None else (Said(known(moment, topic), line.text, topic.kind), line)


class Recorded:
    """The moments of a split's games; replayed once and kept in the cache."""

    def __init__(self, data: Path, split: str, config: SpeakerConfig, limit: int) -> None:
        """Have them all; a game that cannot be replayed here is left out."""
        store = Path(config.store) if config.store else None
        self._store = opened(store)
        games = evenly(list(listed(str(data), split)), limit)
        maker = {
            "what": "teach-speaker 1",
            "data": fingerprint(data).sha256,
            "store": None if store is None else fingerprint(store).sha256,
        }
        self._kept = Features(features_folder(), maker, (), "uint8")
        places = {f"{split} {each.id}": each for each in games}
        self._kept.fill(places, lambda missing: self._made(missing, places))
        self.moments = [each for name in places for each in self._read(name)]
        if not self.moments:
            raise HousematesError(f"{data}: no Commander of {split} says anything that could be replayed.")

    def _read(self, name: str) -> list[Moment]:
        return msgspec.json.decode(self._kept[name].tobytes(), type=list[Moment])

    def _made(
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
    """The lines that can be said, and of what each was said."""

    lines: tuple[Line, ...]
    kinds: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, heard: Sequence[tuple[Said, Line]], least: int) -> Repertoire:
        """Those that were said so often, the commonest first."""
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
        """From what `rows` gave."""
        fields = [row.split(APART) for row in rows]
        lines = tuple(Line(text, tuple(types.split())) for text, types, *_ in fields)
        return cls(lines, tuple(frozenset(kinds) for _, _, *kinds in fields))

    def rows(self) -> list[str]:
        """A row for each line: its text, the types that it names, and the kinds of what it was said of."""
        return [
            APART.join([line.text, " ".join(line.types), *sorted(kinds)])
            for line, kinds in zip(self.lines, self.kinds, strict=True)
        ]


def tokens_of(parts: Mapping[str, Sequence[str]], vocabulary: Vocabulary) -> NDArray[np.int64]:
    """Parts x words: numbers, padded."""
    found = np.zeros((len(PARTS), max(len(parts[name]) for name in PARTS)), np.int64)
    for row, name in zip(found, PARTS, strict=True):
        row[: len(parts[name])] = vocabulary.numbers(parts[name])
    return found
