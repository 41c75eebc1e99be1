"""The configs of TEACh's Commander."""

from __future__ import annotations

from dataclasses import dataclass

from housemates.core.options import AtLeastOne, NotNegative
from housemates.models.schedule import Schedule, Share


@dataclass(frozen=True)
class SpeakerConfig(Schedule):
    """The repertoire, sizes and data, on top of the training schedule."""

    least: AtLeastOne = 2
    """Minimum count of a line to be in the repertoire."""
    words: AtLeastOne = 64
    """Size of word embeddings."""
    hidden: AtLeastOne = 128
    """Size of the hidden layer."""
    dropout: Share = 0.2
    limit: NotNegative = 0
    """Games to learn from at most; 0 takes all."""
    store: str = ""
    """Store with the floor plans of recorded games; the user's own if empty."""


CONFIGS = {
    "paper": SpeakerConfig(epochs=20, batch=64, rate=1e-3, patience=5, words=128, hidden=256),
    "cpu": SpeakerConfig(epochs=12, batch=64, rate=3e-3, decay="cosine", patience=4, limit=600),
}
