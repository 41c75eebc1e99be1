"""HandMeThat's Seq2Seq: what can be chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from housemates.core.options import AtLeastOne
from housemates.models.schedule import Schedule, Share


@dataclass(frozen=True)
class Seq2SeqConfig(Schedule):
    """A schedule with the model's own fields."""

    observability: Literal["full", "partial"] = "full"
    """What the robot sees."""
    told: Literal["nothing", "goal", "subgoal"] = "nothing"
    """What it is told besides: the human's goal, or the part of it that she is at, as formulas."""
    encoder: Literal["blocks", "phrases"] = "phrases"
    """How texts are read: token by token with convolutions and self-attention, as in the paper, or phrase by
    phrase, each the sum of its words and of where its line and its sentence say that it is: faster."""
    width: AtLeastOne = 64
    """Of all hidden states."""
    embedding: AtLeastOne = 64
    """Of tokens."""
    convolutions: AtLeastOne = 5
    """Layers of a block of the paper's encoder."""
    kernel: AtLeastOne = 5
    """Tokens that a convolution sees."""
    dropout: Share = 0.1
    smoothing: Share = 0.0
    """How much of each label goes to all other tokens."""
    longest: AtLeastOne = 20
    """Tokens of a command."""


CONFIGS = {
    "paper": Seq2SeqConfig(
        epochs=25,
        batch=64,
        rate=1e-3,
        clip=5.0,
        encoder="blocks",
        width=64,
        embedding=768,
        smoothing=0.1,
    ),
    "cpu": Seq2SeqConfig(epochs=6, batch=32, rate=2e-3, warmup=200, decay="cosine", dropout=0.05),
}
