"""Rows for the tour of all benchmarks: a new game of each type, played by the agent that reads."""

from __future__ import annotations

from typing import Any

from housemates.benchmarks.alfworld.benchmark import Alfworld, AlfworldOptions
from housemates.benchmarks.alfworld.tasks.types import TYPES
from housemates.core.episode import play
from housemates.core.loading import maker


def rows() -> list[dict[str, Any]]:
    """For each type: the task, the agent, whether it succeeded, and its steps."""
    found = []
    for kind in TYPES:
        benchmark = Alfworld(AlfworldOptions(task=kind))  # type: ignore[arg-type]
        (instance,) = benchmark.open(next(benchmark.references("generated", 7)))
        session = benchmark.session(instance)
        trace = play(session, {"agent": maker("alfworld", "agent", "heuristic")()})
        task = session.goal("agent").partition(": ")[2]
        found.append({"task": task, "agent": "heuristic", "success": session.won, "steps": len(trace.steps)})
    return found
