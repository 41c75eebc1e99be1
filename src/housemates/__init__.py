"""Household agents you can talk to: four benchmarks, one home, one runner."""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"


def make(env_id: str, **options: Any) -> Any:
    """Make an environment by its Gymnasium id, for example `housemates/home-v1`."""
    import gymnasium

    from housemates.benchmarks.registry import register_environments

    register_environments()
    return gymnasium.make(env_id, **options)
