"""Rows for the demonstration: one game of each pair."""

from __future__ import annotations

from typing import Any

from housemates.benchmarks.cerealbar.agents.baselines import pair
from housemates.benchmarks.cerealbar.files.episodes import record
from housemates.benchmarks.cerealbar.world.dynamics import new_game

SEED = 4


def rows() -> list[dict[str, Any]]:
    """A game of each pair: pair, seed, score, turns, instructions."""
    found = []
    for name in ("planner", "talking", "random"):
        game = new_game(SEED)
        recording = record(game, pair(name), f"demo-{name}")
        found.append(
            {
                "pair": name,
                "seed": SEED,
                "score": recording.score,
                "turns": game.turn,
                "instructions": len(recording.instructions),
            }
        )
    return found
