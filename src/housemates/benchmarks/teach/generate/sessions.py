"""New sessions: pairs play sampled tasks, and what succeeds and replays is kept as an official game."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from housemates.benchmarks.teach.formats.episodes import Game, parse_game
from housemates.benchmarks.teach.formats.replay import replay
from housemates.benchmarks.teach.formats.scenes import scene_of
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.generate.sampling import Draw
from housemates.benchmarks.teach.session import LIMITS, TatcSession
from housemates.core import registry
from housemates.core.benchmark import Instance
from housemates.core.episode import play
from housemates.core.loading import make_alike
from housemates.errors import HousematesError

ATTEMPTS = 20
"""How often a session is begun anew until one succeeds."""


@dataclass(frozen=True)
class Made:
    """A session that was kept, and what was thrown away before it."""

    id: str
    task: str
    game: bytes
    """The official game as JSON."""
    rejected: Mapping[str, int] = field(default_factory=dict)
    """Why attempts before were thrown away, and how many."""
    cpu_s: float = 0.0
    """How long all of it took."""


def make(drawn: Draw, pair: str = "rule", options: Mapping[str, str] | None = None) -> Made:
    """Let a pair play until a session succeeds: always the same one.

    Args:
        drawn: What is played.
        pair: The agent of both seats; one that cannot take a seat plays with the usual partner.
        options: Of the agents.

    Raises:
        HousematesError: if none does.
    """
    began = time.process_time()
    rejected: dict[str, int] = {}
    for attempt in range(ATTEMPTS):
        reason, game = _attempt(replace(drawn, attempt=attempt), pair, options)
        if game is not None:
            return Made(drawn.id, drawn.task, game, rejected, round(time.process_time() - began, 3))
        rejected[reason] = rejected.get(reason, 0) + 1
    told = ", ".join(f"{count} {reason}" for reason, count in rejected.items())
    raise HousematesError(f"{drawn.id}: {drawn.task}: no session succeeded ({told}).")


def _attempt(drawn: Draw, pair: str, options: Mapping[str, str] | None) -> tuple[str, bytes | None]:
    """How an attempt ended, and the game if it is to be kept."""
    session = session_of(drawn)
    trace = play(session, make_alike(registry.benchmark_class("teach-tatc"), pair, options))
    if not session.complete:
        return "gave up" if trace.ended == "done" else trace.ended, None
    game = session.game(drawn.id).to_json()
    return ("kept", game) if succeeds_again(parse_game(game, drawn.id)) else ("did not replay", None)


def session_of(drawn: Draw) -> TatcSession:
    """A new session from a sampled start."""
    instance = Instance(f"{drawn.id}-{drawn.attempt}", drawn.task, sampling.start(drawn), drawn.seed)
    return TatcSession(instance, LIMITS)


def succeeds_again(game: Game) -> bool:
    """Whether a session of ours, replayed by the ids of objects, ends with its task complete."""
    return replay(game, scene_of(game), refusals=False).success
