"""Trains plans, actions, or both jointly, with example aggregation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from housemates.benchmarks.cerealbar.world.hexmap import STANDARD
from housemates.models.cerealbar_plan.aggregation import ended_elsewhere, recovery
from housemates.models.cerealbar_plan.config import PlanConfig
from housemates.models.cerealbar_plan.data import Corpus, Example
from housemates.models.cerealbar_plan.joined_instructions import JOINTS, joined
from housemates.models.cerealbar_plan.model import Batch, PlanLogits, PlanNet, collate, moved_to
from housemates.models.cerealbar_plan.rollout import follow
from housemates.models.learner import Learner
from housemates.models.vocabulary import words

VALIDATION_EXAMPLES = 300
BATCH = 64
"""Examples that are rolled out at once."""
PLANNING = ("cards", "plan")
"""Stages without the action generator."""


class PlanLearner(Learner[PlanConfig]):
    """Learns from the instructions of recorded games, some of which are held out for validation.

    It monitors the share of instructions whose goal cards are predicted, or, with actions, whose cards are
    taken.
    """

    net: PlanNet

    def __init__(self, config: PlanConfig, data: Path) -> None:
        super().__init__(config, data)
        self.corpus = Corpus(data)
        self.train, self.valid = self.corpus.split(config.held_out)
        self.net = PlanNet(config, len(self.corpus.vocabulary))
        self._joints = [self.corpus.vocabulary.numbers(words(text)) for text in JOINTS]
        self.recovered: list[Example] = []
        self._ends: list[tuple[int, int]] = []
        self._collected = -1
        self.monitor = "goals" if config.stage in PLANNING else "cards"

    @property
    def count(self) -> int:
        """Instructions, and this epoch's recoveries."""
        return len(self.train) + len(self.recovered)

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """The words that occur at least twice in the training games."""
        return {"words": self.corpus.vocabulary.names}

    def begin_epoch(self, epoch: int) -> None:
        """Collect the epoch's recoveries, once."""
        if self.config.aggregation and epoch > self._collected:
            self.net.eval()
            self._set_recoveries(list(self._misplaced(epoch)))
            self._collected = epoch

    def loss(self, examples: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """The loss of the stage: early goal, plan, actions, or plan plus actions."""
        batch = self.batch([self._example(int(number)) for number in examples])
        if self.config.stage == "cards":
            early = self.net.ground(batch.world).early_goal
            goal = self._card_loss(early, batch.plan[:, 1], batch.world.cards)
            return goal, {}
        if self.config.stage == "actions":
            return self._action_loss(self.net.ablated(batch.plan), batch)
        found = self.net.plan(batch.world)
        loss, metrics = self._plan_loss(found, batch)
        if self.config.stage == "plan":
            return loss, metrics
        plan = self.net.probabilities(found.distributions, batch.world)
        actions, accuracy = self._action_loss(plan, batch)
        return loss + actions, {**metrics, **accuracy}

    def _example(self, number: int) -> Example:
        """An instruction, perhaps joined with those after it, or a recovery."""
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
        """Shares of instructions with the right goal cards predicted, cards taken, final hex, and actions."""
        goals, cards, places, right = [], [], [], []
        for start in range(0, min(VALIDATION_EXAMPLES, len(self.valid)), BATCH):
            chosen = [self.corpus[number] for number in self.valid[start : start + BATCH]]
            batch = self.batch(chosen)
            if self.config.stage != "actions":
                predicted = (self._goal_logits(batch) > 0) & batch.world.cards
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

    def _goal_logits(self, batch: Batch) -> Tensor:
        if self.config.stage == "cards":
            return self.net.ground(batch.world).early_goal
        return self.net.plan(batch.world).distributions[:, 1]

    def state(self) -> Mapping[str, Tensor]:
        """The instructions and first poses of the epoch's recoveries."""
        ends = torch.tensor(self._ends, dtype=torch.int64).reshape(-1, 2)
        return {"ends": ends, "collected": torch.tensor([self._collected])}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Make the recoveries of `state` again."""
        self._collected = int(state["collected"])
        self._set_recoveries([(number, pose) for number, pose in state["ends"].tolist()])

    def _set_recoveries(self, ends: list[tuple[int, int]]) -> None:
        made = [(end, recovery(self.corpus[end[0]], end[1])) for end in ends]
        kept = [(end, found) for end, found in made if found is not None][: len(self.train)]
        self._ends = [end for end, _ in kept]
        self.recovered = [found for _, found in kept]

    def batch(self, examples: Sequence[Example]) -> Batch:
        """Examples as a batch on the network's device."""
        return moved_to(collate(examples, self.config.reach), next(self.net.parameters()).device)

    def _plan_loss(self, found: PlanLogits, batch: Batch) -> tuple[Tensor, Mapping[str, float]]:
        """Cross-entropy of the trajectory, binary ones of the other three, and the two auxiliary losses."""
        config, world = self.config, batch.world
        distributions = found.distributions
        walk = functional.log_softmax(distributions[:, 0].masked_fill(~world.on_map, -1e9), -1)
        loss = -(batch.plan[:, 0] * walk).sum(1).mean()
        goal, avoid = (
            self._card_loss(distributions[:, number], batch.plan[:, number], world.cards) for number in (1, 2)
        )
        metrics = {"walk loss": loss.item(), "goal loss": goal.item()}
        loss = loss + config.goal_weight * goal + config.avoid_weight * avoid
        no_pass = _masked_bce(distributions[:, 3], batch.plan[:, 3], world.on_map)
        loss = loss + config.nopass_weight * no_pass
        if config.early_goal:
            early = self._card_loss(found.early_goal, batch.plan[:, 1], world.cards)
            loss = loss + config.early_weight * early
        if config.discriminator:
            target = batch.implicit.expand_as(found.implicit)
            implicit = functional.binary_cross_entropy_with_logits(found.implicit, target)
            loss = loss + config.implicit_weight * implicit
        return loss, metrics

    def _card_loss(self, logits: Tensor, target: Tensor, cards: Tensor) -> Tensor:
        """Binary cross-entropy of cards: their mean, or as the paper has it their sum over all hexes."""
        return _masked_bce(logits, target, cards, STANDARD.width * STANDARD.height * self.config.over_map)

    def _action_loss(self, plan: Tensor, batch: Batch) -> tuple[Tensor, Mapping[str, float]]:
        """Cross-entropy of the recorded actions, given a plan."""
        logits, _ = self.net.action_generator(plan, batch.crops, batch.previous_actions)
        present = batch.actions >= 0
        loss = functional.cross_entropy(logits[present], batch.actions[present])
        accuracy = (logits[present].argmax(-1) == batch.actions[present]).float().mean()
        return loss, {"accuracy": accuracy.item()}

    def _misplaced(self, epoch: int) -> Iterator[tuple[int, int]]:
        """Instructions before which the follower ends at another pose, and that pose, in random order."""
        order = np.random.default_rng((self.config.seed, epoch, 1)).permutation(len(self.train) - 1)
        for start in range(0, len(order), BATCH):
            numbers = [self.train[number] for number in order[start : start + BATCH]]
            pairs = [each for each in numbers if self.corpus.game(each) == self.corpus.game(each + 1)]
            if not pairs:
                continue
            walkers = follow(self.net, [self.corpus[number] for number in pairs])
            for number, walker in zip(pairs, walkers, strict=True):
                if ended_elsewhere(walker, self.corpus[number + 1]):
                    yield number + 1, walker.pose


def _masked_bce(logits: Tensor, target: Tensor, where: Tensor, parts: int = 0) -> Tensor:
    """Binary cross-entropy averaged over each example's cells in `where`, or so many, then over examples."""
    each = functional.binary_cross_entropy_with_logits(logits, target, reduction="none") * where
    return (each.sum(1) / (parts or where.sum(1).clamp(min=1))).mean()
