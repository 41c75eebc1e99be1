"""What is read before a command, what came of it, and the transitions that are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from housemates.benchmarks.handmethat.world.commands import FREE
from housemates.core.percepts import Percept
from housemates.models.handmethat_seq2seq.data import tokens
from housemates.models.vocabulary import Vocabulary

Numbers = NDArray[np.int16]
TEXTS = 3
"""Observation, surroundings, and inventory with the story."""


class Situation(NamedTuple):
    """What is read before a command."""

    texts: tuple[Numbers, ...]
    commands: tuple[Numbers, ...]
    """All valid ones; none if the game is over."""


class Transition(NamedTuple):
    """A command, what came of it and what it paid."""

    texts: tuple[Numbers, ...]
    command: Numbers
    reward: float
    after: Situation


@dataclass(frozen=True)
class Coder:
    """Texts as numbers."""

    words: Vocabulary
    longest: int

    def text(self, text: str) -> Numbers:
        """The numbers of a text's tokens, the last ones of a long one."""
        return np.asarray(self.words.numbers(tokens(text)[-self.longest :]) or [0], np.int16)

    def situation(self, observation: str, look: str, inventory: str, commands: Sequence[str]) -> Situation:
        """What is read, as numbers."""
        texts = (self.text(observation), self.text(look), self.text(inventory))
        return Situation(texts, tuple(map(self.text, commands)))


def valid_commands(percept: Percept) -> tuple[str, ...]:
    """The commands that would work now and are no mere looking."""
    return tuple(percept.offers[0].arguments[0].choices[len(FREE) :])


class Replay:
    """The newest transitions; those that were paid for can be drawn apart."""

    def __init__(self, most: int) -> None:
        self.kept: list[Transition] = []
        self._most = most

    def add(self, transitions: Sequence[Transition]) -> None:
        """Keep these, and as many of the older ones as there is room for."""
        self.kept = (self.kept + list(transitions))[-self._most :]

    def draw(self, count: int, rewarded: float) -> list[Transition]:
        """Some of them, a share of which was paid for, drawn with numpy's randomness."""
        paid = [each for each in self.kept if each.reward > 0]
        share = int(count * rewarded) if paid else 0
        chosen = [paid[number] for number in np.random.randint(0, max(1, len(paid)), share)]
        numbers = np.random.randint(0, len(self.kept), count - share)
        return chosen + [self.kept[number] for number in numbers]

    def tensors(self) -> dict[str, Tensor]:
        """All of them as tensors: rewards, how many texts each has, their sizes, and all numbers."""
        rows = [[*each.texts, each.command, *each.after.texts, *each.after.commands] for each in self.kept]
        flat = [numbers for row in rows for numbers in row]
        return {
            "rewards": torch.tensor([each.reward for each in self.kept], dtype=torch.float64),
            "counts": torch.tensor([len(row) for row in rows], dtype=torch.int64),
            "sizes": torch.tensor([len(numbers) for numbers in flat], dtype=torch.int64),
            "numbers": torch.from_numpy(np.concatenate(flat)) if flat else torch.zeros(0, dtype=torch.int16),
        }

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Take up what `tensors` gave."""
        ends = np.cumsum(tensors["sizes"].numpy())
        parts = iter(np.split(tensors["numbers"].numpy(), ends[:-1]) if len(ends) else [])
        self.kept = []
        for reward, count in zip(tensors["rewards"].tolist(), tensors["counts"].tolist(), strict=True):
            row = [next(parts) for _ in range(count)]
            after = Situation(tuple(row[TEXTS + 1 : 2 * TEXTS + 1]), tuple(row[2 * TEXTS + 1 :]))
            self.kept.append(Transition(tuple(row[:TEXTS]), row[TEXTS], reward, after))
