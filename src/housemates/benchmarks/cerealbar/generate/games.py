"""`housemates generate cerealbar`: let talking pairs play games and keep them as a corpus."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from housemates.benchmarks.base import Agent
from housemates.benchmarks.cerealbar.agents.follower import EnglishFollower
from housemates.benchmarks.cerealbar.agents.language.speaker import EnglishSpeaker
from housemates.benchmarks.cerealbar.agents.leader import Habits, Leader
from housemates.benchmarks.cerealbar.files.episodes import (
    SPLITS,
    Clock,
    Recording,
    from_json,
    record,
    to_json,
    write_recordings,
)
from housemates.benchmarks.cerealbar.files.report import show
from housemates.benchmarks.cerealbar.files.statistics import describe
from housemates.benchmarks.cerealbar.world.dynamics import new_game
from housemates.benchmarks.cerealbar.world.state import LEADER, Action
from housemates.errors import HousematesError
from housemates.files import read_lines
from housemates.parallel import map_ordered

SHARES = (960, 120, 122)
"""Games of the published corpus: train, development, test."""


class PersonsClock(Clock):
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


def players(rng: np.random.Generator) -> dict[str, Agent]:
    """Two people: a leader with habits and a manner of its own, and a follower who sees as people do."""
    habits = Habits(
        back=False,
        lookahead=bool(rng.random() < 0.15),
        ahead=float(0.4 * rng.random()),
        split=float(0.5 + 0.5 * rng.random()),
        silent=float(0.65 * rng.random()),
        whim=1 + int(rng.random() * 5),
    )
    return {"leader": Leader(EnglishSpeaker(), habits), "follower": EnglishFollower()}


def play(seed: int, number: int) -> Recording:
    """One game of the corpus."""
    rng = np.random.default_rng([seed, number])
    game = new_game(int(rng.integers(2**31)))
    return record(game, players(rng), f"s{seed}-{number:05d}", PersonsClock(rng), partial=True)


def assign_splits(games: Sequence[Recording]) -> None:
    """Share the games out so that every split has the same mix of scores."""
    given = [0, 0, 0]
    for rank, game in enumerate(sorted(games, key=lambda game: (game.score, game.id))):
        due = [share / sum(SHARES) * (rank + 1) - done for share, done in zip(SHARES, given, strict=True)]
        split = due.index(max(due))
        given[split] += 1
        game.split = SPLITS[split]


@dataclass
class Generate:
    """Play games between a talking leader and a follower and keep them with their instructions aligned."""

    n: int = 1202
    """How many games; shared out 960:120:122."""
    seed: int = 0
    """Where all randomness comes from."""
    out: Path = Path("out/cerealbar")
    """Folder for train, development and test; an interrupted run goes on from it."""
    workers: int | None = None
    """Processes; all processors by default."""
    json: bool = False
    """Print one line of JSON instead of a table."""

    def run(self) -> None:
        """Generate, write and print the statistics."""
        if self.n < 1:
            raise HousematesError(f"--n: expected at least 1 game, found {self.n}.")
        games = self.games()
        assign_splits(games)
        for split in SPLITS:
            write_recordings(self.out / f"{split}.jsonl.zst", [game for game in games if game.split == split])
        self.unfinished.unlink(missing_ok=True)
        show(
            {
                **describe([game for game in games if game.split == "train"]),
                **_counts(games),
                "out": str(self.out),
            },
            self.json,
        )

    @property
    def unfinished(self) -> Path:
        """Where games are kept until all are there."""
        return self.out / f"unfinished-s{self.seed}.jsonl"

    def games(self) -> list[Recording]:
        """Those of an interrupted run and the rest, each kept as soon as it is there."""
        done = self.kept()[: self.n]
        self.out.mkdir(parents=True, exist_ok=True)
        label = None if self.json else "cerealbar games"
        with self.unfinished.open("a", encoding="utf-8") as stream:
            rest = range(len(done), self.n)
            for game in map_ordered(partial(play, self.seed), rest, self.workers, label):
                stream.write(json.dumps(to_json(game)) + "\n")
                stream.flush()
                done.append(game)
        return done

    def kept(self) -> list[Recording]:
        """Games of an interrupted run; what was cut off in the middle of a line is made again."""
        games: list[Recording] = []
        if self.unfinished.exists():
            try:
                for line in read_lines(self.unfinished):
                    games.append(from_json(line.value, f"{self.unfinished}: line {line.number}"))
            except HousematesError:
                write_recordings(self.unfinished, games)
        return games


def _counts(games: Sequence[Recording]) -> dict[str, int]:
    return {"games": len(games), **{split: sum(game.split == split for game in games) for split in SPLITS}}
