"""Instructions of recorded games as examples: the map when each was begun, its words, and the actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.formats.episodes import Recording, from_form
from housemates.benchmarks.cerealbar.formats.forms import GameForm
from housemates.benchmarks.cerealbar.tasks.recorded import Gold, take_apart
from housemates.benchmarks.cerealbar.world.hexmap import STANDARD
from housemates.benchmarks.cerealbar.world.observe import Observation, observe
from housemates.benchmarks.cerealbar.world.paths import after
from housemates.benchmarks.cerealbar.world.state import FOLLOWER
from housemates.benchmarks.cerealbar.world.tensors import INDEX, PLAYERS, PROPERTIES, encode
from housemates.data.fingerprints import fingerprint
from housemates.errors import HousematesError
from housemates.files import read_text_lines
from housemates.models.caches import FeatureCache, features_folder
from housemates.models.cerealbar_plan.geometry import HEXES, window
from housemates.models.vocabulary import Vocabulary, words
from housemates.parallel import track
from housemates.typed_json import decode

ACTIONS = ("MF", "MB", "RL", "RR", "DONE")
START = len(ACTIONS)
"""The action before the first one."""
DISTRIBUTIONS = ("trajectory", "goal", "avoid", "nopass")
"""Channels of a plan: where to walk, cards to take, cards to leave alone, hexes that block."""
BITS = len(PROPERTIES) * HEXES
LONGEST = 60
"""Limit on the actions and on the words of an example."""
CARD_PLANES = [number for name, number in INDEX.items() if name.startswith("card: ")]
Planes = NDArray[np.uint8]


@dataclass(frozen=True)
class Example:
    """An instruction and how it was followed. A hex is an index; a pose is 6 * hex + heading."""

    planes: Planes
    """(properties, hexes), binary."""
    blocked: NDArray[np.bool_]
    """(hexes,)."""
    pose: int
    """Of the follower at the beginning."""
    tokens: list[int]
    actions: list[int]
    visited: list[int]
    """The hex before each action."""
    changed: list[int]
    """Cards that were flipped an odd number of times."""
    end: int
    """The last pose."""
    implicit: bool = False
    """Whether it is a recovery that begins far from the recorded start."""

    @property
    def cards(self) -> NDArray[np.bool_]:
        """(hexes,): whether there is a card."""
        return np.asarray(self.planes[CARD_PLANES].any(0))


class Scene(NamedTuple):
    """A batch of instructions and egocentric windows of the map; windows are flattened to cells."""

    planes: NDArray[np.float32]
    """(batch, properties, hexes)."""
    hexes: NDArray[np.int64]
    """(batch, cells): the hex of each cell; off the map it is the number of hexes."""
    cards: NDArray[np.bool_]
    """(batch, cells): whether there is a card."""
    on_map: NDArray[np.bool_]
    """(batch, cells)."""
    tokens: NDArray[np.int64]
    """(batch, words); 0 is padding."""
    lengths: NDArray[np.int64]
    """(batch,): words."""


def scene_of(examples: Sequence[Example], reach: int) -> Scene:
    """Pad examples to a batch, each with the window around its first pose."""
    hexes = np.stack([window(each.pose, reach)[0] for each in examples])
    cards = np.stack([np.append(each.cards, False)[row] for each, row in zip(examples, hexes, strict=True)])
    lengths = np.array([len(each.tokens) for each in examples])
    tokens = np.zeros((len(examples), lengths.max()), np.int64)
    for row, each in zip(tokens, examples, strict=True):
        row[: len(each.tokens)] = each.tokens
    planes = np.stack([each.planes for each in examples]).astype(np.float32)
    return Scene(planes, hexes, cards, hexes < HEXES, tokens, lengths)


def blank(words: int) -> Example:
    """An example with an empty map and `words` words, to trace networks with."""
    planes, blocked = np.zeros((len(PROPERTIES), HEXES), np.uint8), np.zeros(HEXES, np.bool_)
    return Example(planes, blocked, 0, [1] * words, [], [], [], 0)


def planes_of(seen: Observation) -> Planes:
    """An observation as (properties, hexes); HousematesError if the map is not 25 x 25."""
    if seen.map.size != STANDARD:
        raise HousematesError(
            f"cerealbar-plan: knows maps of {STANDARD.width} x {STANDARD.height} hexes alone."
        )
    return encode(seen).transpose(0, 2, 1).reshape(len(PROPERTIES), -1)


def blocked_of(seen: Observation) -> NDArray[np.bool_]:
    """(hexes,): where nobody can stand."""
    return ~np.asarray(seen.map.passable, np.bool_)


def example_of(gold: Gold, text: str, vocabulary: Vocabulary) -> Example:
    """The example of a recorded instruction."""
    seen = observe(gold.start, FOLLOWER)
    names = [name for name in gold.actions if name in ACTIONS]
    poses = [after(seen.map, seen.pose, names[:number]) for number in range(len(names))]
    return Example(
        planes_of(seen),
        blocked_of(seen),
        seen.pose,
        vocabulary.numbers(words(text)[:LONGEST]) or [1],
        [ACTIONS.index(name) for name in names],
        [pose // 6 for pose in poses],
        [at for at, _ in gold.changed if at in gold.start.cards],
        poses[-1],
    )


def gold_plan(example: Example, pose: int, reach: int) -> NDArray[np.float32]:
    """The plan of what was done, (4, cells) in the window around a pose."""
    plan = np.zeros((len(DISTRIBUTIONS), (2 * reach + 1) ** 2 + 1), np.float32)
    cell_of = window(pose, reach)[1]
    np.add.at(plan[0], cell_of[example.visited], 1.0 / len(example.visited))
    plan[1, cell_of[example.changed]] = 1.0
    avoided = example.cards.copy()
    avoided[[*example.changed, example.pose // 6]] = False
    plan[2, cell_of[avoided]] = 1.0
    plan[3, cell_of[example.blocked]] = 1.0
    return plan[:, :-1]


def moved_to(example: Example, pose: int) -> Example:
    """A copy with the follower at another pose."""
    planes = example.planes.copy()
    planes[list(PLAYERS[FOLLOWER])] = 0
    planes[PLAYERS[FOLLOWER][pose % 6], pose // 6] = 1
    return replace(example, planes=planes, pose=pose)


def recordings(path: Path) -> Iterator[Recording]:
    """The recorded games of a file; HousematesError names the line of a broken one."""
    for line, text in read_text_lines(path):
        where = f"{path}: line {line}"
        yield from_form(decode(text, GameForm, where), where)


class Corpus:
    """The examples of the training games in their order, computed once and kept in the cache."""

    def __init__(self, data: Path) -> None:
        """Compute the examples that are not cached.

        Args:
            data: A folder as `housemates generate cerealbar` writes it, or one of its files.

        Raises:
            HousematesError: there is no `train.jsonl.zst`.
        """
        path = data / "train.jsonl.zst" if data.is_dir() else data
        if not path.is_file():
            raise HousematesError(f"{data}: expected train.jsonl.zst, as `generate cerealbar` writes it.")
        texts = [text for game in recordings(path) for text in _texts(game).values()]
        self.vocabulary = Vocabulary.of(map(words, texts), least=2)
        maker = {
            "what": "cerealbar-plan 1",
            "data": fingerprint(path).sha256,
            "words": list(self.vocabulary.names),
        }
        self._cache = FeatureCache(features_folder(), maker, (), "uint8")
        self._games = [game.id for game in recordings(path)]
        self._cache.fill(self._games, lambda missing: self._compute(path, set(missing)))
        self.places: list[tuple[int, int, int]] = []
        """For each example the number of its game, and the range of its bytes in the game's row."""
        for number, name in enumerate(self._games):
            rows = self._cache[name]
            start = 0
            while start < len(rows):
                size = int(rows[start : start + 4].view(np.int32)[0])
                self.places.append((number, start + 4, start + 4 + size))
                start += 4 + size

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, number: int) -> Example:
        game, start, end = self.places[number]
        return _unpack(self._cache[self._games[game]][start:end])

    def split(self, held_out: float) -> tuple[list[int], list[int]]:
        """The indices of training examples, and of those of the last games, a share of which is held out."""
        last = int((1 - held_out) * len(self._games))
        numbers = range(len(self.places))
        kept = [number for number in numbers if self.game(number) < last]
        return kept, list(numbers[len(kept) :])

    def game(self, number: int) -> int:
        """The number of an example's game."""
        return self.places[number][0]

    def _compute(self, path: Path, missing: set[str]) -> Iterator[tuple[str, NDArray[Any]]]:
        for game in track(recordings(path), len(self._games), "recorded games as examples"):
            if game.id in missing:
                parts = []
                for gold, text in _finished(game):
                    row = _pack(example_of(gold, text, self.vocabulary))
                    parts += [np.array([len(row)], np.int32).view(np.uint8), row]
                yield game.id, np.concatenate(parts) if parts else np.zeros(0, np.uint8)


