"""Household agents you can talk to: four benchmarks, one home, one runner."""

from __future__ import annotations

from collections.abc import Sequence
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


def make_vec(
    env_id: str,
    num_envs: int = 1,
    vectorization_mode: str | None = None,
    vector_kwargs: dict[str, Any] | None = None,
    wrappers: Sequence[Any] | None = None,
    **options: Any,
) -> Any:
    """Make a Gymnasium vector environment; the names are those of `gymnasium.make_vec`.

    Args:
        env_id: For example `housemates/home-v3`.
        num_envs: How many environments.
        vectorization_mode: `sync` and `async` are Gymnasium's own, `async` with a process for each one;
            by default all are in this process, and their pictures are drawn in one call.
        vector_kwargs: Of the vector environment, such as `autoreset_mode`, `copy`, or `shared_memory`.
        wrappers: Applied to each environment; with `sync` and `async` alone.
        options: As for one environment.
    """
    if vectorization_mode in ("sync", "async"):
        import gymnasium

        return gymnasium.make_vec(
            env_id,
            num_envs,
            vectorization_mode=vectorization_mode,
            vector_kwargs=vector_kwargs,
            wrappers=wrappers,
            **options,
        )
    from housemates.envs.vector import SeatVectorEnv
    from housemates.errors import HousematesError

    if vectorization_mode not in (None, "vector_entry_point"):
        known = "sync, async or vector_entry_point"
        raise HousematesError(f"vectorization_mode: expected {known}, found {vectorization_mode!r}.")
    if wrappers:
        raise HousematesError(
            "wrappers: expected vectorization_mode=sync or async, whose environments they wrap."
        )
    return SeatVectorEnv(env_id, num_envs, **(vector_kwargs or {}), **options)


announce()
