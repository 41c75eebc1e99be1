"""The configs of CerealBar's Seq2Seq with attention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import msgspec

from housemates.core.options import AtLeastOne
from housemates.models.schedule import Schedule


@dataclass(frozen=True)
class Seq2SeqConfig(Schedule):
    """Sizes of the network and the held-out share, on top of the training schedule."""

    words: AtLeastOne = 64
    """Size of word embeddings and LSTM states."""
    properties: Annotated[int, msgspec.Meta(ge=16)] = 32
    """Size of a hex's embedding; each of four convolutions halves it."""
    reach: AtLeastOne = 16
    """Radius of the egocentric window of the map, in hexes."""
    held_out: Annotated[float, msgspec.Meta(ge=0.001, le=0.5)] = 0.05
    """Share of the training games that is held out for validation."""


CONFIGS = {
    "paper": Seq2SeqConfig(epochs=25, batch=16, rate=0.001, patience=25, reach=35),
    "cpu": Seq2SeqConfig(epochs=6, batch=32, rate=0.002, decay="cosine", warmup=100, patience=4),
}
