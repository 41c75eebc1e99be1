"""The configs of the reader's slot-filling network."""

from __future__ import annotations

from dataclasses import dataclass

from housemates.core.options import AtLeastOne
from housemates.models.schedule import Schedule, Share


@dataclass(frozen=True)
class Config(Schedule):
    """Sizes of the network and data augmentation, on top of the training schedule."""

    width: AtLeastOne = 96
    """Size of word embeddings."""
    hidden: AtLeastOne = 128
    """Channels of the convolutions."""
    reach: AtLeastOne = 5
    """Kernel size of the convolutions, in words."""
    dropout: Share = 0.3
    forgotten: Share = 0.08
    """Word dropout: share of words replaced by unknown."""
    goal_only: Share = 0.3
    """Share of ALFRED's examples without their instructions."""
    shortened: Share = 0.2
    """Share of dialogues that are cut off in their second half."""
    dialogues: AtLeastOne = 4
    """Times that each dialogue is learnt per epoch; a directive is learnt once."""
    rare: AtLeastOne = 3
    """Minimum count of a word to be in the vocabulary."""


CONFIGS = {
    "cpu": Config(
        epochs=9, batch=64, rate=2e-3, warmup=400, decay="linear", weight_decay=0.01, patience=9,
        save_every=400,
    ),
    "paper": Config(
        epochs=14, batch=64, rate=2e-3, warmup=400, decay="linear", weight_decay=0.01, patience=14,
        width=160, hidden=192,
    ),
}  # fmt: skip
"""`cpu` made the shipped weights; `paper` is larger and no better."""
