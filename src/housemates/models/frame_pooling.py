"""Networks that take in features of pictures, each picture as one vector."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from housemates.models.playable import Playable


class Looking(Playable):
    """A network that squeezes a picture's features to fewer channels and makes one vector of them.

    Args:
        shape: Of the features: channels, rows and columns.
        squeezed: Channels that are made of them at first.
        size: Of the vector.
        dropout: The share of what was squeezed that is left out while it learns.
    """

    def __init__(self, shape: tuple[int, int, int], squeezed: int, size: int, dropout: float = 0.0) -> None:
        super().__init__()
        channels, rows, columns = shape
        self.shape = shape
        self.squeeze = nn.Conv2d(channels, squeezed, 1)
        self.frame = nn.Linear(squeezed * rows * columns, size)
        self.blur = nn.Dropout(dropout)

    def squeezed(self, seen: Tensor) -> Tensor:
        """Pictures x channels x rows x columns; while it learns in short numbers, at a third of the cost."""
        seen = seen.to(torch.bfloat16 if self.training else torch.float32)
        with torch.autocast(seen.device.type, torch.bfloat16, enabled=self.training):
            found: Tensor = self.blur(torch.relu(self.squeeze(seen)))
        return found

    def framed(self, squeezed: Tensor) -> Tensor:
        """Pictures x size, of what was squeezed."""
        with torch.autocast(squeezed.device.type, torch.bfloat16, enabled=self.training):
            found: Tensor = self.frame(squeezed.flatten(1))
        return found.float()

    def looked(self, seen: Tensor) -> Tensor:
        """Pictures x size."""
        return self.framed(self.squeezed(seen))
