"""States, transitions and the replay buffer of the DRRN."""

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
"""Texts of a state: the last observation, the location (`examine`), the inventory with the story."""


class State(NamedTuple):
    """The texts before a command and the commands that are valid, as token indices."""

    texts: tuple[Numbers, ...]
    commands: tuple[Numbers, ...]
    """Empty if the game is over."""


class Transition(NamedTuple):
    """A command in a state, its reward, and the next state."""

    texts: tuple[Numbers, ...]
    command: Numbers
    reward: float
    next: State


@dataclass(frozen=True)
class TextEncoder:
    """Turns texts into token indices."""

    words: Vocabulary
    longest: int

    def text(self, text: str) -> Numbers:
        """The indices of the last `longest` tokens of a text; at least one."""
        return np.asarray(self.words.numbers(tokens(text)[-self.longest :]) or [0], np.int16)

    def state(self, observation: str, look: str, inventory: str, commands: Sequence[str]) -> State:
        """A state of its texts and valid commands."""
        texts = (self.text(observation), self.text(look), self.text(inventory))
        return State(texts, tuple(map(self.text, commands)))


def valid_commands(percept: Percept) -> tuple[str, ...]:
    """The valid commands without those that only look and cost nothing."""
    return tuple(percept.offers[0].arguments[0].choices[len(FREE) :])


class ReplayBuffer:
    """The newest transitions; batches oversample those with a positive reward."""

    def __init__(self, capacity: int) -> None:
        self.transitions: list[Transition] = []
        self._capacity = capacity

    def add(self, transitions: Sequence[Transition]) -> None:
        """Add transitions; the oldest beyond the capacity are dropped."""
        self.transitions = (self.transitions + list(transitions))[-self._capacity :]

    def sample(self, count: int, rewarded: float) -> list[Transition]:
        """Sample with replacement by numpy's global seed, a share of positive rewards first, then any."""
        paid = [each for each in self.transitions if each.reward > 0]
        share = int(count * rewarded) if paid else 0
        chosen = [paid[number] for number in np.random.randint(0, max(1, len(paid)), share)]
        numbers = np.random.randint(0, len(self.transitions), count - share)
        return chosen + [self.transitions[number] for number in numbers]

    def tensors(self) -> dict[str, Tensor]:
        """The buffer as tensors: rewards, texts per transition, lengths of texts, and all indices in turn."""
        rows = [
            [*each.texts, each.command, *each.next.texts, *each.next.commands] for each in self.transitions
        ]
        flat = [numbers for row in rows for numbers in row]
        return {
            "rewards": torch.tensor([each.reward for each in self.transitions], dtype=torch.float64),
            "counts": torch.tensor([len(row) for row in rows], dtype=torch.int64),
            "sizes": torch.tensor([len(numbers) for numbers in flat], dtype=torch.int64),
            "numbers": torch.from_numpy(np.concatenate(flat)) if flat else torch.zeros(0, dtype=torch.int16),
        }

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Take up what `tensors` returned."""
        ends = np.cumsum(tensors["sizes"].numpy())
        parts = iter(np.split(tensors["numbers"].numpy(), ends[:-1]) if len(ends) else [])
        self.transitions = []
        for reward, count in zip(tensors["rewards"].tolist(), tensors["counts"].tolist(), strict=True):
            row = [next(parts) for _ in range(count)]
            after = State(tuple(row[TEXTS + 1 : 2 * TEXTS + 1]), tuple(row[2 * TEXTS + 1 :]))
            self.transitions.append(Transition(tuple(row[:TEXTS]), row[TEXTS], reward, after))
