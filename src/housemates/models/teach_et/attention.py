"""Layers of a transformer that can also go on by one step, from keys and values that they have kept."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional


class Kept(NamedTuple):
    """Keys and values of what a layer has taken in: examples x heads x tokens x size."""

    keys: Tensor
    values: Tensor

    def with_more(self, other: Kept) -> Kept:
        """These and then others."""
        return Kept(torch.cat([self.keys, other.keys], 2), torch.cat([self.values, other.values], 2))


class Layer(nn.Module):
    """Self-attention and a small network, each added to what there was, and normed afterwards."""

    def __init__(self, width: int, heads: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.ask = nn.Linear(width, width)
        self.offer = nn.Linear(width, 2 * width)
        self.answer = nn.Linear(width, width)
        self.feed = nn.Sequential(
            nn.Linear(width, inner), nn.ReLU(), nn.Dropout(dropout), nn.Linear(inner, width)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.drop = nn.Dropout(dropout)

    def kept(self, tokens: Tensor) -> Kept:
        """The keys and values of tokens."""
        keys, values = self.offer(tokens).chunk(2, -1)
        return Kept(self._apart(keys), self._apart(values))

    def forward(self, tokens: Tensor, kept: Kept, allowed: Tensor | None = None) -> Tensor:
        """Tokens after looking at what is kept; `allowed` says which may look at what."""
        found = functional.scaled_dot_product_attention(
            self._apart(self.ask(tokens)), kept.keys, kept.values, attn_mask=allowed
        )
        looked = self.answer(found.transpose(1, 2).flatten(2))
        tokens = self.norms[0](tokens + self.drop(looked))
        refined: Tensor = self.norms[1](tokens + self.drop(self.feed(tokens)))
        return refined

    def _apart(self, tokens: Tensor) -> Tensor:
        """One part for each head."""
        return tokens.view(*tokens.shape[:2], self.heads, -1).transpose(1, 2)


def waves(positions: Tensor, width: int) -> Tensor:
    """Sines and cosines that tell positions apart, small beside what they are added to."""
    rates = torch.exp(torch.arange(0, width, 2, device=positions.device) * (-9.2103 / width))
    angles = positions.unsqueeze(-1) * rates
    both: Tensor = torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)[..., :width]
    small: Tensor = both * width**-0.5
    return small
