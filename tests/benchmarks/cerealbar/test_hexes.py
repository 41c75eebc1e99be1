"""The grid: steps, turns and distances agree with each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from housemates.benchmarks.cerealbar.world import hexes
from housemates.benchmarks.cerealbar.world.hexes import Size

SIZE = Size(25, 25)
HEX = st.integers(0, 624)


@pytest.mark.parametrize(
    ("row", "deltas"),
    [
        (4, [(0, 1), (1, 0), (0, -1), (-1, -1), (-1, 0), (-1, 1)]),
        (5, [(1, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (0, 1)]),
    ],
)
def test_the_neighbours_of_even_and_odd_rows_are_those_of_the_original(
    row: int, deltas: list[tuple[int, int]]
) -> None:
    at = row * 25 + 7
    found = [(to % 25 - 7, to // 25 - row) for to in hexes.neighbours(SIZE)[at]]
    assert found == deltas


@given(HEX, st.integers(0, 5))
def test_a_step_there_and_a_step_back_lead_home(at: int, heading: int) -> None:
    to = hexes.neighbours(SIZE)[at][heading]
    if to >= 0:
        assert hexes.neighbours(SIZE)[to][(heading + 3) % 6] == at
        assert hexes.distance(at, to, 25) == 1
        assert hexes.bearing(at, heading, to, 25) == pytest.approx(0.0, abs=1e-9)


@given(HEX, HEX, HEX)
def test_distance_is_a_metric(a: int, b: int, c: int) -> None:
    assert hexes.distance(a, b, 25) == hexes.distance(b, a, 25)
    assert (hexes.distance(a, b, 25) == 0) == (a == b)
    assert hexes.distance(a, c, 25) <= hexes.distance(a, b, 25) + hexes.distance(b, c, 25)


@given(st.integers(-30, 30), st.integers(-30, 30), st.integers(0, 11))
def test_six_turns_are_none_and_turning_keeps_the_distance(q: int, r: int, times: int) -> None:
    assert hexes.rotate(q, r, 6) == (q, r)
    turned = hexes.rotate(q, r, times)
    assert max(map(abs, (*turned, sum(turned)))) == max(abs(q), abs(r), abs(q + r))
    assert hexes.rotate(*turned, -times) == (q, r)


def test_all_six_neighbours_are_equally_far_in_the_plane() -> None:
    points = hexes.centres(SIZE)
    around = points[list(hexes.neighbours(SIZE)[312])] - points[312]
    assert np.allclose(np.hypot(around[:, 0], around[:, 1]), hexes.SPACING_X)
