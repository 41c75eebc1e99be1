"""Masks as JSON: runs of set pixels, row by row."""

from __future__ import annotations

from typing import Any

import numpy as np

LARGEST_MASK = 4096
"""Pixels of a side of a mask."""


def runs_of(mask: np.ndarray) -> dict[str, Any]:
    """A mask as JSON: its height and width, and where runs of set pixels start and how long they are."""
    flat = np.concatenate([[0], np.asarray(mask, bool).ravel().astype(np.int8), [0]])
    edges = np.flatnonzero(np.diff(flat))
    starts, ends = edges[::2], edges[1::2]
    return {"size": list(mask.shape), "runs": np.stack([starts, ends - starts], axis=1).ravel().tolist()}


def mask_of(value: Any) -> np.ndarray:
    """The mask that `runs_of` wrote; raises ValueError, KeyError or TypeError if it is none."""
    height, width = (int(each) for each in value["size"])
    if not (0 < height <= LARGEST_MASK and 0 < width <= LARGEST_MASK):
        raise ValueError("no mask")
    if len(value["runs"]) % 2 or len(value["runs"]) > height * width + 1:
        raise ValueError("no runs")
    runs = [int(each) for each in value["runs"]]
    flat = np.zeros(height * width, bool)
    for start, length in zip(runs[::2], runs[1::2], strict=True):
        if not (start >= 0 and length > 0 and start + length <= flat.size):
            raise ValueError("a run outside the picture")
        flat[start : start + length] = True
    return flat.reshape(height, width)