def _texts(game: Recording) -> dict[int, str]:
    return {number: each.text for number, each in enumerate(game.instructions) if each.completed}


def _finished(game: Recording) -> Iterator[tuple[Gold, str]]:
    script = take_apart(game)
    texts = _texts(game)
    for number in script.completed:
        gold = script.golds[number]
        if number in texts and len(gold.actions) <= LONGEST:
            yield gold, texts[number]


def _pack(example: Example) -> NDArray[np.uint8]:
    lists: Sequence[list[int]] = (example.tokens, example.actions, example.visited, example.changed)
    numbers = [example.pose, example.end, *map(len, lists), *(each for row in lists for each in row)]
    bits = np.concatenate([example.planes.ravel(), example.blocked.astype(np.uint8)])
    return np.concatenate([np.packbits(bits), np.array(numbers, np.int16).view(np.uint8)])


def _unpack(row: NDArray[np.uint8]) -> Example:
    size = -(-(BITS + HEXES) // 8)
    bits = np.unpackbits(row[:size], count=BITS + HEXES)
    numbers: list[int] = np.frombuffer(row[size:].tobytes(), np.int16).tolist()
    pose, end, *sizes = numbers[:6]
    parts, start = [], 6
    for count in sizes:
        parts.append(numbers[start : start + count])
        start += count
    tokens, actions, visited, changed = parts
    planes, blocked = bits[:BITS].reshape(-1, HEXES), bits[BITS:].astype(np.bool_)
    return Example(planes, blocked, pose, tokens, actions, visited, changed, end)
