"""Where in its picture one who carries something sees that: eyes are not to take it for things of the room."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from housemates.home.types import object_type
from housemates.home.world import HAND
from housemates.render.camera import Camera

LARGER = 1.3
"""How much larger than things of its type usually are a carried one may be."""
NEAREST_M = 0.1
"""Nothing is nearer to the eye."""


def in_hand(camera: Camera, kind: str) -> NDArray[np.bool_]:
    """Where in the picture a thing of a type that is held upright before the eye may be seen."""
    width, height, depth = (LARGER * each / 2 for each in object_type(kind).size)
    wide = max(width, depth)
    middle = np.asarray(camera.position) + np.asarray(HAND) @ camera.axes
    signs = np.array(list(product((-1, 1), repeat=3)))
    corners = (middle + signs * (wide, height, wide) - camera.position) @ camera.axes.T
    scale = camera.focal / np.maximum(corners[:, 2], NEAREST_M)
    columns = camera.width / 2 + corners[:, 0] * scale
    rows = camera.height / 2 - corners[:, 1] * scale
    found = np.zeros((camera.height, camera.width), bool)
    (left, right), (top, bottom) = ((max(int(each.min()), 0), int(each.max()) + 1) for each in (columns, rows))
    found[top : max(bottom, 0), left : max(right, 0)] = True
    return found
