"""HandMeThat's DRRN: what can be chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from housemates.core.options import AtLeastOne
from housemates.models.schedule import Positive, Schedule, Share


@dataclass(frozen=True)
class DrrnConfig(Schedule):
    """A schedule with the model's own fields. An epoch is some games and then some updates."""

    observability: Literal["full", "partial"] = "full"
    """What the robot sees."""
    offline: bool = False
    """Learn from demonstrations instead of games of its own."""
    shaped: bool = False
    """Pay 10 i more for the i-th command of the demonstration, as long as all before it were given."""
    encoder: Literal["recurrent", "bag"] = "recurrent"
    """How texts are read: GRUs as in the paper, or sums of words, which are faster."""
    embedding: AtLeastOne = 128
    width: AtLeastOne = 128
    games: AtLeastOne = 8
    """Of an epoch."""
    updates: AtLeastOne = 64
    """Of an epoch."""
    steps: AtLeastOne = 8
    """Commands of a game."""
    discount: Share = 0.9
    temperature: Positive = 1.0
    """Of the softmax over values that commands are drawn by."""
    replay: AtLeastOne = 500_000
    """Transitions that are kept."""
    rewarded: Share = 0.5
    """Share of a batch that is drawn from transitions that were paid for, if there are some."""
    renewed: AtLeastOne = 100
    """Updates between renewals of the network that future values are taken from."""
    longest: AtLeastOne = 1500
    """Tokens of a text that are read."""


CONFIGS = {
    "paper": DrrnConfig(epochs=1563, batch=64, rate=1e-4, clip=5.0, patience=1563),
    "cpu": DrrnConfig(
        epochs=12,
        batch=32,
        rate=1e-3,
        encoder="bag",
        embedding=48,
        width=48,
        games=40,
        updates=150,
        patience=12,
    ),
}
