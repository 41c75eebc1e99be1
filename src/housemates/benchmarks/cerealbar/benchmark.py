"""What is asked: play a whole game, or follow the leader of a recorded one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from statistics import mean, median
from typing import Any

from housemates.benchmarks.base import Agent, Instance, Limits, Outcome, Session, Trace
from housemates.benchmarks.cerealbar.agents.baselines import IdlePlayer, RandomPlayer, pair
from housemates.benchmarks.cerealbar.agents.follower import EnglishFollower
from housemates.benchmarks.cerealbar.files.episodes import SPLITS, Recording, read_recordings
from housemates.benchmarks.cerealbar.generate.games import play
from housemates.benchmarks.cerealbar.metrics import COLUMNS, PAPER, released, score_example, table_row
from housemates.benchmarks.cerealbar.tasks.recorded import OracleFollower, RecordedSession, Script, take_apart
from housemates.benchmarks.cerealbar.world.dynamics import act, new_game
from housemates.benchmarks.cerealbar.world.observe import Memory, Observation, observe
from housemates.benchmarks.cerealbar.world.state import ROLES, Action, Game
from housemates.errors import HousematesError

VIEWS = {"full": False, "partial": True}
TURN_ENDS = {"ten": True, "recorded": False}


class GameSession:
    """One running game between two players."""

    def __init__(self, game: Game, partial: bool = False) -> None:
        self.game = game
        self.memory = Memory() if partial else None

    @property
    def role(self) -> str | None:
        """Whose turn it is; None when the game is over."""
        return None if self.game.over else ROLES[self.game.role]

    def observe(self) -> Observation:
        """What that player perceives."""
        return observe(self.game, self.game.role, self.memory)

    def act(self, action: Any) -> Outcome:
        """Carry out an `Action`, or the name of a move."""
        if isinstance(action, str):
            action = Action(action)
        if not isinstance(action, Action):
            return Outcome(False, f"Expected an Action or the name of a move, found {action!r}.")
        return act(self.game, self.game.role, action)


def choose(name: str, given: str, options: Mapping[str, bool]) -> bool:
    """The meaning of an option's value."""
    if given not in options:
        raise HousematesError(f"cerealbar: {name}: expected one of {', '.join(options)}, found {given!r}.")
    return options[given]


