"""Rows for the demonstration: both pairs at each of the twelve tasks."""

from __future__ import annotations

from typing import Any

from housemates.benchmarks.base import Instance
from housemates.benchmarks.teach.agents import baselines
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.generate.sampling import Draw
from housemates.benchmarks.teach.tatc import Tatc, TatcSession, play
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
        instance = Instance(drawn.id, drawn.task, drawn, SEED)
        session: TatcSession = Tatc().session(instance)
        agents = baselines.pair(name)
        for agent in agents.values():
            agent.reset(instance)
        row["room"] = session.session.world.home.scene.id
        ended = play(session, agents, Tatc.limits)
        said = len(session.session.dialogue)
        done = f"{len(session.session.interactions) - said} acts, {said} said"
        row[name] = done if ended == "complete" else f"{done} ({ended})"
    return row
