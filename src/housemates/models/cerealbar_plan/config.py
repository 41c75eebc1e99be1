"""CerealBar's follower: what can be chosen; every row of the paper's Table 1 is a field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec

from housemates.core.options import AtLeastOne, NotNegative
from housemates.models.schedule import Schedule

Weight = Annotated[float, msgspec.Meta(ge=0)]


@dataclass(frozen=True)
class PlanConfig(Schedule):
    """A schedule with the model's own fields."""

    stage: Literal["cards", "plan", "actions", "together"] = "plan"
    """What is learnt: which cards are meant, before LingUNet, at a third of the cost; plans; actions from
    recorded plans; or plans and actions one after the other."""
    trajectory: bool = True
    """Whether the distribution of where to walk reaches the action generator; so for the next three."""
    goal: bool = True
    avoid: bool = True
    nopass: bool = True
    recurrence: bool = True
    """Whether the action generator remembers."""
    early_goal: bool = True
    """Whether cards to be taken are also predicted before LingUNet."""
    aggregation: bool = False
    """Learn from recoveries too: instructions begun where the follower itself ended the one before."""
    discriminator: bool = False
    """Whether LingUNet's layers also tell recoveries apart from what is said."""
    instructions: bool = True
    """Whether it reads what is said."""
    reach: AtLeastOne = 16
    """Hexes that are seen around the follower, to each side."""
    depth: Annotated[int, msgspec.Meta(ge=2, le=6)] = 4
    """Levels of LingUNet."""
    shortcut: bool = False
    """Whether each hex also has a say in its own scores, beside LingUNet: cards are told apart far sooner."""
    channels: AtLeastOne = 24
    """Of its convolutions."""
    text_channels: AtLeastOne = 12
    """Of what the instruction's kernels make of them."""
    words: AtLeastOne = 64
    """Size of a word's embedding, and of the instruction's."""
    pooled: bool = False
    """Whether all states of the instruction's reader count, not the last alone: it is learnt faster."""
    properties: AtLeastOne = 32
    """Size of the embedding of a hex."""
    grounded: AtLeastOne = 4
    """Channels that the instruction makes of the hexes at first."""
    votes: NotNegative = 0
    """Channels in which every word, read with those around it, speaks for hexes, and the strongest counts: so
    an instruction can name several cards."""
    joined: Annotated[float, msgspec.Meta(ge=0, le=0.9)] = 0.0
    """How often an instruction is learnt together with the next one, as if both had been said at once."""
    hidden: AtLeastOne = 128
    """Size of the action generator's state."""
    goal_weight: Weight = 1.0
    avoid_weight: Weight = 0.1
    nopass_weight: Weight = 0.1
    early_weight: Weight = 1.0
    implicit_weight: Weight = 0.7
    held_out: Annotated[float, msgspec.Meta(ge=0.001, le=0.5)] = 0.05
    """Share of the training games that are kept for validation."""


CONFIGS = {
    "paper": PlanConfig(
        epochs=100,
        batch=16,
        rate=0.0075,
        weight_decay=1e-6,
        patience=10,
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
