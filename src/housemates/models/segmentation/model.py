"""The segmentation network: a small feature pyramid that gives every 2x2 pixels a code.

All convolutions run at a quarter of the picture's sides or less. At the end what they make of a square of 4x4
pixels is laid out as four parts, and each 2x2 pixels add what they are by themselves. What there is at a
pixel is read off its code.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from housemates.models.segmentation.config import COARSE, FINE, EyesConfig
from housemates.models.segmentation.pixels import CHANNELS, RAYS
from housemates.render.detections import STATES

PART = COARSE // FINE
"""Codes per side of a 4x4 square."""


class Readings(NamedTuple):
    """The outputs of the heads, each (..., size of its last axis)."""

    types: Tensor
    """Logits."""
    offsets: Tensor
    depths: Tensor
    states: Tensor
    """Logits: whether a thing shows here that it is in a state."""
    rims: Tensor
    """Logits: whether another thing of the same type borders on this one here."""


def convolution(inside: int, outside: int, side: int = 3, stride: int = 1) -> nn.Sequential:
    """A convolution with batch norm."""
    return nn.Sequential(
        nn.Conv2d(inside, outside, side, stride, side // 2, bias=False), nn.BatchNorm2d(outside)
    )


class Block(nn.Module):
    """A residual block of two 3x3 convolutions."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.second = convolution(width, width), convolution(width, width)

    def forward(self, x: Tensor) -> Tensor:
        """(pictures, channels, rows, columns), unchanged in shape."""
        return functional.relu(x + self.second(functional.relu(self.first(x))))


class Encoder(nn.Module):
    """A convolutional encoder with feature maps at strides 4, 8, 16 and 32."""

    def __init__(self, widths: tuple[int, ...], depths: tuple[int, ...]) -> None:
        super().__init__()
        before = (CHANNELS, *widths)
        self.stages = nn.ModuleList(
            nn.Sequential(
                convolution(before[level], width, 3 if level else 1, 2 if level else 1),
                nn.ReLU(),
                *(Block(width) for _ in range(depths[level])),
            )
            for level, width in enumerate(widths)
        )

    def forward(self, x: Tensor) -> list[Tensor]:
        """Feature maps from the finest to the coarsest."""
        found = []
        for stage in self.stages:
            x = stage(x)
            found.append(x)
        return found


class Decoder(nn.Module):
    """A top-down pyramid (FPN) to the finest level, with viewing rays as input at each level."""

    def __init__(self, widths: tuple[int, ...], lateral: tuple[int, ...]) -> None:
        super().__init__()
        above = (widths[-1], *lateral)
        own = widths[-2::-1]
        pairs = list(zip(own, lateral, strict=True))
        self.across = nn.ModuleList(convolution(width + RAYS, into, 1) for width, into in pairs)
        self.down = nn.ModuleList(convolution(above[level], into, 1) for level, into in enumerate(lateral))
        self.mix = nn.ModuleList(convolution(into, into) for into in lateral)

    def forward(self, features: list[Tensor], rays: Tensor) -> Tensor:
        """The squares of 4x4 pixels: (pictures, height / 4, width / 4, channels)."""
        x, rays = features[-1], rays.permute(0, 3, 1, 2)
        for level, skip in enumerate(features[-2::-1]):
            carried = functional.interpolate(self.down[level](x), size=skip.shape[-2:], mode="nearest")
            way = functional.interpolate(rays, size=skip.shape[-2:], mode="nearest").to(skip.dtype)
            own = self.across[level](torch.cat([skip, way], 1))
            x = functional.relu(self.mix[level](functional.relu(own + carried)))
        return x.permute(0, 2, 3, 1)


