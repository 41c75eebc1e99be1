"""Rows for the tour of all benchmarks: one episode of each hardness level, played by the listener."""

from __future__ import annotations

from typing import Any

from housemates.benchmarks.base import Instance
from housemates.benchmarks.handmethat.benchmark import HandMeThat
from housemates.benchmarks.handmethat.files.episodes import to_record
from housemates.benchmarks.handmethat.generate.making import Settings, generate_one


def rows() -> list[dict[str, Any]]:
    """For each level: the utterance, the agent, whether it succeeded, and its moves."""
    found = []
    benchmark = HandMeThat(questions=1)
    for level in range(1, 5):
        episode = generate_one(7, level - 1, settings=Settings(2, balanced=True))
        instance = Instance(episode.name, f"level {level}", to_record(episode))
        session = benchmark.session(instance)
        agent = benchmark.agents("listener")["robot"]
        agent.reset(instance)
        while session.role is not None:
            session.act(agent.act(session.observe()))
        env = session.env  # type: ignore[attr-defined]
        found.append(
            {
                "level": episode.level,
                "utterance": episode.instruction,
                "agent": "listener",
                "success": env.success,
                "moves": env.moves,
                "questions": env.asked,
            }
        )
    return found
