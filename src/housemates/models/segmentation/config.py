"""How the eyes are built and taught."""

from __future__ import annotations

from dataclasses import dataclass

from housemates.core.options import AtLeastOne
from housemates.models.schedule import Schedule, Share

SIDE = 300
"""Of the pictures, in pixels."""
COARSE = 4
"""Pixels, each way, that the network takes in at once."""
FINE = 2
"""Pixels, each way, that share one code."""
REACH = 32.0
"""How many codes away the middle of a thing is when its offset is 1."""


@dataclass(frozen=True)
class EyesConfig(Schedule):
    """A small pyramid network on pictures of 300x300 pixels."""

    widths: tuple[int, ...] = (64, 96, 160, 192)
    """Channels of the encoder at strides 4, 8, 16 and 32."""
    depths: tuple[int, ...] = (0, 1, 1, 1)
    """Residual blocks at each of them."""
    lateral: tuple[int, ...] = (96, 64, 48)
    """Channels of the decoder at strides 16, 8 and 4."""
    code: AtLeastOne = 48
    """Channels of the code of each 2x2 pixels from which everything is read off."""
    frames: AtLeastOne = 320
    """Pictures that are drawn for an epoch; the next epoch has others."""
    pixels: AtLeastOne = 640
    """Places of each picture at which the loss is taken, half of them drawn by thing and not by area."""
    rooms: Share = 0.25
    """The share of pictures from generated rooms; the others are of recorded episodes."""
    alfred: Share = 0.5
    """The share of recorded episodes that are ALFRED's; the others are TEACh's."""
    strangers: Share = 0.4
    """The share of pictures of an episode that are taken from poses and in states drawn at random."""
    mean: Share = 0.998
    """How much of the running mean of the weights stays at each step."""
    valid: str = ""
    """Recorded episodes of TEACh to validate on; without them, generated rooms of the split `seen`."""
    checked: AtLeastOne = 120
    """Pictures of a validation."""


CONFIGS = {
    "cpu": EyesConfig(
        epochs=400, batch=8, rate=2e-3, warmup=200, decay="linear", weight_decay=1e-2, clip=2.0,
        patience=1000, validate_every=1200, save_every=200,
    ),
    "large": EyesConfig(
        epochs=4000, batch=64, rate=2e-3, warmup=1000, decay="cosine", weight_decay=2e-2, clip=2.0,
        patience=1000, validate_every=2000, save_every=500, frames=2560,
        widths=(64, 128, 256, 384), depths=(2, 2, 3, 2), lateral=(128, 96, 64), code=64,
    ),
}  # fmt: skip
