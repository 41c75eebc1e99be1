"""What an expert who shows what was meant reads on the way, as the official files hold it."""

from __future__ import annotations

from typing import Any

from housemates.benchmarks.handmethat.session import HandMeThatSession
from housemates.benchmarks.handmethat.tasks.episodes import Episode
from housemates.core.benchmark import Instance
from housemates.core.episode import play
from housemates.core.loading import maker
from housemates.core.session import Session
from housemates.core.trace import Step


def demonstrate(episode: Episode, fully: bool) -> tuple[HandMeThatSession, list[str]]:
    """Play the demonstration in the reference's words.

    Returns:
        The session at its end, and all that had been read before each command.
    """
    instance = Instance(episode.name, "demonstration", episode)
    session = HandMeThatSession(instance, fully=fully, style="reference")
    history = [session.narrator.welcome(fully)]

    def read_on(_: Session, step: Step) -> None:
        if step.act is not None and step.act.name == "Command":
            command = step.act.arguments["command"]
            history.append(f"{history[-1]} [SEP] {command} [SEP] {step.outcome.message}")

    play(session, {"robot": maker("handmethat", "robot", "expert")()}, instance, read_on)
    return session, history[:-1]


def observations(episode: Episode) -> dict[str, Any]:
    """The demonstration's texts, partially and fully observable."""
    return {
        "demo_observations_partially": demonstrate(episode, fully=False)[1],
        "demo_observations_fully": demonstrate(episode, fully=True)[1],
    }
