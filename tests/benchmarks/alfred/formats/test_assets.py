"""Boxes of things whose pivots are known."""

from __future__ import annotations

import pytest

from housemates.benchmarks.alfred.formats.assets import Box, recentred, stand


def test_a_box_turns_about_its_pivot() -> None:
    box = Box((0.0, -0.1, -0.05), (0.4, 0.1, 0.05))
    turned = stand(box, (1.0, 1.0, 1.0), (0.0, 90.0, 0.0))
    assert turned.position == pytest.approx((1.0, 0.9, 0.8))
    assert (turned.size, turned.yaw) == (pytest.approx((0.4, 0.2, 0.1)), 90.0)
    tilted = stand(box, (0.0, 0.0, 0.0), (0.0, 0.0, 90.0))
    assert tilted.size == pytest.approx((0.2, 0.4, 0.1))
    assert tilted.position[1] == pytest.approx(0.0)


def test_a_box_moves_to_where_its_middle_was_seen() -> None:
    box = Box((-0.1, 0.0, -0.1), (0.1, 0.02, 0.1))
    assert recentred(box, [(0.05, 0.0)]) == box
    moved = recentred(box, [(0.05, 0.02), (0.05, 0.02), (0.9, 0.9)])
    assert moved.lo == pytest.approx((-0.05, 0.0, -0.08))
    assert recentred(box, [(0.5, 0.0)] * 3) == box
