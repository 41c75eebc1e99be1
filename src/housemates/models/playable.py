"""What agents call of a network: the same on torch, and exported."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from housemates.models.checkpoints import load_weights, read_tensors, weights_of
from housemates.models.networks import Arrays, Network


class Part(NamedTuple):
    """Something that a network does for one example: tensors by name in, tensors by name out."""

    run: Callable[..., Mapping[str, Tensor]]
    example: Mapping[str, Tensor]
    """What it can be given, in some size; axes of any length are at least two long."""
    free: Mapping[str, Sequence[int]]
    """Which axes of what it is given can have any length."""


class Playable(nn.Module, ABC):
    """A network that agents can call."""

    @abstractmethod
    def parts(self) -> Mapping[str, Part]:
        """All that agents call, by name."""


class TrainedNetwork(Network):
    """A network on one thread of torch."""

    def __init__(self, net: Playable) -> None:
        torch.set_num_threads(1)
        self._parts = net.parts()

    @torch.no_grad()
    def run(self, part: str, **given: NDArray[Any]) -> Arrays:
        """On torch."""
        found = self._parts[part].run(**{name: torch.from_numpy(each) for name, each in given.items()})
        return {name: each.numpy() for name, each in found.items()}


def with_weights(net: Playable, folder: Path) -> Playable:
    """A network with the weights of a checkpoint, ready to play."""
    path = weights_of(folder)
    return load_weights(net, read_tensors(path), path).eval()
