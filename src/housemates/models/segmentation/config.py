"""The configs of the segmentation network."""

from __future__ import annotations

from dataclasses import dataclass

from housemates.core.options import AtLeastOne
from housemates.models.schedule import Schedule, Share

SIDE = 300
"""Side of the pictures, in pixels."""
COARSE = 4
"""Stride of the first feature map, in pixels."""
FINE = 2
"""Stride of the codes, in pixels: 2x2 pixels share one."""
REACH = 32.0
"""Scale of offsets to the middle of a thing, in codes."""


@dataclass(frozen=True)
class EyesConfig(Schedule):
    """Widths of the pyramid network and composition of the data, on top of the training schedule."""

    widths: tuple[int, ...] = (64, 96, 160, 192)
    """Channels of the encoder at strides 4, 8, 16 and 32."""
    depths: tuple[int, ...] = (0, 1, 1, 1)
    """Residual blocks at each of them."""
    lateral: tuple[int, ...] = (96, 64, 48)
    """Channels of the decoder at strides 16, 8 and 4."""
    code: AtLeastOne = 48
    """Channels of a code, the input of all heads."""
    frames: AtLeastOne = 320
    """Pictures rendered per epoch, different ones in each."""
    pixels: AtLeastOne = 640
    """Codes per picture that the loss samples, half of them uniformly over things instead of area."""
    rooms: Share = 0.25
    """Share of pictures from generated rooms, with 1 no data are read; others are of recorded episodes."""
    alfred: Share = 0.5
    """Share of recorded episodes that are ALFRED's; the others are TEACh's."""
    strangers: Share = 0.4
    """Share of an episode's pictures from random poses and in random states."""
    mean: Share = 0.998
    """Decay of the exponential moving average of the weights."""
    looks: str = "plain"
    """How homes look in the pictures: plain, varied, or both separated by a comma, drawn for each episode."""
    valid: str = ""
    """Recorded episodes of TEACh to validate on; without them, generated rooms of the split `seen`."""
    checked: AtLeastOne = 120
    """Pictures per validation."""


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
