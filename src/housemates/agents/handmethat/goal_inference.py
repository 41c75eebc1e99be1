"""Pragmatic inference as the paper asks: goals from actions, then meanings from the utterance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from housemates.agents.handmethat.goal_posterior import Hypothesis
from housemates.benchmarks.handmethat.tasks.goals import Goal
from housemates.benchmarks.handmethat.tasks.meanings import Grounded, Lexicon, Meaning, bits
from housemates.benchmarks.handmethat.tasks.planning.plans import Value, delivery_value
from housemates.benchmarks.handmethat.tasks.subgoals import helpful, mind, served_conjunct
from housemates.benchmarks.handmethat.world.dynamics import World


@dataclass(frozen=True)
class MeaningPosterior:
    """Candidate meanings of an utterance and their posterior probabilities."""

    meanings: tuple[Meaning, ...]
    extensions: tuple[int, ...]
    probability: npt.NDArray[np.float64]

    def only(self, positions: Sequence[int]) -> MeaningPosterior:
        """The posterior conditioned on these candidates."""
        weights = self.probability[list(positions)]
        return MeaningPosterior(
            tuple(self.meanings[position] for position in positions),
            tuple(self.extensions[position] for position in positions),
            weights / weights.sum() if weights.sum() > 0 else weights,
        )

    def belief(self) -> dict[Grounded, float]:
        """Probability of each grounded subgoal to be what is meant, the likeliest first."""
        found: dict[Grounded, float] = {}
        for meaning, extension, weight in zip(
            self.meanings, self.extensions, self.probability.tolist(), strict=True
        ):
            for number in bits(extension):
                subgoal = Grounded(number, meaning.arg)
                found[subgoal] = found.get(subgoal, 0.0) + weight
        return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def meaning_posterior(
    utterance: Meaning,
    hypotheses: Sequence[Hypothesis],
    world: World,
    lexicon: Lexicon | None = None,
    value_of: ValueOf | None = None,
) -> MeaningPosterior:
    """P(m | u, history): sum over goals of P(G | history) P(m | G) P(u | m, G).

    Args:
        utterance: What was said.
        hypotheses: Goals and their probabilities.
        world: The state in which it was said.
        lexicon: The features of that state's objects, if they are known already.
        value_of: Gives a goal's cost to go; the closed form for deliveries by default.
    """
    lexicon = lexicon or Lexicon(world)
    weights: dict[tuple[Meaning, int], float] = {}
    for useful, alike in _minds(utterance.quest, hypotheses, world, value_of or delivery_value):
        thoughts = mind(utterance.quest, dict(useful), lexicon)
        if thoughts is None or utterance not in thoughts.speech.row:
            continue
        said = thoughts.prior.probability * thoughts.speech.speaker[thoughts.speech.row[utterance]]
        for meaning, extension, chance in zip(
            thoughts.prior.meanings, thoughts.prior.extensions, said.tolist(), strict=True
        ):
            first = Grounded((extension & -extension).bit_length() - 1, meaning.arg)
            weight = chance * sum(probability for probability, fits in alike if fits(first))
            if weight > 0:
                weights[meaning, extension] = weights.get((meaning, extension), 0.0) + weight
    total = sum(weights.values())
    return MeaningPosterior(
        tuple(meaning for meaning, _ in weights),
        tuple(extension for _, extension in weights),
        np.array(list(weights.values())) / total if total else np.zeros(0),
    )


ValueOf = Callable[[Goal], Value]
Fits = Callable[[Grounded], bool]
Useful = tuple[tuple[Grounded, float], ...]


def _minds(
    quest: str, hypotheses: Sequence[Hypothesis], world: World, value_of: ValueOf
) -> list[tuple[Useful, list[tuple[float, Fits]]]]:
    """Goals with the same helpful subgoals speak alike, so they are taken together.

    Each comes with its probability and a test of whether an object serves the conjunct she is at work on.
    """
    gifts: dict[Goal, Useful] = {}
    found: dict[Useful, list[tuple[float, Fits]]] = {}
    for goal, conjunct, probability in hypotheses:
        if goal not in gifts:
            gifts[goal] = tuple(helpful(quest, goal, world, value_of(goal)).items())

        @cache
        def fits(subgoal: Grounded, goal: Goal = goal, conjunct: int | None = conjunct) -> bool:
            return conjunct is None or served_conjunct(goal, world, quest, subgoal, conjunct) == conjunct

        found.setdefault(gifts[goal], []).append((probability, fits))
    return list(found.items())
