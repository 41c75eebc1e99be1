"""Games that several tests look at."""

from __future__ import annotations

import pytest

from housemates.benchmarks.cerealbar.baselines import pair
from housemates.benchmarks.cerealbar.episodes import Recording, record
from housemates.benchmarks.cerealbar.generate import play
from housemates.benchmarks.cerealbar.world import new_game


@pytest.fixture(scope="session")
def corpus() -> list[Recording]:
    """A few games as `housemates generate cerealbar` makes them."""
    return [play(7, number) for number in range(8)]


@pytest.fixture(scope="session")
def planned() -> Recording:
    """A game of the planner pair."""
    return record(new_game(5), pair("planner"), "planned")
