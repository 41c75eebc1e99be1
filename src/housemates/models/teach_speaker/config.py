"""TEACh's Commander: what can be chosen."""

from __future__ import annotations

from dataclasses import dataclass

from housemates.core.options import AtLeastOne, NotNegative
from housemates.models.schedule import Schedule, Share


@dataclass(frozen=True)
class SpeakerConfig(Schedule):
    """A schedule with the model's own fields."""

    least: AtLeastOne = 2
    """How often a line has to be said for it to be learnt."""
    words: AtLeastOne = 64
    """Size of a word's embedding."""
    hidden: AtLeastOne = 128
    dropout: Share = 0.2
    limit: NotNegative = 0
    """Games that are taken; 0 is all."""
    store: str = ""
    """The store with the floor plans of recorded games; the user's own if empty."""


CONFIGS = {
    "paper": SpeakerConfig(epochs=20, batch=64, rate=1e-3, patience=5, words=128, hidden=256),
    "cpu": SpeakerConfig(epochs=12, batch=64, rate=3e-3, decay="cosine", patience=4, limit=600),
}
