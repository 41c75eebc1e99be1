"""The Rational Speech Acts model: which utterance a meaning gets, and which meaning an utterance suggests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from housemates.benchmarks.handmethat.tasks.meanings import (
    Lexicon,
    Meaning,
    Prior,
    bits,
    complexity,
    generalisations,
)
from housemates.benchmarks.handmethat.world.catalog import categories

Array = npt.NDArray[np.float64]
RATIONALITY = 2.0
COST_WEIGHT = 1.0
DEPTH = 10


@dataclass(frozen=True)
class Speech:
    """Speaker and listener at the deepest level, for one prior over meanings."""

    prior: Prior
    utterances: tuple[Meaning, ...]
    speaker: Array
    """P(u | m): a row an utterance, a column a meaning."""
    listener: Array
    """P(m | u): the same shape, rows sum to one."""

    @cached_property
    def row(self) -> Mapping[Meaning, int]:
        """The row of each utterance."""
        return {utterance: number for number, utterance in enumerate(self.utterances)}

    def utter(self, meaning: int, rng: np.random.Generator) -> Meaning:
        """Say something for the meaning in this column."""
        column = self.speaker[:, meaning]
        return self.utterances[int(rng.choice(len(column), p=column / column.sum()))]

    def understood(self, utterance: Meaning) -> int:
        """The column of the meaning that the utterance suggests most."""
        return int(self.listener[self.row[utterance]].argmax())

    def draw_understood(self, utterance: Meaning, rng: np.random.Generator) -> int:
        """The column of a meaning that the utterance suggests, drawn by how much it does."""
        row = self.listener[self.row[utterance]]
        return int(rng.choice(len(row), p=row / row.sum()))


@cache
def _hierarchy() -> tuple[dict[str, str], dict[str, str]]:
    subclass_of = {name: kind.subclass for name, kind in categories().items()}
    class_of = {name: kind.class_ for name, kind in categories().items()}
    class_of |= {kind.subclass: kind.class_ for kind in categories().values()}
    return subclass_of, class_of


def reason(prior: Prior, lexicon: Lexicon, depth: int = DEPTH) -> Speech:
    """Let speaker and listener think about each other `depth` times."""
    utterances = tuple(
        dict.fromkeys(
            utterance for meaning in prior.meanings for utterance in generalisations(meaning, *_hierarchy())
        )
    )
    literal = _literal(prior, utterances, lexicon)
    dear = np.exp(-RATIONALITY * COST_WEIGHT * np.array([complexity(u) for u in utterances]))[:, None]
    listener = _rows(literal * prior.probability)
    speaker = literal
    for _ in range(depth):
        weights = listener**RATIONALITY * dear
        speaker = weights / np.maximum(weights.sum(axis=0, keepdims=True), np.finfo(float).tiny)
        listener = _rows(speaker * prior.probability)
    return Speech(prior, utterances, speaker, listener)


def _rows(weights: Array) -> Array:
    shares: Array = weights / np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    return shares


def _literal(prior: Prior, utterances: tuple[Meaning, ...], lexicon: Lexicon) -> Array:
    """1 where all objects of the meaning fit the utterance, whose target is none or the same."""
    helpful = 0
    for extension in prior.extensions:
        helpful |= extension
    position = {number: place for place, number in enumerate(bits(helpful))}

    def small(mask: int) -> int:
        return sum(1 << position[number] for number in bits(mask & helpful))

    said: dict[object, int] = {}
    for utterance in utterances:
        if utterance.spec not in said:
            said[utterance.spec] = small(lexicon.extension(utterance.spec))
    kind = np.int64 if len(position) < 63 else object
    meant = np.array([small(extension) for extension in prior.extensions], dtype=kind)
    told = np.array([said[utterance.spec] for utterance in utterances], dtype=kind)
    fits: Array = ((meant[None, :] & ~told[:, None]) == 0).astype(float)
    if utterances and utterances[0].quest == "move_to":
        fits *= [[u.arg is None or u.arg == m.arg for m in prior.meanings] for u in utterances]
    elif utterances and utterances[0].quest == "change_state":
        fits *= [[u.arg == m.arg for m in prior.meanings] for u in utterances]
    return fits
