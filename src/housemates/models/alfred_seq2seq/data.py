"""Demonstrations as examples: what is seen before each action, the action, its mask, and people's words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.alfred.benchmark import Alfred, AlfredOptions, Whole
from housemates.benchmarks.alfred.files.recorded import known_as
from housemates.benchmarks.alfred.world.dynamics import ACTIONS, STOP, AlfredWorld
from housemates.benchmarks.alfred.world.sight import Sight
from housemates.benchmarks.base import Reference
from housemates.data.fingerprints import fingerprint
from housemates.errors import HousematesError
from housemates.models.alfred_seq2seq.config import Seq2SeqConfig
from housemates.models.caches import Features, features_folder, packed, unpacked
from housemates.models.schedule import evenly
from housemates.models.seeing import Encoder
from housemates.models.vocabulary import END, Vocabulary, words
from housemates.parallel import track

START = len(ACTIONS)
"""The action before the first."""
SIDE = 5
"""Cells of a mask before it is doubled."""
LONGEST_WORDS, LONGEST_STEPS = 200, 120


class Demonstration(NamedTuple):
    """What was seen, and what the expert does there; it stops at the end."""

    seen: NDArray[np.float16]
    """Steps x channels x rows x columns."""
    actions: NDArray[np.int64]
    acted: NDArray[np.int64]
    """What was done: by the expert, or by a student whom it corrects."""
    masks: NDArray[np.bool_]
    """Steps x cells; nothing where nothing is pointed at."""
    done: NDArray[np.float32]
    """For each step the share of sub-goals that are done."""


class Example(NamedTuple):
    """A demonstration and one person's words."""

    tokens: list[int]
    demonstration: Demonstration


def said(goal: str, instructions: Sequence[str], config: Seq2SeqConfig) -> list[str]:
    """The words that are read: the goal, and the instructions, each with an end."""
    texts = [goal] if config.goal else []
    texts += list(instructions) if config.instructions else []
    found = [word for text in texts for word in (*words(text), END)]
    return found[:LONGEST_WORDS] if config.language and found else [END]


def shrunk(mask: NDArray[np.bool_], side: int) -> NDArray[np.bool_]:
    """A mask of fewer cells: those of which the thing covers some, and at least half as much as the most."""
    rows = np.arange(mask.shape[0]) * side // mask.shape[0]
    columns = np.arange(mask.shape[1]) * side // mask.shape[1]
    counts = np.zeros((side, side))
    at = np.nonzero(mask)
    np.add.at(counts, (rows[at[0]], columns[at[1]]), 1)
    return np.asarray(counts >= max(1.0, counts.max() / 2))


def grown(mask: NDArray[np.bool_], height: int, width: int) -> NDArray[np.bool_]:
    """The same mask in a picture's pixels."""
    rows = np.arange(height) * mask.shape[0] // height
    columns = np.arange(width) * mask.shape[1] // width
    return np.asarray(mask[rows[:, None], columns[None]])


