"""From a goal and a state to an utterance: what would help, what the human means, what she says, how hard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from housemates.benchmarks.handmethat.meanings import Grounded, Lexicon, Meaning, Prior, prior
from housemates.benchmarks.handmethat.planning import delivery
from housemates.benchmarks.handmethat.speech import Speech, reason
from housemates.benchmarks.handmethat.tasks import Goal
from housemates.benchmarks.handmethat.world import HUMAN, NOTHING, STRIDE, World


def helpful_gifts(goal: Goal, world: World) -> dict[Grounded, float]:
    """A(G) for bring-me: the objects that shorten the human's way if she had them in her hand, and by how much."""
    errands = delivery.errands(goal, world)
    ways = [way for errand in errands for way in delivery.with_carrying(errand, world)]
    base = min((delivery.errand_cost(way, world) for way in ways), default=0)
    candidates = {
        number
        for way in ways
        for number, place in (*way.targets, *way.carried)
        if world.parent(number) != place
    }
    candidates |= {
        holder
        for number in candidates
        for holder in (world.parent(number), *(place for way in errands for o, place in way.targets if o == number))
        if holder < world.scene.size and world.scene.is_receptacle[holder]
    }
    gains = {}
    for number in sorted(candidates):
        with given(world, number):
            cost = delivery.cost(goal, world)
        if cost is not None and cost < base:
            gains[Grounded(number)] = float(base - cost)
    return gains


class given:  # noqa: N801
    """While the block runs, the empty-handed human holds this object."""

    def __init__(self, world: World, number: int) -> None:
        """Say who gets what."""
        self.values, self.number = world.values, number
        self.hand, self.held = world.scene.hand(HUMAN), world.scene.held(HUMAN)

    def __enter__(self) -> None:
        """Give."""
        self.source = self.values[self.number * STRIDE]
        self.values[self.number * STRIDE] = self.hand
        self.values[self.held] = self.number

    def __exit__(self, *_: object) -> None:
        """Take back."""
        self.values[self.number * STRIDE] = self.source
        self.values[self.held] = NOTHING


@dataclass(frozen=True)
class Mind:
    """What a human with some goal may mean and say in one state."""

    useful: Mapping[Grounded, float]
    prior: Prior
    speech: Speech
    lexicon: Lexicon

    def level(self, meaning: int, utterance: Meaning) -> int:
        """The hardness of saying this utterance for this meaning (section 3.3)."""
        return hardness(
            self.prior.meanings[meaning],
            utterance,
            self.prior.meanings[self.speech.understood(utterance)],
            self.useful,
            self.lexicon,
        )

    def levels(self) -> np.ndarray:
        """The hardness of every utterance (rows) for every meaning (columns)."""
        return np.array(
            [
                [self.level(meaning, utterance) for meaning in range(len(self.prior.meanings))]
                for utterance in self.speech.utterances
            ]
        )


def mind(quest: str, useful: Mapping[Grounded, float], lexicon: Lexicon) -> Mind | None:
    """The mind of a human whom these grounded subgoals would help; None if nothing would."""
    if not useful:
        return None
    meant = prior(quest, useful, lexicon)
    return Mind(useful, meant, reason(meant, lexicon), lexicon)


Groundings = dict[str | None, int]
"""Grounded subgoals: for each target place or verb, a bit mask of objects."""


def groundings(meaning: Meaning, useful: Iterable[Grounded], lexicon: Lexicon) -> Groundings:
    """A(m) or A(u); an utterance that names no target fits every useful one."""
    objects = lexicon.extension(meaning.spec)
    if meaning.quest == "move_to" and meaning.arg is None:
        return {other.arg: objects for other in useful}
    return {meaning.arg: objects}


def hardness(
    meaning: Meaning, utterance: Meaning, understood: Meaning, useful: Iterable[Grounded], lexicon: Lexicon
) -> int:
    """1: the utterance says it all; 2: it does with the goal known; 3: with reasoning about the speaker; 4: not."""
    useful = list(useful)
    helpful: Groundings = {}
    for number, arg in useful:
        helpful[arg] = helpful.get(arg, 0) | 1 << number
    meant = groundings(meaning, useful, lexicon)
    said = groundings(utterance, useful, lexicon)
    if meant == said:
        return 1
    shared = {arg: mask & helpful.get(arg, 0) for arg, mask in said.items()}
    if meant == {arg: mask for arg, mask in shared.items() if mask}:
        return 2
    return 3 if meant == groundings(understood, useful, lexicon) else 4


def served_conjunct(goal: Goal, world: World, number: int, preferred: int | None = None) -> int | None:
    """The conjunct that comes nearer by most if the human is given this object; None if none does."""
    best, gain = None, 0
    for position, (conjunct, want) in enumerate(zip(goal.conjuncts, goal.wants, strict=True)):
        alone = Goal(goal.number, (conjunct,), (want,))
        before = delivery.cost(alone, world)
        with given(world, number):
            after = delivery.cost(alone, world)
        if before is None or after is None:
            continue
        if before - after > gain or (before - after == gain > 0 and position == preferred):
            best, gain = position, before - after
    return best
