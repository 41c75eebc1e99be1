"""ALFRED's demonstrations as examples: a frame, an action and its mask per step, with one person's words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.alfred.benchmark import Alfred, AlfredOptions, Whole
from housemates.core.benchmark import Reference
from housemates.data.fingerprints import fingerprint
from housemates.errors import HousematesError
from housemates.models.alfred_seq2seq.config import Seq2SeqConfig
from housemates.models.alfred_seq2seq.demonstration_frames import Demonstration, replayed, with_detours
from housemates.models.caches import FeatureCache, features_folder, pack, unpack
from housemates.models.image_encoders import Encoder
from housemates.models.schedule import evenly, held_out
from housemates.models.vocabulary import END, Vocabulary, words
from housemates.parallel import track

LONGEST_WORDS = 200
TRAIN = "train"
DETOURS = " astray"
"""Suffix of the cached names of demonstrations with detours."""


class Example(NamedTuple):
    """A demonstration and one annotation of it."""

    tokens: list[int]
    demonstration: Demonstration


def language_words(goal: str, instructions: Sequence[str], config: Seq2SeqConfig) -> list[str]:
    """The first 200 words of the goal and the instructions, each text followed by an end."""
    texts = [goal] if config.goal else []
    texts += list(instructions) if config.instructions else []
    found = [word for text in texts for word in (*words(text), END)]
    return found[:LONGEST_WORDS] if config.language and found else [END]


class Demonstrations:
    """Demonstrations of train, replayed once; frames are kept as features in the cache."""

    def __init__(
        self, data: Path, held: bool, config: Seq2SeqConfig, encoder: Encoder, limit: int, detours: int = 0
    ) -> None:
        """Replay the demonstrations that are not cached; one that cannot be replayed is left out.

        Args:
            data: Trajectories, as `housemates eval alfred --option data=` takes them.
            held: Whether those of train are wanted that are held out for validation, or all others.
            config: Of the model.
            encoder: Of frames.
            limit: Demonstrations at most, spread evenly; 0 takes all.
            detours: How many of them are added a second time, with detours.

        Raises:
            HousematesError: no demonstration of train can be replayed.
        """
        store = Path(config.store) if config.store else None
        self._benchmark = Alfred(AlfredOptions(data=data, store=store, directive="all"))
        self._config, self._encoder = config, encoder
        references = evenly(held_out(list(self._benchmark.references(TRAIN, 0)))[held], limit)
        maker = {
            "what": "alfred-seq2seq 3",
            "data": fingerprint(data).sha256,
            "store": None if store is None else fingerprint(store).sha256,
            "encoder": encoder.name,
            "picture": config.picture,
            "masks": "pixels" if config.pixels else config.deconvolutions,
        }
        self._cache = FeatureCache(features_folder(), maker, (), "uint8")
        by_name = {f"{TRAIN} {each.id}": each for each in references}
        by_name |= {f"{TRAIN} {each.id}{DETOURS}": each for each in evenly(references, detours) if detours}
        self._references = by_name
        self._cache.fill(by_name, lambda missing: self._compute({name: by_name[name] for name in missing}))
        self.texts = [
            (name, number) for name in by_name for number in range(min(config.directives, self._count(name)))
        ]
        """For each example the name of its demonstration and the number of its annotation."""
        if not self.texts:
            raise HousematesError(f"{data}: no demonstration of {TRAIN} could be replayed; see store.")

    def __len__(self) -> int:
        return len(self.texts)

    def lengths(self) -> list[int]:
        """Steps of each example."""
        steps = {name: len(unpack(self._cache[name])["actions"]) for name, _ in self.texts}
        return [steps[name] for name, _ in self.texts]

    def tokens(self, number: int) -> list[str]:
        """The words of an example."""
        name, directive = self.texts[number]
        goal, *instructions = bytes(unpack(self._cache[name])[f"text {directive}"]).decode().split("\n")
        return language_words(goal, instructions, self._config)

    def example(self, number: int, vocabulary: Vocabulary) -> Example:
        """An example with its words as indices of a vocabulary."""
        row = unpack(self._cache[self.texts[number][0]])
        side = self._config.mask_side
        masks = np.unpackbits(row["masks"], axis=1, count=side * side).astype(np.bool_)
        actions, acted, kinds = (row[name].astype(np.int64) for name in ("actions", "acted", "kinds"))
        found = Demonstration(row["seen"], actions, acted, masks, kinds, row["done"])
        return Example(vocabulary.numbers(self.tokens(number)), found)

    def whole(self, number: int) -> Whole:
        """The episode that an example demonstrates."""
        name, directive = self.texts[number]
        return list(self._benchmark.wholes(self._references[name]))[directive]

    def _count(self, name: str) -> int:
        row = self._cache[name]
        return sum(key.startswith("text ") for key in unpack(row)) if len(row) else 0

    def _compute(self, references: dict[str, Reference]) -> Iterator[tuple[str, NDArray[Any]]]:
        for name, reference in track(iter(references.items()), len(references), "demonstrations as features"):
            try:
                wholes = list(self._benchmark.wholes(reference))
                yield name, self._row(name, wholes)
            except HousematesError:
                yield name, np.zeros(0, np.uint8)

    def _row(self, name: str, wholes: Sequence[Whole]) -> NDArray[np.uint8]:
        replay = with_detours if name.endswith(DETOURS) else replayed
        found = replay(wholes[0], self._config, self._encoder)
        row: dict[str, NDArray[Any]] = {
            "seen": found.frames,
            "actions": found.actions.astype(np.int8),
            "acted": found.acted.astype(np.int8),
            "kinds": found.kinds.astype(np.int16),
            "masks": np.packbits(found.masks, axis=1),
            "done": found.done,
        }
        for number, whole in enumerate(wholes):
            texts = (whole.episode.goal, *whole.episode.instructions)
            lines = "\n".join(" ".join(text.split()) for text in texts)
            row[f"text {number}"] = np.frombuffer(lines.encode(), np.uint8)
        return pack(row)
