"""Grouping: what hangs together is one thing unless its parts point to different middles."""

from __future__ import annotations

import numpy as np

from housemates.models.segmentation.instance_grouping import group

NOWHERE = np.zeros((60, 60), bool)


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
    numbers, kinds = group(types, NOWHERE, towards(types, {1: (20, 20), 2: (40, 20)}, whose), 4)
    assert kinds.tolist() == [0, 7, 7]
    for owner in (1, 2):
        assert len(set(numbers[whose == owner])) == 1
    assert not numbers[types == 0].any()


def test_a_region_with_one_middle_is_one_thing() -> None:
    types = np.zeros((60, 60), np.uint8)
    types[10:30, 10:50] = 7
    numbers, kinds = group(types, NOWHERE, towards(types, {7: (30, 20)}, types), 4)
    assert kinds.tolist() == [0, 7]
    assert (numbers == (types == 7)).all()


def test_what_is_too_small_is_left_out() -> None:
    types = np.zeros((60, 60), np.uint8)
    types[5, 5:8] = 3
    assert group(types, NOWHERE, np.zeros((60, 60, 2), np.float32), 4)[1].tolist() == [0]


def test_rims_part_what_points_to_one_middle_and_belong_to_what_is_beside_them() -> None:
    types = np.zeros((60, 60), np.uint8)
    types[10:30, 10:50] = 7
    rims = NOWHERE.copy()
    rims[10:30, 29:31] = True
    numbers, kinds = group(types, rims, towards(types, {7: (30, 20)}, types), 4)
    assert kinds.tolist() == [0, 7, 7]
    assert (numbers[10:30, 10:30] == 1).all() and (numbers[10:30, 30:50] == 2).all()


def test_what_is_all_rim_is_a_thing_too() -> None:
    types = np.zeros((60, 60), np.uint8)
    types[10:12, 10:50] = 7
    numbers, kinds = group(types, types > 0, towards(types, {7: (30, 10)}, types), 4)
    assert kinds.tolist() == [0, 7]
    assert (numbers > 0).sum() == 80
