"""The configs of ALFRED's Seq2Seq; every row of the paper's Table 3 is a field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import msgspec

from housemates.core.options import AtLeastOne, NotNegative
from housemates.models.schedule import Schedule, Share

SIDE = 5
"""Rows and columns from which deconvolutions lead to the cells of a mask."""
MASK_PX = 300
"""Rows and columns of the paper's masks."""
Weight = Annotated[float, msgspec.Meta(ge=0)]


@dataclass(frozen=True)
class Seq2SeqConfig(Schedule):
    """Ablations, sizes, loss weights and data augmentation, on top of the training schedule."""

    progress: bool = True
    """The paper's first monitor: the share of steps that are done is predicted too."""
    subgoals: bool = True
    """The paper's other monitor: the share of sub-goals that are done is predicted too."""
    language: bool = True
    """Whether the network reads any words."""
    vision: bool = True
    """Whether it gets frames."""
    goal: bool = True
    """Whether the goal is among the words."""
    instructions: bool = True
    """Whether the step-by-step instructions are among the words."""
    encoder: str = "eyes"
    """Image encoder: plain, hues, eyes, or an ONNX file such as a ResNet's convolutions."""
    picture: AtLeastOne = 300
    """Side of the square pictures, in pixels."""
    seeking: bool = True
    """Attend to each cell of the frame by the attended words and the decoder's state; beyond the paper."""
    things: bool = True
    """Predict the object's type too, which the segmentation network finds in the frame; else a mask alone."""
    deconvolutions: Annotated[int, msgspec.Meta(ge=1, le=6)] = 3
    """Transposed convolutions of the mask head, each doubling its side from 5 cells."""
    pixels: bool = False
    """The paper's mask decoder instead: 64x7x7 features, three deconvolutions, masks of 300x300 pixels."""
    attended: bool = False
    """Whether the decoder begins with self-attention over the words, as the paper's; else with their mean."""
    heuristics: bool = True
    """Decoding rules of ours: after a failure the next likeliest action, and no pose a third time."""
    embedding: AtLeastOne = 100
    """Size of word and action embeddings."""
    words: AtLeastOne = 100
    """State of the bidirectional LSTM over the words, in each direction."""
    reduced: NotNegative = 0
    """Channels of a first 1x1 convolution over a frame's feature map; 0 leaves it out."""
    squeezed: AtLeastOne = 64
    """Channels to which a 1x1 convolution reduces a frame's feature map."""
    frame: AtLeastOne = 256
    """Size of a frame's vector."""
    hidden: AtLeastOne = 256
    """State of the decoder's LSTM."""
    dropout: Share = 0.3
    mask_weight: Weight = 1.0
    """Of the loss of masks beside that of actions; so for the next three."""
    kind_weight: Weight = 1.0
    progress_weight: Weight = 0.1
    subgoal_weight: Weight = 0.2
    limit: NotNegative = 0
    """Demonstrations of the training split to learn from at most; 0 takes all."""
    detours: NotNegative = 0
    """How many of them are learnt a second time with random moves from which the expert recovers."""
    corrections: NotNegative = 0
    """DAgger episodes in each epoch after the first: the student acts and the expert labels its states."""
    expert_share: Share = 0.5
    """Share of the steps of DAgger episodes in which the expert acts."""
    directives: AtLeastOne = 3
    """Annotations per demonstration at most, each an example."""
    store: str = ""
    """Store with the floor plans of official trajectories; the user's own if empty."""

    @property
    def mask_side(self) -> int:
        """Rows and columns of the masks that it learns and predicts."""
        return MASK_PX if self.pixels else SIDE << self.deconvolutions


CONFIGS = {
    "paper": Seq2SeqConfig(
        epochs=50,
        batch=8,
        rate=1e-4,
        patience=50,
        frame=2500,
        hidden=512,
        reduced=256,
        attended=True,
        pixels=True,
        subgoal_weight=0.1,
        encoder="resnet18.onnx",
        things=False,
        seeking=False,
        heuristics=False,
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
