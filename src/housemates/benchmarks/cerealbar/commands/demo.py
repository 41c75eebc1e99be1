"""Rows for the demonstration: one game of each pair."""

from __future__ import annotations

from typing import Any

from housemates.benchmarks.cerealbar.benchmark import Games
from housemates.benchmarks.cerealbar.generate.games import record
from housemates.benchmarks.cerealbar.generate.maps import new_game
from housemates.core.loading import make_agents, seat_all

SEED = 4


def rows() -> list[dict[str, Any]]:
    """A game of each pair: pair, seed, points, turns, instructions."""
    found = []
    for name in ("planner", "talking", "random"):
        game = new_game(SEED)
        recording = record(game, make_agents(Games, seat_all(Games, [name], {})), f"demo-{name}")
        found.append(
            {
                "pair": name,
                "seed": SEED,
                "points": recording.score,
                "turns": game.turn,
                "instructions": len(recording.instructions),
            }
        )
    return found
