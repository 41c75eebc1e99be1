"""An agent that does anything at all."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from housemates.benchmarks.base import Instance


class RandomAgent:
    """Draws each action anew; the same instance gives the same draws.

    Args:
        draw: Makes an action of an observation and a source of randomness, for example
            `lambda observation, rng: env.action_space.sample()` with a seeded space.
        role: Two agents of one episode draw differently if their roles differ.
    """

    def __init__(self, draw: Callable[[Any, np.random.Generator], Any], role: str = "") -> None:
        self._draw = draw
        self._role = role
        self._rng = np.random.default_rng(0)

    def reset(self, instance: Instance) -> None:
        """Start the draws that belong to this instance."""
        name = zlib.crc32(f"{instance.id}/{self._role}".encode())
        self._rng = np.random.default_rng([instance.seed, name])

    def act(self, observation: Any) -> Any:
        """Draw an action."""
        return self._draw(observation, self._rng)