class Net(nn.Module):
    """Folded pictures to codes, and codes to the outputs of the heads."""

    def __init__(self, config: EyesConfig, types: int) -> None:
        super().__init__()
        self.encoder = Encoder(config.widths, config.depths)
        self.decoder = Decoder(config.widths, config.lateral)
        self.split = nn.Linear(config.lateral[-1], config.code * PART * PART)
        self.alone = nn.Linear(CHANNELS // (PART * PART), config.code)
        self.heads = nn.ModuleDict(
            {
                "types": nn.Linear(config.code, types),
                "offsets": nn.Linear(config.code, 2),
                "depths": nn.Linear(config.code, 1),
                "states": nn.Linear(config.code, len(STATES)),
                "rims": nn.Linear(config.code, 1),
            }
        )

    def features(self, folded: Tensor) -> list[Tensor]:
        """Feature maps of pictures (pictures, 75, 75, channels; bytes), the finest first."""
        found: list[Tensor] = self.encoder(scaled(folded).permute(0, 3, 1, 2))
        return found

    def codes(self, features: list[Tensor], folded: Tensor, rays: Tensor) -> Tensor:
        """The codes that features give: (pictures, rows, columns, channels)."""
        told = self.split(self.decoder(features, rays))
        apart = told.reshape(*told.shape[:3], PART, PART, -1)
        codes = functional.relu(apart + self.alone(parts(scaled(folded))))
        return codes.transpose(2, 3).flatten(1, 2).flatten(2, 3)

    def forward(self, folded: Tensor, rays: Tensor) -> Tensor:
        """The codes of folded pictures, (pictures, rows, columns, channels), given viewing rays."""
        return self.codes(self.features(folded), folded, rays)

    def at(self, folded: Tensor, rays: Tensor, places: Tensor) -> Tensor:
        """The codes at sampled places only: (pictures, places, channels)."""
        squares = self.decoder(self.features(folded), rays)
        many, rows, columns, channels = squares.shape
        row, column = places // (columns * PART), places % (columns * PART)
        first = torch.arange(many)[:, None] * (rows * columns)
        chosen = (first + row // PART * columns + column // PART).flatten()
        which = (row % PART * PART + column % PART).flatten()
        told = self.split(squares.reshape(-1, channels).index_select(0, chosen).float())
        own = parts(scaled(folded.flatten(0, 2).index_select(0, chosen))).flatten(1, 2)
        codes = _picked(told.reshape(len(told), PART * PART, -1), which) + self.alone(_picked(own, which))
        return functional.relu(codes).reshape(many, -1, codes.shape[-1])

    def read(self, codes: Tensor) -> Readings:
        """The outputs of all heads for codes, (..., channels)."""
        return Readings(*(self.heads[name](codes) for name in Readings._fields))


def scaled(folded: Tensor) -> Tensor:
    """Bytes scaled to floats around 0."""
    return folded.float().sub_(127.5).div_(64.0)


def parts(squares: Tensor) -> Tensor:
    """The pixels of squares (..., channels) by code: (..., 2, 2, channels of 2x2 pixels)."""
    each = squares.reshape(*squares.shape[:-1], PART, FINE, PART, FINE, -1)
    return each.transpose(-4, -3).flatten(-3)


def _picked(each: Tensor, which: Tensor) -> Tensor:
    """Row `which` of each example."""
    return each.gather(1, which[:, None, None].expand(-1, 1, each.shape[-1]))[:, 0]


class Averaged(nn.Module):
    """A network and the exponential moving average of its weights, which is exported."""

    net: Net
    mean: Net

    def __init__(self, net: Net, mean: Net) -> None:
        super().__init__()
        self.net, self.mean = net, mean
        self.mean.requires_grad_(False)
        self.mean.load_state_dict(net.state_dict())

    @torch.no_grad()
    def follow(self, share: float) -> None:
        """Update the average with decay `share`."""
        for mean, now in zip(self.mean.state_dict().values(), self.net.state_dict().values(), strict=True):
            if mean.dtype.is_floating_point:
                mean.lerp_(now, 1.0 - share)
            else:
                mean.copy_(now)
