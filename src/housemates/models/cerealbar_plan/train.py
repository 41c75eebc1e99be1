"""Learning plans, actions, and both together, with recoveries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from housemates.models.cerealbar_plan.aggregation import ended_elsewhere, recovery
from housemates.models.cerealbar_plan.config import PlanConfig
from housemates.models.cerealbar_plan.data import Corpus, Example
from housemates.models.cerealbar_plan.joined_instructions import JOINTS, joined
from housemates.models.cerealbar_plan.model import Batch, PlanNet, Predicted, batch_of, moved_to
from housemates.models.cerealbar_plan.rollout import follow
from housemates.models.learner import Learner
from housemates.models.vocabulary import words

VALIDATED = 300
"""Examples that are followed for a validation."""
PORTION = 64
PLANNING = ("cards", "plan")
"""Stages in which nothing is done yet."""


class PlanLearner(Learner[PlanConfig]):
    """Instructions of the training games; some games are kept for validation."""

    net: PlanNet

    def __init__(self, config: PlanConfig, data: Path) -> None:
        super().__init__(config, data)
        self.corpus = Corpus(data)
        self.train, self.valid = self.corpus.halves(config.held_out)
        self.net = PlanNet(config, len(self.corpus.vocabulary))
        self._joints = [self.corpus.vocabulary.numbers(words(text)) for text in JOINTS]
        self.recovered: list[Example] = []
        self._ends: list[tuple[int, int]] = []
        self._collected = -1
        self.watched = "goals" if config.stage in PLANNING else "cards"

    @property
    def count(self) -> int:
        """Instructions, and recoveries of this epoch."""
        return len(self.train) + len(self.recovered)

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """The words."""
        return {"words": self.corpus.vocabulary.names}

    def begin(self, epoch: int) -> None:
        """Collect the epoch's recoveries, unless they have been."""
        if self.config.aggregation and epoch > self._collected:
            self.net.eval()
            self._take_up(list(self._elsewhere(epoch)))
            self._collected = epoch

    def loss(self, examples: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """Of the stage."""
        batch = self.batch([self._example(int(number)) for number in examples])
        if self.config.stage == "cards":
            goal = _binary(self.net.grounded(batch.world)[2], batch.plan[:, 1], batch.world.cards)
            return goal, {}
        if self.config.stage == "actions":
            return self._acting(self.net.used(batch.plan), batch)
        found = self.net.plan(batch.world)
        loss, numbers = self._planning(found, batch)
        if self.config.stage == "plan":
            return loss, numbers
        acting, more = self._acting(self.net.probabilities(found.plan, batch.world), batch)
        return loss + acting, {**numbers, **more}

    def _example(self, number: int) -> Example:
        """An instruction, perhaps with those after it, or a recovery."""
        if number >= len(self.train):
            return self.recovered[number - len(self.train)]
        place = self.train[number]
        found = self.corpus[place]
        while place < self.train[-1] and np.random.random() < self.config.joined:
            place += 1
            longer = joined(found, self.corpus[place], self._joints[np.random.randint(len(self._joints))])
            if longer is None:
                break
            found = longer
        return found

    def validate(self) -> Mapping[str, float]:
        """Shares of instructions whose cards are predicted, and that are followed to the same cards."""
        goals, cards, places, right = [], [], [], []
        for start in range(0, min(VALIDATED, len(self.valid)), PORTION):
            chosen = [self.corpus[number] for number in self.valid[start : start + PORTION]]
            batch = self.batch(chosen)
            if self.config.stage != "actions":
                predicted = (self._meant(batch) > 0) & batch.world.cards
                goals += (predicted == (batch.plan[:, 1] > 0)).all(1).tolist()
            if self.config.stage in PLANNING:
                continue
            gold = batch.plan if self.config.stage == "actions" else None
            for walker in follow(self.net, chosen, gold):
                cards.append(walker.changed == set(walker.example.changed))
                places.append(cards[-1] and walker.pose // 6 == walker.example.end // 6)
                right.append(walker.actions == walker.example.actions)
        found = {"goals": goals, "cards": cards, "places": places, "actions": right}
        return {name: float(np.mean(each)) for name, each in found.items() if each}

    def _meant(self, batch: Batch) -> Tensor:
        """Scores of cards to be taken."""
        if self.config.stage == "cards":
            return self.net.grounded(batch.world)[2]
        return self.net.plan(batch.world).plan[:, 1]

    def state(self) -> Mapping[str, Tensor]:
        """From which instructions, begun where, the recoveries of the epoch are made."""
        ends = torch.tensor(self._ends, dtype=torch.int64).reshape(-1, 2)
        return {"ends": ends, "collected": torch.tensor([self._collected])}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Make them again."""
        self._collected = int(state["collected"])
        self._take_up([(number, pose) for number, pose in state["ends"].tolist()])

    def _take_up(self, ends: list[tuple[int, int]]) -> None:
        made = [(end, recovery(self.corpus[end[0]], end[1])) for end in ends]
        kept = [(end, found) for end, found in made if found is not None][: len(self.train)]
        self._ends = [end for end, _ in kept]
        self.recovered = [found for _, found in kept]

    def batch(self, examples: Sequence[Example]) -> Batch:
        """Examples side by side."""
        return moved_to(batch_of(examples, self.config.reach), next(self.net.parameters()).device)

    def _planning(self, found: Predicted, batch: Batch) -> tuple[Tensor, Mapping[str, float]]:
        """The losses of the four distributions, of the early one and of the discriminator."""
        config, world = self.config, batch.world
        walk = functional.log_softmax(found.plan[:, 0].masked_fill(~world.there, -1e9), -1)
        loss = -(batch.plan[:, 0] * walk).sum(1).mean()
        goal, avoid = (
            _binary(found.plan[:, number], batch.plan[:, number], world.cards) for number in (1, 2)
        )
        numbers = {"walk loss": loss.item(), "goal loss": goal.item()}
        loss = loss + config.goal_weight * goal + config.avoid_weight * avoid
        loss = loss + config.nopass_weight * _binary(found.plan[:, 3], batch.plan[:, 3], world.there)
        if config.early_goal:
            loss = loss + config.early_weight * _binary(found.early, batch.plan[:, 1], world.cards)
        if config.discriminator:
            wanted = batch.implicit.expand_as(found.implicit)
            implicit = functional.binary_cross_entropy_with_logits(found.implicit, wanted)
            loss = loss + config.implicit_weight * implicit
        return loss, numbers

    def _acting(self, plan: Tensor, batch: Batch) -> tuple[Tensor, Mapping[str, float]]:
        scores, _ = self.net.actor(plan, batch.crops, batch.before)
        kept = batch.actions >= 0
        loss = functional.cross_entropy(scores[kept], batch.actions[kept])
        accuracy = (scores[kept].argmax(-1) == batch.actions[kept]).float().mean()
        return loss, {"accuracy": accuracy.item()}

    def _elsewhere(self, epoch: int) -> Iterator[tuple[int, int]]:
        """Instructions after those that ended elsewhere, and where that was, in the epoch's own order."""
        order = np.random.default_rng((self.config.seed, epoch, 1)).permutation(len(self.train) - 1)
        for start in range(0, len(order), PORTION):
            numbers = [self.train[number] for number in order[start : start + PORTION]]
            pairs = [each for each in numbers if self.corpus.game(each) == self.corpus.game(each + 1)]
            if not pairs:
                continue
            walkers = follow(self.net, [self.corpus[number] for number in pairs])
            for number, walker in zip(pairs, walkers, strict=True):
                if ended_elsewhere(walker, self.corpus[number + 1]):
                    yield number + 1, walker.pose


def _binary(scores: Tensor, wanted: Tensor, where: Tensor) -> Tensor:
    """The mean over those cells that count, of each example, and over examples."""
    each = functional.binary_cross_entropy_with_logits(scores, wanted, reduction="none") * where
    return (each.sum(1) / where.sum(1).clamp(min=1)).mean()
