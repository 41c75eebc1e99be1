"""Rows for the demonstration: both pairs at each of the twelve tasks."""

from __future__ import annotations

from typing import Any

from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.generate.sampling import Draw
from housemates.benchmarks.teach.generate.sessions import session_of
from housemates.core import registry
from housemates.core.episode import play
from housemates.core.loading import make_alike
from housemates.parallel import map_ordered

SEED = 4
PAIRS = ("rule", "talk")


def rows() -> list[dict[str, Any]]:
    """A session of each pair at each task, from the same start: its length, and why it failed if it did."""
    drawn = sampling.draws(SEED, 12, sampling.task_names())
    return list(map_ordered(_row, drawn, label="teach"))


def _row(drawn: Draw) -> dict[str, Any]:
    row: dict[str, Any] = {"task": drawn.task}
    for name in PAIRS:
        session = session_of(drawn)
        row["room"] = session.world.home.scene.id
        trace = play(session, make_alike(registry.benchmark_class("teach-tatc"), name))
        said = len(session.dialogue)
        done = f"{len(session.recorder.interactions) - said} acts, {said} said"
        ended = "stopped" if trace.ended == "done" else trace.ended
        row[name] = done if session.complete else f"{done} ({ended})"
    return row
