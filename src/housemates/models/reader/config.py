"""What can be chosen."""

from __future__ import annotations

from dataclasses import dataclass

from housemates.core.options import AtLeastOne
from housemates.models.schedule import Schedule, Share


@dataclass(frozen=True)
class Config(Schedule):
    """The size of the network, and how its examples are made harder."""

    width: AtLeastOne = 96
    """Numbers for each word."""
    hidden: AtLeastOne = 128
    """Numbers for each word with its neighbours."""
    reach: AtLeastOne = 5
    """How many words are taken in at once."""
    dropout: Share = 0.3
    forgotten: Share = 0.08
    """Words that are not shown."""
    goal_only: Share = 0.3
    """Examples of ALFRED that are shown without their instructions."""
    shortened: Share = 0.2
    """Dialogues that are shown without their end."""
    dialogues: AtLeastOne = 4
    """How often each dialogue is shown for each directive that is shown once."""
    rare: AtLeastOne = 3
    """Words that are said less often are not learnt."""


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
"""`cpu` is what the package comes with; `paper`, a larger one, is not better."""
