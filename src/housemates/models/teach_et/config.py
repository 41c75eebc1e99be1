"""TEACh's Episodic Transformer: what can be chosen; rows of the paper's Table 4 are fields or starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec

from housemates.core.options import AtLeastOne, NotNegative
from housemates.models.schedule import Schedule, Share


@dataclass(frozen=True)
class EtConfig(Schedule):
    """A schedule with the model's own fields."""

    source: Literal["edh", "tfd", "alfred"] = "edh"
    """What is learnt from: stretches of games, whole games, or ALFRED's demonstrations (+A, generated +S)."""
    history: bool = False
    """Whether what was done before is learnt from too (+H)."""
    language: bool = True
    vision: bool = True
    encoder: str = "eyes"
    """What makes features of pictures: plain, hues, eyes, or an ONNX file such as a ResNet's convolutions."""
    picture: AtLeastOne = 300
    """Side of the pictures that are seen, in pixels."""
    squeezed: AtLeastOne = 64
    """Channels that are made of a picture's features at first."""
    width: AtLeastOne = 128
    heads: AtLeastOne = 4
    inner: AtLeastOne = 128
    """Size of the small network of a layer."""
    language_layers: AtLeastOne = 1
    layers: AtLeastOne = 2
    """Those in which dialogue, frames and actions meet."""
    dropout: Share = 0.1
    object_weight: Annotated[float, msgspec.Meta(ge=0)] = 1.0
    limit: NotNegative = 0
    """Games or demonstrations that are taken; 0 is all."""
    store: str = ""
    """The store with the floor plans of recorded games; the user's own if empty."""


CONFIGS = {
    "paper": EtConfig(
        epochs=20,
        batch=8,
        rate=1e-4,
        weight_decay=0.33,
        patience=20,
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