class Demonstrations:
    """The demonstrations of a split; what was seen is made once and kept in the cache."""

    def __init__(self, data: Path, split: str, config: Seq2SeqConfig, encoder: Encoder, limit: int) -> None:
        """Have them all; one that cannot be replayed here is left out.

        Args:
            data: Trajectories, as `housemates eval alfred --option data=` takes them.
            split: One of theirs.
            config: Of the model.
            encoder: Makes features of pictures.
            limit: The most that are taken, from all over the split; 0 is all.
        """
        store = Path(config.store) if config.store else None
        self._benchmark = Alfred(AlfredOptions(data=data, store=store, directive="all"))
        self._config, self._encoder = config, encoder
        references = evenly(list(self._benchmark.references(split, 0)), limit)
        maker = {
            "what": "alfred-seq2seq 1",
            "data": fingerprint(data).sha256,
            "store": None if store is None else fingerprint(store).sha256,
            "encoder": encoder.name,
            "picture": config.picture,
            "masks": config.deconvolutions,
        }
        self._kept = Features(features_folder(), maker, (), "uint8")
        self._references = by_name = {f"{split} {each.id}": each for each in references}
        self._kept.fill(by_name, lambda missing: self._made({name: by_name[name] for name in missing}))
        self.texts = [
            (name, number) for name in by_name for number in range(min(config.directives, self._count(name)))
        ]
        """Each demonstration with each person's words."""
        if not self.texts:
            raise HousematesError(f"{data}: no demonstration of {split} could be replayed; see store.")

    def __len__(self) -> int:
        return len(self.texts)

    def tokens(self, number: int) -> list[str]:
        """The words of an example."""
        name, directive = self.texts[number]
        goal, *instructions = bytes(unpacked(self._kept[name])[f"text {directive}"]).decode().split("\n")
        return said(goal, instructions, self._config)

    def example(self, number: int, vocabulary: Vocabulary) -> Example:
        """One of them."""
        row = unpacked(self._kept[self.texts[number][0]])
        side = SIDE << self._config.deconvolutions
        masks = np.unpackbits(row["masks"], axis=1, count=side * side).astype(np.bool_)
        actions = row["actions"].astype(np.int64)
        found = Demonstration(row["seen"], actions, actions, masks, row["done"])
        return Example(vocabulary.numbers(self.tokens(number)), found)

    def whole(self, number: int) -> Whole:
        """The episode of an example, with the demonstration of it."""
        name, directive = self.texts[number]
        return list(self._benchmark.wholes(self._references[name]))[directive]

    def _count(self, name: str) -> int:
        row = self._kept[name]
        return sum(key.startswith("text ") for key in unpacked(row)) if len(row) else 0

    def _made(self, references: dict[str, Reference]) -> Iterator[tuple[str, NDArray[Any]]]:
        for name, reference in track(iter(references.items()), len(references), "demonstrations as features"):
            try:
                wholes = list(self._benchmark.wholes(reference))
                yield name, self._row(wholes)
            except HousematesError:
                yield name, np.zeros(0, np.uint8)

    def _row(self, wholes: Sequence[Whole]) -> NDArray[np.uint8]:
        found = replayed(wholes[0], self._config, self._encoder)
        row: dict[str, NDArray[Any]] = {
            "seen": found.seen,
            "actions": found.actions.astype(np.int8),
            "masks": np.packbits(found.masks, axis=1),
            "done": found.done,
        }
        for number, whole in enumerate(wholes):
            texts = (whole.episode.goal, *whole.episode.instructions)
            lines = "\n".join(" ".join(text.split()) for text in texts)
            row[f"text {number}"] = np.frombuffer(lines.encode(), np.uint8)
        return packed(row)


class Film:
    """What is seen on the way through an episode, with what is right at each step and what is done."""

    def __init__(self, sight: Sight, encoder: Encoder, deconvolutions: int) -> None:
        self._sight, self._encoder, self._side = sight, encoder, SIDE << deconvolutions
        self._seen: list[NDArray[np.float32]] = []
        self._actions: list[int] = []
        self._acted: list[int] = []
        self._masks: list[NDArray[np.bool_]] = []
        self._done: list[float] = []

    def add(self, action: str, target: str, done: float) -> NDArray[np.float32]:
        """See, where an action with a thing or none is right; returns the features of what is seen."""
        found = self._encoder.encode(self._sight.look().rgb[None])
        mask = self._sight.mask(target) if target else np.zeros((self._side, self._side), np.bool_)
        self._seen.append(found[0])
        self._actions.append(ACTIONS.index(action))
        self._acted.append(self._actions[-1])
        self._masks.append(shrunk(mask, self._side).ravel() if target else mask.ravel())
        self._done.append(done)
        return found

    def did(self, action: int) -> None:
        """Something else was done than what was right."""
        self._acted[-1] = action

    def demonstration(self) -> Demonstration:
        """All of it."""
        seen = np.stack(self._seen).astype(np.float16)
        actions, acted = np.array(self._actions), np.array(self._acted)
        return Demonstration(seen, actions, acted, np.stack(self._masks), np.array(self._done, np.float32))


def replayed(whole: Whole, config: Seq2SeqConfig, encoder: Encoder) -> Demonstration:
    """Do what the expert did, and see what it saw."""
    world = AlfredWorld(whole.episode.start)
    film = Film(Sight(world.home, config.picture, config.picture), encoder, config.deconvolutions)
    deeds = [(number, deed) for number, part in enumerate(whole.parts) for deed in part.deeds]
    for number, (action, target) in deeds[: LONGEST_STEPS - 1]:
        known = known_as(world, target) if target else ""
        film.add(action, known, number / len(whole.parts))
        world.act(action, known or None)
    film.add(STOP, "", 1.0)
    return film.demonstration()
