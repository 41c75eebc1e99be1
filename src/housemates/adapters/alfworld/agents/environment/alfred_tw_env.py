"""`AlfredTWEnv` and its batch environment: texts, commands and expert plans as the original has them.

All games of a batch are played in this process; one step of a thousand of them takes some ten milliseconds.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from housemates.agents.alfworld.expert import next_command
from housemates.benchmarks.alfworld.formats.games import read_game
from housemates.benchmarks.alfworld.formats.places import Place, kind_of, places, text_of
from housemates.benchmarks.alfworld.tasks.types import TYPES
from housemates.benchmarks.alfworld.world.playthrough import GameFile, Playthrough
from housemates.errors import HousematesError

TASK_TYPES = dict(enumerate(TYPES, start=1))
PATHS = {
    "train": ("data_path", "num_train_games"),
    "eval_in_distribution": ("eval_id_data_path", "num_eval_games"),
    "eval_out_of_distribution": ("eval_ood_data_path", "num_eval_games"),
}
"""What is played -> the settings that say where its games are, and how many of them are used."""
KEPT = 5000
LONGEST_PLAN = 200
Infos = dict[str, list[Any]]
ONE_FILE = "#"
"""What stands between the name of a packed file and the line of a game."""


class AlfredTWEnv:
    """The games of a split, found when they are first needed; `init_env` gives what plays them."""

    def __init__(self, config: Mapping[str, Any], train_eval: str = "train") -> None:
        if train_eval not in PATHS:
            raise HousematesError(f"train_eval: expected one of {', '.join(PATHS)}, found {train_eval!r}.")
        self.config = config
        self.train_eval = train_eval
        self._files: list[str] | None = None
        if config["env"].get("domain_randomization") and train_eval == "train":
            raise HousematesError(
                "domain_randomization: expected False; games have the same names every time."
            )

    @property
    def game_files(self) -> list[str]:
        """The paths of the games, in the order of their names; found at the first use."""
        if self._files is None:
            self._files = list(self._found())
        return self._files

    @property
    def num_games(self) -> int:
        """How many games there are."""
        return len(self.game_files)

    def _found(self) -> Iterator[str]:
        path, most = PATHS[self.train_eval]
        folder = Path(os.path.expandvars(self.config["dataset"][path]))
        wanted = {TASK_TYPES[each] for each in self.config["env"]["task_types"] if each in TASK_TYPES}
        limit, count = int(self.config["dataset"].get(most, -1)), 0
        for place in places(folder):
            if kind_of(place) in wanted:
                count += 1
                yield f"{place.path}{ONE_FILE}{place.line}" if place.line else place.path
                if count == limit:
                    return
        if not count:
            raise HousematesError(f"{folder}: holds no games of the types that are asked for.")

    def init_env(self, batch_size: int) -> BatchEnv:
        """An environment that plays so many games at a time."""
        method = self.config["general"]["training_method"]
        if method == "dqn":
            steps, expert = self.config["rl"]["training"]["max_nb_steps_per_episode"], ""
        elif method == "dagger":
            steps = self.config["dagger"]["training"]["max_nb_steps_per_episode"]
            expert = self.config["env"]["expert_type"] if self.train_eval == "train" else ""
        else:
            raise HousematesError(f"training_method: expected dqn or dagger, found {method!r}.")
        return BatchEnv(self.game_files, batch_size, int(steps), expert)


class Ended(NamedTuple):
    """What a game has answered last."""

    observation: str
    score: int
    done: bool
    infos: dict[str, Any]


class BatchEnv:
    """Plays several games at a time, as TextWorld's batch environment does.

    The games come in the order that TextWorld's have with the same seed. A game that is over answers the
    same until `reset`, which begins the next ones.

    Args:
        game_files: The paths of the games.
        batch_size: How many are played at a time.
        max_episode_steps: After so many commands a game is over.
        expert_type: `handcoded` for the expert's next command, `planner` for all of them; none if empty.
    """

    def __init__(
        self, game_files: Sequence[str], batch_size: int, max_episode_steps: int, expert_type: str = ""
    ) -> None:
        if expert_type not in ("", "handcoded", "planner"):
            raise HousematesError(f"expert_type: expected handcoded or planner, found {expert_type!r}.")
        self.gamefiles = list(game_files)
        self.batch_size = batch_size
        self.max_episode_steps = max_episode_steps
        self.expert_type = expert_type
        self.last_commands: list[str | None] = [None] * batch_size
        self._plays: list[tuple[str, Playthrough]] = []
        self._steps = 0
        self._last: list[Ended] = []
        self.seed(1234)

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Decide the order in which the games come."""
        self._rng = np.random.RandomState(seed)
        self._order = list(self.gamefiles)
        self._rng.shuffle(self._order)
        self._next = 0
        return [seed]

    def skip(self, nb_games: int = 1) -> None:
        """Pass over the next games."""
        for _ in range(nb_games):
            self._draw()

    def _draw(self) -> str:
        if self._next == len(self._order):
            self._rng.shuffle(self._order)
            self._next = 0
        self._next += 1
        return self._order[self._next - 1]

    def reset(self) -> tuple[tuple[str, ...], Infos]:
        """Begin the next games: their openings and infos."""
        files = [self._draw() for _ in range(self.batch_size)]
        self._plays = [(file, Playthrough(_game(file))) for file in files]
        self.last_commands = [None] * self.batch_size
        self._steps = 0
        self._last = [Ended(play.text, 0, False, self._infos(file, play, True)) for file, play in self._plays]
        return tuple(each.observation for each in self._last), self._listed()

    def step(
        self, commands: Sequence[str]
    ) -> tuple[tuple[str, ...], tuple[int, ...], tuple[bool, ...], Infos]:
        """Give each game its command: observations, scores, whether games are over, and infos."""
        if not isinstance(commands, list | tuple) or len(commands) != len(self._plays):
            raise HousematesError(f"Expected a list of {self.batch_size} commands after reset.")
        self._steps += 1
        self.last_commands = list(commands)
        for number, ((file, play), command) in enumerate(zip(self._plays, commands, strict=True)):
            if not self._last[number].done:
                text = play.step(str(command))
                over = play.won or self._steps >= self.max_episode_steps
                self._last[number] = Ended(text, int(play.won), over, self._infos(file, play, False))
        observations, scores, dones, _ = zip(*self._last, strict=True)
        return observations, scores, dones, self._listed()

    def _infos(self, file: str, play: Playthrough, first: bool) -> dict[str, Any]:
        found = {"won": play.won, "admissible_commands": play.commands(), "extra.gamefile": file}
        if self.expert_type == "handcoded":
            found["extra.expert_plan"] = ["look"] if first else [next_command(play)]
        elif self.expert_type == "planner":
            found["extra.expert_plan"] = _plan(play)
        return found

    def _listed(self) -> Infos:
        names = self._last[0].infos
        return {name: [each.infos[name] for each in self._last] for name in names}

    def render(self, mode: str = "human") -> str | None:
        """The last commands and answers as text; printed if the mode is `human`."""
        told = []
        for command, ended in zip(self.last_commands, self._last, strict=True):
            said = f"> {command}\n" if command is not None else ""
            told.append(f"{said}{ended.observation.rstrip()}\n")
        text = "\n-----\n".join(told) + "\n"
        if mode != "human":
            return text
        print(text, end="")
        return None

    def close(self) -> None:
        """Let go of the games."""
        self._plays = []


@lru_cache(maxsize=KEPT)
def _game(file: str) -> GameFile:
    """A game made ready once, by its path."""
    path, _, line = file.rpartition(ONE_FILE) if file.rpartition(ONE_FILE)[2].isdecimal() else (file, "", "0")
    place = Place(Path(path).name, path, int(line))
    return read_game(text_of(place), place.source)


def _plan(play: Playthrough) -> list[str]:
    """All commands to the goal."""
    twin, found = play.copy(), []
    while not twin.won and len(found) < LONGEST_PLAN:
        found.append(next_command(twin))
        twin.step(found[-1])
        if not twin.done_something:
            return []
    return found
