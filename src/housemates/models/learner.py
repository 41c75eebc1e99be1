"""The interface between a model and the training loop: a network, examples, a loss and a validation."""

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
    """A model in training; the loop seeds torch and numpy globally before each step.

    `__init__` takes the config and the folder or file of data, reads what is small and makes the network.
    """

    net: nn.Module
    monitor: str
    """The metric of `validate` by which the best weights are chosen: the higher, the better."""

    vocabulary_rows: Mapping[str, Sequence[str]] = MappingProxyType({})
    """Vocabulary -> parameters with a row per name, which a warm start remaps to another vocabulary."""

    def __init__(self, config: Config, data: Path) -> None:
        self.config = config
        self.data = data

    @property
    @abstractmethod
    def count(self) -> int:
        """Examples in the current epoch."""

    @abstractmethod
    def loss(self, examples: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """The mean loss of examples given by their indices, and metrics to log."""

    @abstractmethod
    def validate(self) -> Mapping[str, float]:
        """Metrics of the validation split; called in evaluation mode without gradients."""

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """Name of a vocabulary -> its names in the order of their indices."""
        return {}

    def begin_epoch(self, epoch: int) -> None:
        """Prepare an epoch's examples, counted from 0; called again when a training resumes within it."""

    def lengths(self) -> NDArray[np.int64] | None:
        """The length of each example if batches should hold examples of similar length, else None."""
        return None

    def after_step(self, step: int) -> None:
        """Called after each optimiser step with the number of steps so far."""

    def state(self) -> Mapping[str, Tensor]:
        """Tensors besides the network's that a resumed training needs, such as a replay buffer."""
        return {}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Take up what `state` returned."""

    def carried(self) -> Mapping[str, Path]:
        """Name -> file that the network depends on, such as the image encoder; copied into the checkpoint."""
        return {}

    def sources(self) -> Sequence[Path]:
        """Files and folders that it learns from; the checkpoint records their fingerprints."""
        return (self.data,)
