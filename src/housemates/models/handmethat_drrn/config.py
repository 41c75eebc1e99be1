"""The configs of HandMeThat's DRRN."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from housemates.core.options import AtLeastOne
from housemates.models.schedule import Positive, Schedule, Share


@dataclass(frozen=True)
class DrrnConfig(Schedule):
    """Q-learning and the sizes of the network, on top of the training schedule.

    An epoch plays `games`, then makes `updates`.
    """

    observability: Literal["full", "partial"] = "full"
    """Whether the robot sees the whole household or only its own location."""
    offline: bool = False
    """Learn from demonstrations instead of its own games."""
    shaped: bool = False
    """Reward shaping: the demonstration's i-th command earns 10 i more while all before it were given."""
    encoder: Literal["recurrent", "bag"] = "recurrent"
    """Text encoder: a GRU as in the paper, or a bag of words, which is faster."""
    embedding: AtLeastOne = 128
    """Size of token embeddings."""
    width: AtLeastOne = 128
    """Size of hidden states."""
    games: AtLeastOne = 8
    """Games per epoch."""
    updates: AtLeastOne = 64
    """Updates per epoch."""
    steps: AtLeastOne = 8
    """Commands per game at most."""
    discount: Share = 0.9
    """Of future rewards."""
    epsilon: Share = 0.0
    """Share of commands that are drawn while it plays to learn, the others being the best ones
    (epsilon-greedy, as in the paper, which gives no number); with 0 commands are drawn by `temperature`."""
    temperature: Positive = 1.0
    """Of the Boltzmann exploration over Q-values, as in the released code."""
    replay: AtLeastOne = 500_000
    """Capacity of the replay buffer, in transitions."""
    rewarded: Share = 0.5
    """Share of a batch that is drawn from transitions with a positive reward, if there are some."""
    renewed: AtLeastOne = 100
    """Updates between copies of the network to the target network."""
    longest: AtLeastOne = 1500
    """Limit on the tokens of a text; the last ones are read."""


CONFIGS = {
    "paper": DrrnConfig(
        epochs=1563, batch=64, rate=1e-4, clip=5.0, patience=1563, epsilon=0.1, steps=40, longest=1500
    ),
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
