"""Grouping: what hangs together is one thing unless its parts point to different middles."""

from __future__ import annotations

import numpy as np

from housemates.models.eyes.grouping import group


def towards(types: np.ndarray, middles: dict[int, tuple[int, int]], whose: np.ndarray) -> np.ndarray:
    """Offsets of every place to the middle (column, row) of whatever it belongs to."""
    offsets = np.zeros((*types.shape, 2), np.float32)
    rows, columns = np.indices(types.shape)
    for owner, (x, y) in middles.items():
        mine = whose == owner
        offsets[mine, 0], offsets[mine, 1] = x - columns[mine], y - rows[mine]
    return offsets


def test_two_cabinets_side_by_side_are_two() -> None:
    types = np.zeros((60, 60), np.uint8)
    types[10:30, 10:50] = 7
    whose = np.zeros_like(types)
    whose[10:30, 10:30], whose[10:30, 30:50] = 1, 2
    numbers, kinds = group(types, towards(types, {1: (20, 20), 2: (40, 20)}, whose), 4)
    assert kinds.tolist() == [0, 7, 7]
    for owner in (1, 2):
        assert len(set(numbers[whose == owner])) == 1
    assert not numbers[types == 0].any()


def test_a_region_with_one_middle_is_one_thing() -> None:
    types = np.zeros((60, 60), np.uint8)
    types[10:30, 10:50] = 7
    numbers, kinds = group(types, towards(types, {7: (30, 20)}, types), 4)
    assert kinds.tolist() == [0, 7]
    assert (numbers == (types == 7)).all()


def test_what_is_too_small_is_left_out() -> None:
    types = np.zeros((60, 60), np.uint8)
    types[5, 5:8] = 3
    assert group(types, np.zeros((60, 60, 2), np.float32), 4)[1].tolist() == [0]
