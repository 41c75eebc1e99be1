"""CerealBar's Seq2Seq with attention: what can be chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import msgspec

from housemates.core.options import AtLeastOne
from housemates.models.schedule import Schedule


@dataclass(frozen=True)
class Seq2SeqConfig(Schedule):
    """A schedule with the model's own fields."""

    words: AtLeastOne = 64
    """Size of a word's embedding, and of all states."""
    properties: Annotated[int, msgspec.Meta(ge=16)] = 32
    """Size of the embedding of a hex; each of four convolutions halves it."""
    reach: AtLeastOne = 16
    """Hexes that are seen around the follower, to each side."""
    held_out: Annotated[float, msgspec.Meta(ge=0.001, le=0.5)] = 0.05
    """Share of the training games that are kept for validation."""


CONFIGS = {
    "paper": Seq2SeqConfig(epochs=25, batch=16, rate=0.001, patience=25, reach=35),
    "cpu": Seq2SeqConfig(epochs=6, batch=32, rate=0.002, decay="cosine", warmup=100, patience=4),
}
