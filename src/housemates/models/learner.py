"""What a model's folder gives to the one training loop: a network, examples, a loss and a validation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Generic

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from housemates.models.schedule import Config


class Learner(ABC, Generic[Config]):
    """A model in training. Randomness comes from torch's and numpy's seeds, which the loop sets at each step.

    `__init__` takes the config and the folder or file of data, reads what is small and makes the network.
    """

    net: nn.Module
    watched: str
    """The number of `validate` that decides which weights are best: the higher, the better."""

    rows: Mapping[str, Sequence[str]] = MappingProxyType({})
    """Vocabularies -> the weights that have a row for each of their names: so it can begin with others'."""

    def __init__(self, config: Config, data: Path) -> None:
        self.config = config
        self.data = data

    @property
    @abstractmethod
    def count(self) -> int:
        """How many examples the epoch has that has begun."""

    @abstractmethod
    def loss(self, examples: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """The loss of some examples, averaged over them, and numbers to be shown."""

    @abstractmethod
    def validate(self) -> Mapping[str, float]:
        """Numbers of the validation split; the network is in evaluation mode, without gradients."""

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """The names that its numbers stand for."""
        return {}

    def begin(self, epoch: int) -> None:
        """Get ready for an epoch: examples may change from one to the next."""

    def lengths(self) -> NDArray[np.int64] | None:
        """How long the examples are, where those of a step should be about as long, to be padded little."""
        return None

    def stepped(self, step: int) -> None:
        """After each step of the optimiser: the number of steps so far."""

    def state(self) -> Mapping[str, Tensor]:
        """What it has besides the network that has to be kept for going on."""
        return {}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Go on from what `state` gave."""

    def carried(self) -> Mapping[str, Path]:
        """Files without which its network is nothing; the checkpoint carries copies of these names."""
        return {}

    def sources(self) -> Sequence[Path]:
        """Files and folders that decide what is learnt; the checkpoint keeps their fingerprints."""
        return (self.data,)
