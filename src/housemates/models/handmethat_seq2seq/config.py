"""The configs of HandMeThat's Seq2Seq."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from housemates.core.options import AtLeastOne
from housemates.models.schedule import Schedule, Share


@dataclass(frozen=True)
class Seq2SeqConfig(Schedule):
    """The robot's knowledge and the sizes of the network, on top of the training schedule."""

    observability: Literal["full", "partial"] = "full"
    """Whether the robot sees the whole household or only its own location."""
    told: Literal["nothing", "goal", "subgoal"] = "nothing"
    """Oracle input: the human's goal or her current sub-goal, as PDDL formulas."""
    encoder: Literal["blocks", "phrases"] = "phrases"
    """Text encoder: `blocks` reads token by token with convolutions and self-attention, as in the paper;
    `phrases`, faster, reads phrase by phrase, each the sum of the embeddings of its words and of the place
    that its line and its sentence name."""
    width: AtLeastOne = 64
    """Size of all hidden states."""
    embedding: AtLeastOne = 64
    """Size of token embeddings."""
    convolutions: AtLeastOne = 5
    """Convolutions in the block of the paper's encoder."""
    kernel: AtLeastOne = 5
    """Kernel size of a convolution, in tokens."""
    dropout: Share = 0.1
    smoothing: Share = 0.0
    """Label smoothing."""
    longest: AtLeastOne = 20
    """Limit on the tokens of a command."""


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
