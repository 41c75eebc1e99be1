"""The region of the picture that the held object covers, so that it is not taken for the scene."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from housemates.home.types import object_type
from housemates.home.world import HAND_M
from housemates.render.camera import Camera

LARGER = 1.3
"""Largest ratio of a held object's size to the usual one of its type."""
BESIDE_PX = 6
"""Dilation in pixels of the region, for when the horizon changes."""

Mask = NDArray[np.bool_]


def in_hand(camera: Camera, kind: str, times: float = 1.0) -> Mask:
    """Mask of where an object of a type is seen when it is held.

    Args:
        camera: Of the picture.
        kind: The type.
        times: How much larger than usual the thing is taken to be.
    """
    right, up, ahead = HAND_M
    width, height, depth = (times * each / 2 for each in object_type(kind).size)
    tilt = math.radians(abs(camera.horizon))
    tall = height * math.cos(tilt) + depth * math.sin(tilt)
    scale = camera.focal / ahead
    rows, columns = np.ogrid[: camera.height, : camera.width]
    across = np.abs(columns - camera.width / 2 - right * scale) <= max(width, depth) * scale
    return np.asarray(across & (np.abs(rows - camera.height / 2 + up * scale) <= tall * scale))


def appeared(before: NDArray[np.uint8], now: NDArray[np.uint8], camera: Camera, kind: str) -> Mask:
    """Mask of where an object was picked up: the pixels that changed in the region of the hand."""
    changed = (before != now).any(axis=2) & in_hand(camera, kind, LARGER)
    for _ in range(BESIDE_PX):
        changed[1:] |= changed[:-1].copy()
        changed[:-1] |= changed[1:].copy()
        changed[:, 1:] |= changed[:, :-1].copy()
        changed[:, :-1] |= changed[:, 1:].copy()
    return np.asarray(changed)
