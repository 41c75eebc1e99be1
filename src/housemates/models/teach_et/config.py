"""The configs of TEACh's Episodic Transformer; each row of the paper's Table 4 is a field or a warm start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec

from housemates.core.options import AtLeastOne, NotNegative
from housemates.models.schedule import Schedule, Share


@dataclass(frozen=True)
class EtConfig(Schedule):
    """Data, ablations and sizes of the network, on top of the training schedule."""

    source: Literal["edh", "tfd", "alfred"] = "edh"
    """Examples: EDH instances, whole games (TfD), or ALFRED's demonstrations (+A; generated ones +S)."""
    history: bool = False
    """Whether the loss counts the actions of the history too (+H)."""
    language: bool = True
    """Whether the network reads the dialogue."""
    vision: bool = True
    """Whether it gets frames."""
    encoder: str = "eyes"
    """Image encoder: plain, hues, eyes, or an ONNX file such as a ResNet's convolutions."""
    picture: AtLeastOne = 300
    """Side of the square pictures, in pixels."""
    averaged: AtLeastOne = 1
    """Neighbouring channels of a frame's feature map of which the mean is taken."""
    reduced: NotNegative = 0
    """Channels of a first 1x1 convolution over a frame's feature map; 0 leaves it out."""
    squeezed: AtLeastOne = 64
    """Channels to which a 1x1 convolution reduces a frame's feature map."""
    frame_dropout: Share = 0.0
    """Of feature maps."""
    object_frames: bool = False
    """Whether objects are predicted from an encoder of frames of their own too, as in the released code."""
    longest: AtLeastOne = 120
    """Steps of a session, at most: later ones are not learnt from."""
    past: bool = False
    """Whether the history's pictures are taken in, and of its actions those that succeeded."""
    longest_history: AtLeastOne = 60
    """Actions of the history, at most; earlier ones are left out."""
    width: AtLeastOne = 128
    """Of all token states."""
    heads: AtLeastOne = 4
    """Attention heads per layer."""
    inner: AtLeastOne = 128
    """Width of the feed-forward networks."""
    language_layers: AtLeastOne = 1
    """Layers that encode the dialogue alone."""
    layers: AtLeastOne = 2
    """Fusion layers over dialogue, frames and actions."""
    dropout: Share = 0.1
    object_weight: Annotated[float, msgspec.Meta(ge=0)] = 1.0
    """Of the loss of objects beside that of actions."""
    limit: NotNegative = 0
    """Games or demonstrations to learn from at most; 0 takes all."""
    store: str = ""
    """Store with the floor plans of recorded games; the user's own if empty."""


CONFIGS = {
    "paper": EtConfig(
        epochs=20,
        batch=3,
        rate=1e-4,
        decay="drop",
        weight_decay=0.33,
        weights="last",
        patience=20,
        averaged=4,
        reduced=256,
        frame_dropout=0.3,
        object_frames=True,
        longest=1000,
        past=True,
        longest_history=1000,
        width=768,
        heads=12,
        inner=768,
        language_layers=2,
        layers=2,
        encoder="resnet50.onnx",
    ),
    "cpu": EtConfig(
        epochs=6,
        batch=8,
        rate=1e-3,
        decay="cosine",
        warmup=50,
        patience=3,
        squeezed=32,
        encoder="hues",
    ),
}
