"""Pictures as the network takes them in, and maps of any size."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from housemates.models.eyes.config import COARSE


def folded(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture (or several) with each square of 4x4 pixels laid out as 48 channels."""
    *many, height, width, _ = rgb.shape
    squares = rgb.reshape(*many, height // COARSE, COARSE, width // COARSE, COARSE, 3)
    return np.ascontiguousarray(squares.swapaxes(-4, -3)).reshape(
        *many, height // COARSE, width // COARSE, COARSE * COARSE * 3
    )


def resized(picture: NDArray[Any], height: int, width: int) -> NDArray[Any]:
    """A picture or map in another size, each pixel as the nearest one was."""
    rows, columns = picture.shape[:2]
    if (rows, columns) == (height, width):
        return picture
    if height % rows == 0 and width % columns == 0:
        return np.asarray(picture.repeat(height // rows, axis=0).repeat(width // columns, axis=1))
    down = ((np.arange(height) + 0.5) * rows / height).astype(np.intp)
    across = ((np.arange(width) + 0.5) * columns / width).astype(np.intp)
    return np.asarray(picture[down[:, None], across])