class Games:
    """Whole games between a leader and a follower, scored by their points.

    Args:
        view: What the follower sees: `full` as in the paper's model, or `partial` as people do.
    """

    name = "cerealbar"
    id = "housemates/cerealbar-v1"
    roles = ROLES
    limits = Limits(steps=5000, failures=200)

    def __init__(self, view: str = "full") -> None:
        self.partial = choose("view", view, VIEWS)

    def instances(self, split: str, episodes: int | None, seed: int) -> Sequence[Instance]:
        """Games on new maps."""
        if split != "generated":
            raise HousematesError(f"cerealbar: split: expected 'generated', found {split!r}.")
        return [
            Instance(f"game-{seed}-{i}", "game", None, seed * 100_000 + i) for i in range(episodes or 200)
        ]

    def session(self, instance: Instance) -> GameSession:
        """Begin a game."""
        return GameSession(new_game(instance.seed), self.partial)

    def agents(self, name: str) -> Mapping[str, Agent]:
        """`planner`, `talking`, `random`, `idle`, or a leader and a follower as in `talking+random`."""
        return pair(name)

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Points, turns and instructions."""
        assert isinstance(session, GameSession)
        game = session.game
        return {
            "score": float(game.score),
            "turns": float(game.turn),
            "instructions": float(len(game.instructions)),
        }

    def summarise(self, scores: Sequence[tuple[Instance, dict[str, float]]]) -> dict[str, Any]:
        """Means, and how the score is spread."""
        rows = [score for _, score in scores if score]
        if not rows:
            return {"games": 0}
        points = [row["score"] for row in rows]
        return {
            "games": len(rows),
            "score": round(mean(points), 2),
            "median": median(points),
            "least": min(points),
            "most": max(points),
            "turns": round(mean(row["turns"] for row in rows), 2),
            "instructions": round(mean(row["instructions"] for row in rows), 2),
            "people": 12.7,
        }


@dataclass(frozen=True)
class Example:
    """Where a recorded game is found, and the instruction at which to begin."""

    source: str
    """A file of recordings, or empty for a game made from the seed."""
    seed: int
    number: int
    """Of the game in the file, or of the generated game."""
    first: int

    def script(self) -> Script:
        """The recording, taken apart; kept for the next example of the same game."""
        return _script(self.source, self.seed, self.number)


@lru_cache(maxsize=4)
def _recordings(source: str) -> list[Recording]:
    return read_recordings(Path(source))


@lru_cache(maxsize=16)
def _script(source: str, seed: int, number: int) -> Script:
    return take_apart(_recordings(source)[number] if source else play(seed, number))


class Recorded:
    """Recorded games, each from every one of its instructions to the end: cascaded evaluation.

    Args:
        store: Folder with `train`, `development` and `test` as `housemates generate cerealbar` writes them.
        turns: `ten` steps in every turn of the follower, as in the paper, or as many as `recorded`.
        view: What the follower sees: `full` or `partial`.
    """

    name = "cerealbar-recorded"
    id = "housemates/cerealbar-recorded-v1"
    roles = ("follower",)
    limits = Limits(steps=5000, failures=50)

    def __init__(self, store: str = "out/cerealbar", turns: str = "ten", view: str = "full") -> None:
        self.store = Path(store)
        self.ten_steps = choose("turns", turns, TURN_ENDS)
        self.partial = choose("view", view, VIEWS)

    def instances(self, split: str, episodes: int | None, seed: int) -> Sequence[Instance]:
        """An instance for every instruction that was finished in the games of a split."""
        if split == "generated":
            sources = [("", seed, number) for number in range(episodes or 20)]
        elif split in SPLITS:
            path = str(self.store / f"{split}.jsonl.zst")
            sources = [(path, 0, number) for number in range(len(_recordings(path)))][:episodes]
        else:
            expected = ", ".join([*SPLITS, "generated"])
            raise HousematesError(f"cerealbar-recorded: split: expected one of {expected}, found {split!r}.")
        return [
            Instance(f"{script.recording.id}/{first}", script.recording.id, Example(*source, first), first)
            for source in sources
            for script in [_script(*source)]
            for first in script.completed
        ]

    def session(self, instance: Instance) -> RecordedSession:
        """Begin at the instance's instruction."""
        return RecordedSession(instance.data.script(), instance.data.first, self.ten_steps, self.partial)

    def agents(self, name: str) -> Mapping[str, Agent]:
        """`oracle`, `english`, `random` or `idle`."""
        makers: dict[str, type[Agent]] = {
            "oracle": OracleFollower,
            "english": EnglishFollower,
            "random": RandomPlayer,
            "idle": IdlePlayer,
        }
        if name not in makers:
            raise HousematesError(
                f"cerealbar-recorded: agents: expected one of {', '.join(makers)}, found {name!r}."
            )
        return {"follower": makers[name]()}

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Instruction-level and cascaded numbers of one example."""
        assert isinstance(session, RecordedSession)
        return self.score_session(instance, session)

    def score_session(self, instance: Instance, session: RecordedSession) -> dict[str, float]:
        """The numbers of a finished session."""
        return score_example(instance.data.script(), instance.data.first, session)

    def summarise(self, scores: Sequence[tuple[Instance, dict[str, float]]]) -> dict[str, Any]:
        """The row of Table 1, the cascaded numbers by the released code, and the paper's rows."""
        rows = [(instance.task, score) for instance, score in scores if score]
        games = [[score for _, score in group] for _, group in groupby(rows, key=lambda row: row[0])]
        flat = [score for _, score in rows]
        paper = {name: dict(zip(COLUMNS, row, strict=True)) for name, row in PAPER.items()}
        return {
            "games": len(games),
            "examples": len(flat),
            "table": {"this follower": table_row(flat), "by the released code": released(games), **paper},
        }
