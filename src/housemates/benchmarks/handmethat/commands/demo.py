"""Rows for the tour of all benchmarks: one episode of each hardness level, played by the listener."""

from __future__ import annotations

from typing import Any

from housemates.benchmarks.handmethat.benchmark import HandMeThat, HandMeThatOptions, instance_of
from housemates.benchmarks.handmethat.generate.synthesis import Settings, generate_one
from housemates.core.benchmark import Reference
from housemates.core.episode import play
from housemates.core.loading import maker


def rows() -> list[dict[str, Any]]:
    """For each level: the utterance, the agent, whether it succeeded, and its moves."""
    found = []
    benchmark = HandMeThat(HandMeThatOptions(questions=1.0))
    for number in range(4):
        episode = generate_one(7, number, Settings(2, balanced=True))
        session = benchmark.session(instance_of(episode, Reference(episode.name)))
        play(session, {"robot": maker("handmethat", "robot", "listener")()})
        found.append(
            {
                "level": episode.level,
                "utterance": episode.instruction,
                "agent": "listener",
                "success": session.success,
                "moves": session.moves,
                "questions": session.asked,
            }
        )
    return found
