"""A tiny model of our own, and the template for a new one: is a number of eight bits odd in ones?

As a program it is the command line with this model and no other: `python parity.py train parity ...`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from housemates.cli.main import main
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Percept
from housemates.core.registry import AgentSpec
from housemates.models import registry
from housemates.models.checkpoints import Card, read_config
from housemates.models.learner import Learner
from housemates.models.networks import EntryPoint, Exportable
from housemates.models.schedule import Schedule


@dataclass(frozen=True)
class Config(Schedule):
    """The width of the network, on top of the training schedule."""

    width: int = 16


CONFIGS = {"cpu": Config(epochs=4, batch=32, save_every=3, patience=9), "paper": Config(width=64)}


class Net(nn.Module, Exportable):
    """Eight bits to the logits of even and odd."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, width), nn.Dropout(0.1), nn.ReLU(), nn.Linear(width, 2))

    def forward(self, bits: Tensor) -> Tensor:
        logits: Tensor = self.layers(bits)
        return logits

    def entry_points(self) -> Mapping[str, EntryPoint]:
        """`judge` gives the logits of even and odd for any count of numbers."""
        return {
            "judge": EntryPoint(
                lambda bits: {"logits": self(bits)}, {"bits": torch.zeros(2, 8)}, {"bits": (0,)}
            )
        }


def network(folder: Path, card: Card) -> Net:
    """Build the network of a checkpoint, without its weights."""
    return Net(read_config(folder, card, Config).width)


class Parity(Learner[Config]):
    """Numbers from 0 to 255 and whether they have an odd number of ones; the last 64 are for validation."""

    monitor = "accuracy"

    def __init__(self, config: Config, data: Path) -> None:
        super().__init__(config, data)
        self.net = Net(config.width)
        bits = (np.arange(256)[:, None] >> np.arange(8)) & 1
        self.inputs = torch.tensor(bits, dtype=torch.float32)
        self.answers = torch.tensor(bits.sum(1) % 2)
        self.seen = torch.zeros(1)

    @property
    def count(self) -> int:
        return 192

    def vocabulary(self) -> Mapping[str, list[str]]:
        return {"answers": self.data.read_text().split()}

    def loss(self, examples: np.ndarray) -> tuple[Tensor, Mapping[str, float]]:
        chosen = torch.from_numpy(examples)
        loss = nn.functional.cross_entropy(self.net(self.inputs[chosen]), self.answers[chosen])
        return loss, {}

    def after_step(self, step: int) -> None:
        self.seen += 1
        if step == int(os.environ.get("SIGNAL_AT", "0")):
            os.kill(os.getpid(), int(os.environ["SIGNAL"]))

    def state(self) -> Mapping[str, Tensor]:
        return {"seen": self.seen}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        self.seen = state["seen"]

    def validate(self) -> Mapping[str, float]:
        right = self.net(self.inputs[192:]).argmax(1) == self.answers[192:]
        return {"accuracy": right.float().mean().item()}


class Player(Agent):
    """Takes 1 away."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def act(self, percept: Percept) -> Any:
        return Act("Take", {"number": 1})


class LocalSpec(registry.Spec):
    """A spec whose classes are in this file."""

    def place(self, where: str) -> str:
        return f"{__name__}:{where}"

    def load(self, where: str) -> Any:
        return globals()[where]


def specs(version: int = 1) -> dict[str, registry.Spec]:
    """What the registry finds."""
    return {"parity": LocalSpec("parity", "Odd or even?", version, "CONFIGS", "Parity", "network")}


PLAYER = AgentSpec("parity", f"{__name__}:Player", ("counting",), ("counter",), model="parity", shipped=False)
"""The agent that plays with it."""


if __name__ == "__main__":
    registry.specs = specs  # type: ignore[assignment]
    main()
