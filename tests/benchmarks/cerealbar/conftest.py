"""Games that several tests look at."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from housemates.benchmarks.base import Agent
from housemates.benchmarks.cerealbar.benchmark import Games
from housemates.benchmarks.cerealbar.files.episodes import Recording
from housemates.benchmarks.cerealbar.generate.games import play_game, record
from housemates.benchmarks.cerealbar.generate.maps import new_game
from housemates.benchmarks.seating import make_agents, seat_all

Pair = Callable[..., dict[str, Agent]]


@pytest.fixture(scope="session")
def pair() -> Pair:
    """Makes a leader and a follower by their names."""

    def made(*names: str) -> dict[str, Agent]:
        return make_agents(Games, seat_all(Games, names, {}))

    return made


@pytest.fixture(scope="session")
def corpus() -> list[Recording]:
    """A few games as `housemates generate cerealbar` makes them."""
    return [play_game(7, number) for number in range(8)]


@pytest.fixture(scope="session")
def planned(pair: Pair) -> Recording:
    """A game of the planner pair."""
    return record(new_game(5), pair("planner"), "planned")
