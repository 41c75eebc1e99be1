"""Pictures in a terminal."""

from __future__ import annotations

import numpy as np

from housemates.render.terminal import blocks


def test_a_picture_becomes_half_blocks() -> None:
    rgb = np.zeros((40, 80, 3), np.uint8)
    rgb[:20] = (255, 0, 0)
    lines = blocks(rgb, 20).split("\n")
    assert len(lines) == 5
    assert all(line.count("▀") == 20 for line in lines)
    assert "38;2;255;0;0" in lines[0]
    assert "255" not in lines[-1]
