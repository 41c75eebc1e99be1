"""Telling Gymnasium which environments there are, without importing any of them."""

from __future__ import annotations

from housemates.core.registry import specs


def register_environments() -> None:
    """Make every environment known to Gymnasium by its id."""
    import gymnasium

    for spec in specs().values():
        for env_id in spec.environments:
            if env_id not in gymnasium.registry:
                gymnasium.register(
                    env_id,
                    entry_point=f"{__package__}.seats:SeatEnv",
                    vector_entry_point=f"{__package__}.vector:SeatVectorEnv",
                    kwargs={"env_id": env_id},
                )
