"""Draws a plan over the map: trajectory, goal, avoid and no-pass distributions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from housemates.benchmarks.cerealbar.world.hexes import centre
from housemates.benchmarks.cerealbar.world.hexmap import STANDARD
from housemates.benchmarks.cerealbar.world.observe import Observation
from housemates.models.cerealbar_plan.data import DISTRIBUTIONS

SCALE, MARGIN, TITLE = 8, 10, 16
GROUND, SHUT, CARD, HERE = (225, 225, 220), (185, 190, 185), (120, 120, 120), (30, 30, 30)
COLOURS = {
    "trajectory": (30, 90, 200),
    "goal": (20, 150, 60),
    "avoid": (200, 60, 40),
    "nopass": (110, 70, 140),
}


def plan_picture(seen: Observation, plan: NDArray[np.float32]) -> NDArray[np.uint8]:
    """An RGB picture, (height, width, 3), of the four distributions side by side, each over the map in grey.

    Args:
        seen: The map and its cards.
        plan: (4, hexes).
    """
    sheets = [_sheet(seen, row, name) for row, name in zip(plan, DISTRIBUTIONS, strict=True)]
    return np.concatenate(sheets, axis=1)


def _sheet(seen: Observation, shares: NDArray[np.float32], name: str) -> NDArray[np.uint8]:
    corners = [centre(at, STANDARD.width) for at in range(len(shares))]
    width = int(max(x for x, _ in corners) * SCALE) + 2 * MARGIN
    height = int(max(y for _, y in corners) * SCALE) + 2 * MARGIN + TITLE
    image = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(image)
    draw.text((MARGIN, 2), name, fill=COLOURS[name])
    most = float(shares.max()) or 1.0
    for at, (x, y) in enumerate(corners):
        ground = GROUND if seen.map.passable[at] else SHUT
        share = float(shares[at]) / most
        colour = tuple(round(a + (b - a) * share) for a, b in zip(ground, COLOURS[name], strict=True))
        left, top = MARGIN + x * SCALE, height - MARGIN - y * SCALE
        edge = CARD if at in seen.cards else None
        draw.regular_polygon((left, top, SCALE * 0.95), 6, fill=colour, outline=edge)
        if at == seen.pose // 6:
            draw.regular_polygon((left, top, SCALE * 0.45), 6, fill=HERE)
    return np.asarray(image)
