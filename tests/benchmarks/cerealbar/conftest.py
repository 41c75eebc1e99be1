"""Games that several tests look at."""

from __future__ import annotations

import pytest

from housemates.benchmarks.cerealbar.agents.baselines import pair
from housemates.benchmarks.cerealbar.files.episodes import Recording, record
from housemates.benchmarks.cerealbar.generate.games import play
from housemates.benchmarks.cerealbar.world.dynamics import new_game


@pytest.fixture(scope="session")
def corpus() -> list[Recording]:
    """A few games as `housemates generate cerealbar` makes them."""
    return [play(7, number) for number in range(8)]


@pytest.fixture(scope="session")
def planned() -> Recording:
    """A game of the planner pair."""
    return record(new_game(5), pair("planner"), "planned")
