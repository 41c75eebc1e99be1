"""The configs of CerealBar's follower; every row of the paper's Table 1 is a field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec

from housemates.core.options import AtLeastOne, NotNegative
from housemates.models.schedule import Schedule

Weight = Annotated[float, msgspec.Meta(ge=0)]


@dataclass(frozen=True)
class PlanConfig(Schedule):
    """Stage, ablations, sizes and loss weights, on top of the training schedule."""

    stage: Literal["cards", "plan", "actions", "together"] = "plan"
    """What is trained: the early goal prediction alone, at a third of the cost; plans; actions given gold
    plans; or plans and actions jointly."""
    trajectory: bool = True
    """Whether the action generator gets the trajectory distribution; so for the next three."""
    goal: bool = True
    avoid: bool = True
    nopass: bool = True
    recurrence: bool = True
    """Whether the action generator is an LSTM; else a linear layer."""
    early_goal: bool = True
    """Auxiliary loss: goal cards are also predicted before LingUNet."""
    aggregation: bool = False
    """Add recoveries each epoch: instructions begun where the follower itself ended the one before."""
    discriminator: bool = False
    """Auxiliary loss: each level of LingUNet predicts whether an example is an implicit recovery."""
    instructions: bool = True
    """Whether it reads the instruction."""
    reach: AtLeastOne = 16
    """Radius of the egocentric window of the map, in hexes."""
    depth: Annotated[int, msgspec.Meta(ge=2, le=6)] = 4
    """Levels of LingUNet, each halving the window."""
    shortcut: bool = False
    """Add a 1x1 convolution of the input to LingUNet's output: cards are told apart far sooner."""
    channels: AtLeastOne = 24
    """Of LingUNet's convolutions."""
    text_channels: AtLeastOne = 12
    """Outputs of the kernels that LingUNet makes of the instruction at each level."""
    words: AtLeastOne = 64
    """Size of word embeddings and of the instruction's vector."""
    bidirectional: bool = False
    """Whether the instruction is read in both directions, as in the paper, each with half of the size."""
    pooled: bool = False
    """Sum the LSTM's states, divided by sqrt(words), instead of taking the last one: learns faster."""
    properties: AtLeastOne = 32
    """Size of a hex's embedding."""
    grounded: AtLeastOne = 4
    """Outputs of the 1x1 kernels that the instruction applies to hex embeddings before LingUNet."""
    votes: NotNegative = 0
    """Outputs of 1x1 kernels made of each word in context, max-pooled over words, so that an instruction can
    name several cards; 0 leaves them out."""
    joined: Annotated[float, msgspec.Meta(ge=0, le=0.9)] = 0.0
    """Probability of appending the next instruction to an example, as if both had been said at once."""
    hidden: AtLeastOne = 128
    """Size of the action generator's state."""
    over_map: bool = False
    """Whether losses of cards are sums divided by the hexes of the map, as the paper has them; else means
    over cards, which count some thirty times as much."""
    goal_weight: Weight = 1.0
    """Of a loss beside that of the trajectory; so for the next four."""
    avoid_weight: Weight = 0.1
    nopass_weight: Weight = 0.1
    early_weight: Weight = 1.0
    implicit_weight: Weight = 0.7
    held_out: Annotated[float, msgspec.Meta(ge=0.001, le=0.5)] = 0.05
    """Share of the training games that is held out for validation."""


CONFIGS = {
    "paper": PlanConfig(
        epochs=100,
        batch=16,
        rate=0.0075,
        weight_decay=1e-6,
        patience=10,
        bidirectional=True,
        over_map=True,
        reach=35,
        channels=48,
        text_channels=24,
    ),
    "cpu": PlanConfig(
        epochs=6,
        batch=32,
        rate=0.005,
        decay="cosine",
        warmup=30,
        patience=4,
        pooled=True,
        shortcut=True,
        votes=4,
        joined=0.5,
    ),
}
