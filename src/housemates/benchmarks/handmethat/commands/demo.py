"""Rows for the tour of all benchmarks: one episode of each hardness level, played by the listener."""

from __future__ import annotations

from typing import Any

from housemates.benchmarks.base import Reference
from housemates.benchmarks.handmethat.agents.listening import ListenerAgent
from housemates.benchmarks.handmethat.benchmark import HandMeThat, HandMeThatOptions, instance_of
from housemates.benchmarks.handmethat.generate.making import Settings, generate_one
from housemates.benchmarks.play import play


def rows() -> list[dict[str, Any]]:
    """For each level: the utterance, the agent, whether it succeeded, and its moves."""
    found = []
    benchmark = HandMeThat(HandMeThatOptions(questions=1.0))
    for number in range(4):
        episode = generate_one(7, number, Settings(2, balanced=True))
        session = benchmark.session(instance_of(episode, Reference(episode.name)))
        play(session, {"robot": ListenerAgent()})
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
