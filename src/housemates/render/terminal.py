"""Pictures as text: coloured half blocks for a terminal with 24-bit colour."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image

RESET = "\x1b[0m"


def blocks(rgb: npt.NDArray[np.uint8], columns: int = 80) -> str:
    """A picture as lines of half blocks, two pixels above each other in each character."""
    height, width = rgb.shape[:2]
    columns = max(1, min(columns, width))
    rows = max(1, round(columns * height / width / 2))
    small = np.asarray(Image.fromarray(rgb).resize((columns, 2 * rows), Image.Resampling.BOX))
    lines = []
    for upper, lower in zip(small[0::2].tolist(), small[1::2].tolist(), strict=True):
        cells = (
            f"\x1b[38;2;{r};{g};{b}m\x1b[48;2;{r2};{g2};{b2}m▀"
            for (r, g, b), (r2, g2, b2) in zip(upper, lower, strict=True)
        )
        lines.append("".join(cells) + RESET)
    return "\n".join(lines)
