"""What a quest can mean: descriptions of objects, the objects they fit, and how useful each would be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from housemates.benchmarks.handmethat.world.catalog import LOCATIONS, STATE_ORDER
from housemates.benchmarks.handmethat.world.dynamics import FLAG, STRIDE, World

Value = str | bool
Feature = tuple[str, Value]
Spec = tuple[Feature, ...]
"""A description: at most one of class, subclass and type, a position, and attributes; sorted."""

QUESTS = ("bring_me", "move_to", "change_state")
LEVELS = ("class", "subclass", "type")
LEVEL_COST = {"class": 1, "subclass": 2, "type": 3}
UTILITY_WEIGHT = 3.0
COMPLEXITY_WEIGHT = 1.5
NEGLIGIBLE = 1e-3


class Meaning(NamedTuple):
    """A lifted subgoal: what is asked for, of which objects, and the target place or the verb."""

    quest: str
    spec: Spec
    arg: str | None = None


class Grounded(NamedTuple):
    """A grounded subgoal: this object, and the target place or the verb."""

    number: int
    arg: str | None = None


def complexity(meaning: Meaning) -> int:
    """Number of specifiers; a category counts 1, 2 or 3 as it is a class, a subclass or a type (A.4)."""
    told = sum(LEVEL_COST.get(key, 1) for key, _ in meaning.spec)
    return told + (meaning.quest == "move_to" and meaning.arg is not None)


class Lexicon:
    """Which objects of a world fit each feature, as bit masks over object numbers."""

    def __init__(self, world: World) -> None:
        """Read every movable object once."""
        self.world = world
        self.features: list[tuple[Feature, ...]] = [()] * len(LOCATIONS)
        self.masks: dict[Feature, int] = {}
        for number in range(len(LOCATIONS), world.scene.size):
            found = tuple(_features(world, number))
            self.features.append(found)
            bit = 1 << number
            for feature in found:
                self.masks[feature] = self.masks.get(feature, 0) | bit
        self.everything = (1 << world.scene.size) - (1 << len(LOCATIONS))

    def extension(self, spec: Iterable[Feature]) -> int:
        """The objects that fit a description."""
        mask = self.everything
        for feature in spec:
            mask &= self.masks.get(feature, 0)
        return mask

    def specs(self, number: int) -> Iterator[tuple[Spec, int]]:
        """Every description that fits an object, with its extension."""
        levels: list[Feature] = []
        others: list[Feature] = []
        for feature in self.features[number]:
            (levels if feature[0] in LEVELS else others).append(feature)
        stack: list[tuple[Spec, int]] = [((), self.everything)]
        stack += [((level,), self.masks[level]) for level in levels]
        for feature in others:
            mask = self.masks[feature]
            stack += [((*spec, feature), extension & mask) for spec, extension in stack]
        return ((tuple(sorted(spec)), extension) for spec, extension in stack)


def _features(world: World, number: int) -> Iterator[Feature]:
    scene, values = world.scene, world.values
    kind = scene.kinds[number]
    yield "class", kind.class_
    yield "subclass", kind.subclass
    yield "type", kind.name
    holder = values[number * STRIDE]
    if holder < scene.size:
        yield scene.kinds[holder].relation, scene.names[holder]
    for flag in kind.flags:
        yield flag, bool(values[number * STRIDE + FLAG[flag]])
    size, color = scene.sizes[number], scene.colors[number]
    if size is not None:
        yield "size", size
    if color is not None:
        yield "color", color


def fitting(world: World, spec: Iterable[Feature]) -> list[int]:
    """The objects that fit one description; a `Lexicon` is faster for many."""
    numbers = list(range(len(LOCATIONS), world.scene.size))
    for feature in spec:
        numbers = [number for number in numbers if feature in _features(world, number)]
    return numbers


def bits(mask: int) -> Iterator[int]:
    """The numbers whose bits are set, smallest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True)
class Prior:
    """The meanings that a human with some goal may have, how likely each is, and what they cover."""

    meanings: tuple[Meaning, ...]
    probability: npt.NDArray[np.float64]
    extensions: tuple[int, ...]
    """The objects of each meaning."""
    useful: Mapping[Grounded, float]
    """A(G): each grounded subgoal that helps, and by how many actions."""


def mask_of(numbers: Iterable[int]) -> int:
    """The bit mask of these numbers."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def prior(quest: str, useful: Mapping[Grounded, float], lexicon: Lexicon) -> Prior:
    """P(m | s, G): meanings all of whose objects are useful, by utility and brevity."""
    found: dict[Meaning, tuple[int, float]] = {}
    for arg in dict.fromkeys(grounded.arg for grounded in useful):
        gains = {grounded.number: gain for grounded, gain in useful.items() if grounded.arg == arg}
        helpful = mask_of(gains)
        for number in gains:
            for spec, extension in lexicon.specs(number):
                if extension & ~helpful or (meaning := Meaning(quest, spec, arg)) in found:
                    continue
                covered = [gains[other] for other in bits(extension)]
                utility = sum(covered) / len(covered)
                score = UTILITY_WEIGHT * utility - COMPLEXITY_WEIGHT * complexity(meaning)
                found[meaning] = (extension, score)
    return _normalised(found, useful)


def _normalised(found: Mapping[Meaning, tuple[int, float]], useful: Mapping[Grounded, float]) -> Prior:
    scores = np.array([score for _, score in found.values()])
    weights = np.exp(scores - scores.max(initial=0.0)) if len(scores) else scores
    weights = weights / weights.sum() if len(weights) else weights
    kept = [
        (meaning, extension, weight)
        for (meaning, (extension, _)), weight in zip(found.items(), weights.tolist(), strict=True)
        if weight >= NEGLIGIBLE
    ]
    probability = np.array([weight for _, _, weight in kept])
    return Prior(
        tuple(meaning for meaning, _, _ in kept),
        probability / probability.sum() if len(kept) else probability,
        tuple(extension for _, extension, _ in kept),
        useful,
    )


def generalisations(
    meaning: Meaning, subclass_of: Mapping[str, str], class_of: Mapping[str, str]
) -> Iterator[Meaning]:
    """Every utterance that says less than the meaning or the same."""
    options: list[list[Feature | None]] = []
    for key, value in meaning.spec:
        choices: list[Feature | None] = [None, (key, value)]
        if key == "type":
            choices += [("subclass", subclass_of[str(value)]), ("class", class_of[str(value)])]
        elif key == "subclass":
            choices.append(("class", class_of[str(value)]))
        options.append(choices)
    args = [meaning.arg] if meaning.quest != "move_to" else [meaning.arg, None]
    for choice in product(*options):
        spec = tuple(sorted(feature for feature in choice if feature is not None))
        for arg in args:
            yield Meaning(meaning.quest, spec, arg)


def to_json(meaning: Meaning) -> list[object]:
    """As the official files write it: quest, description, target."""
    order = {key: position for position, key in enumerate(("inside", "ontop", *STATE_ORDER, *LEVELS))}
    return [meaning.quest, dict(sorted(meaning.spec, key=lambda pair: order[pair[0]])), meaning.arg]


def from_json(value: Sequence[object]) -> Meaning:
    """Read what `to_json` writes."""
    quest, spec, arg = value
    assert isinstance(spec, dict)
    return Meaning(str(quest), tuple(sorted(spec.items())), None if arg is None else str(arg))
