"""Household agents you can talk to: four benchmarks, one home, one runner."""

from __future__ import annotations

from typing import Any

from housemates.lazy_registration import announce

__version__ = "1.0.0"


def make(env_id: str, **options: Any) -> Any:
    """Make a Gymnasium environment by its id, for example `housemates/home-v3`."""
    import gymnasium

    return gymnasium.make(env_id, **options)


def make_aec(env_id: str, **options: Any) -> Any:
    """Make a PettingZoo environment of all seats by its id, for example `housemates/teach-tatc-v3`."""
    from housemates.envs.seats import SeatsEnv

    return SeatsEnv(env_id, **options)


def make_vec(env_id: str, num_envs: int = 1, **options: Any) -> Any:
    """Make a Gymnasium vector environment in one process, whose pictures are drawn in one call."""
    from housemates.envs.vector import SeatVectorEnv

    return SeatVectorEnv(env_id, num_envs, **options)


announce()
