"""ALFRED's Seq2Seq: what can be chosen; every row of the paper's Table 3 is a field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import msgspec

from housemates.core.options import AtLeastOne, NotNegative
from housemates.models.schedule import Schedule, Share

Weight = Annotated[float, msgspec.Meta(ge=0)]


@dataclass(frozen=True)
class Seq2SeqConfig(Schedule):
    """A schedule with the model's own fields."""

    progress: bool = True
    """Whether it learns to tell how far along it is; the paper's progress monitor."""
    subgoals: bool = True
    """Whether it learns to tell how many sub-goals are done; the other monitor."""
    language: bool = True
    vision: bool = True
    goal: bool = True
    """Whether it is told the goal."""
    instructions: bool = True
    """Whether it is told the instructions."""
    encoder: str = "eyes"
    """What makes features of pictures: plain, hues, eyes, or an ONNX file such as a ResNet's convolutions."""
    picture: AtLeastOne = 300
    """Side of the pictures that are seen, in pixels."""
    seeking: bool = True
    """Whether it looks in each picture for what the words of the moment are about; beyond the paper."""
    things: bool = True
    """Whether it names what it points at, and the eyes find that in the picture; else a mask is all."""
    deconvolutions: Annotated[int, msgspec.Meta(ge=1, le=6)] = 3
    """How often masks are doubled, from five cells to a side."""
    embedding: AtLeastOne = 100
    words: AtLeastOne = 100
    """State of the encoder of words, in each direction."""
    squeezed: AtLeastOne = 64
    """Channels that are made of a picture's features at first."""
    frame: AtLeastOne = 256
    """Size of what is seen, as the decoder takes it in."""
    hidden: AtLeastOne = 256
    """State of the decoder."""
    dropout: Share = 0.3
    mask_weight: Weight = 1.0
    kind_weight: Weight = 1.0
    progress_weight: Weight = 0.1
    subgoal_weight: Weight = 0.2
    limit: NotNegative = 0
    """Demonstrations of the training split that are taken; 0 is all."""
    detours: NotNegative = 0
    """How many of them are shown a second time, by an expert who is led astray and finds back."""
    corrections: NotNegative = 0
    """Episodes of each epoch after the first in which the student acts and the expert says what was right."""
    expert_share: Share = 0.5
    """How many of their steps are the expert's own."""
    directives: AtLeastOne = 3
    """People whose words are taken, at most, for each demonstration."""
    store: str = ""
    """The store with the floor plans of official trajectories; the user's own if empty."""


CONFIGS = {
    "paper": Seq2SeqConfig(
        epochs=50,
        batch=8,
        rate=1e-4,
        patience=50,
        frame=2500,
        hidden=512,
        deconvolutions=6,
        encoder="resnet18.onnx",
        things=False,
        seeking=False,
    ),
    "cpu": Seq2SeqConfig(
        epochs=3,
        batch=16,
        rate=1e-3,
        decay="cosine",
        warmup=50,
        patience=8,
        validate_every=310,
        limit=1500,
        detours=1000,
        directives=2,
        encoder="hues",
        squeezed=32,
        dropout=0.1,
    ),
}
