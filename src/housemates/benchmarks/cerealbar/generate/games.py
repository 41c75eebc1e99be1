"""Games between scripted people, recorded: the corpus that followers are trained and tested on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from housemates.benchmarks.cerealbar.formats.episodes import SPLITS, Recording, recording_of
from housemates.benchmarks.cerealbar.generate.maps import new_game
from housemates.benchmarks.cerealbar.session import Clock, GameSession
from housemates.benchmarks.cerealbar.world.state import LEADER, Action, Game
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance
from housemates.core.episode import play
from housemates.core.loading import maker
from housemates.core.percepts import Limits
from housemates.errors import HousematesError

SHARES = (960, 120, 122)
"""Games of the published corpus: train, development, test."""
LIMITS = Limits(steps=5000, failures=200)


class PersonsClock:
    """Seconds as people need them: to think, to move, to type, to read."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.tempo = [float(rng.lognormal(0.0, 0.25)) for _ in range(2)]

    def seconds(self, role: int, last: Action | None) -> float:
        """Thinking at the start of a turn, typing after an instruction, a moment for a move."""
        if last is None:
            needed = 13.0 if role == LEADER else 2.5
        elif last.name == "SAY":
            needed = 2.0 + 0.12 * len(last.text)
        else:
            needed = 1.2 if role == LEADER else 1.0
        return round(needed * self.tempo[role] * float(self.rng.lognormal(-0.05, 0.3)), 2)


def habits(rng: np.random.Generator) -> dict[str, Any]:
    """How one person leads: options of the leader `talking`, from ranges that give the paper's Table 3."""
    return {
        "lookahead": bool(rng.random() < 0.15),
        "ahead": float(0.4 * rng.random()),
        "split": float(0.5 + 0.5 * rng.random()),
        "silent": float(0.65 * rng.random()),
        "whim": 1 + int(rng.random() * 5),
    }


def players(rng: np.random.Generator) -> dict[str, Agent]:
    """Two people: a leader with habits and a manner of its own, and a follower who sees as people do."""
    leader = maker("cerealbar", "leader", "talking")(**habits(rng))
    return {"leader": leader, "follower": maker("cerealbar", "follower", "talking")()}


def play_game(seed: int, number: int) -> Recording:
    """One game of the corpus."""
    rng = np.random.default_rng([seed, number])
    game = new_game(int(rng.integers(2**31)))
    return record(game, players(rng), f"s{seed}-{number:05d}", PersonsClock(rng), partial=True)


def record(
    game: Game,
    agents: Mapping[str, Agent],
    name: str,
    clock: Clock | None = None,
    partial: bool = False,
    limits: Limits = LIMITS,
) -> Recording:
    """Let two agents play a game to its end and keep all of it."""
    initial = game.snapshot()
    session = GameSession(Instance(name, "game", None, game.seed), limits, game, partial, clock or False)
    trace = play(session, agents)
    if trace.ended != "done":
        raise HousematesError(f"{name}: {trace.error or f'the game came to the limit of {trace.ended}'}.")
    return recording_of(name, initial, session.actions, session.seconds)


def assign_splits(games: Sequence[Recording]) -> None:
    """Share the games out so that every split has the same mix of scores."""
    given = [0, 0, 0]
    for rank, game in enumerate(sorted(games, key=lambda game: (game.score, game.id))):
        due = [share / sum(SHARES) * (rank + 1) - done for share, done in zip(SHARES, given, strict=True)]
        split = due.index(max(due))
        given[split] += 1
        game.split = SPLITS[split]
