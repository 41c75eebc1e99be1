"""Where sessions begin: sampled starts, and the initial states of recorded games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from housemates.benchmarks.base import Instance
from housemates.benchmarks.teach.actions import COMMANDER
from housemates.benchmarks.teach.episodes import Game, Skipped, read_games
from housemates.benchmarks.teach.poses import Pose, of_agent
from housemates.benchmarks.teach.scenes import scene_of
from housemates.errors import HousematesError
from housemates.home.scenes.plans.store import Store, open_store
from housemates.home.things import Scene


@dataclass(frozen=True)
class Start:
    """A home, the task that is to be done in it, and where the Commander's camera is."""

    scene: Scene
    definition: Mapping[str, Any]
    """The task with its parameters filled in, as `tasks.definition` gives it."""
    commander: Pose | None = None
    """At the Follower's place if it is not known."""
    reference: int = 0
    """How many actions people took; 0 if nobody has done it."""


def start_of(game: Game, store: Store | None) -> Start:
    """The start of a recorded game."""
    camera = of_agent(game.episode.initial_state.agents[COMMANDER])
    return Start(
        scene_of(game, store), game.task.definition(), camera, reference=len(game.episode.interactions)
    )


def recorded_games(split: str, games: str | None, episodes: int | None = None) -> Iterator[Game]:
    """The games of files and folders, parted by commas; one that cannot be read ends it with a message.

    Args:
        split: What the user calls them.
        games: Where they are.
        episodes: How many at most.
    """
    if not games:
        raise HousematesError(f"Split {split!r} needs recorded games: give --option games=FILE_OR_FOLDER.")
    skipped: list[Skipped] = []
    found = 0
    for game in islice(read_games([Path(each) for each in games.split(",")], skipped), episodes):
        found += 1
        yield game
    if skipped:
        raise HousematesError(skipped[0].reason)
    if not found and episodes != 0:
        raise HousematesError(f"{games}: no games there.")


def recorded(
    split: str, games: str | None, episodes: int | None, seed: int, store: Store | None
) -> list[Instance]:
    """An instance for each recorded game, with its start."""
    return [
        Instance(f"{game.id}.tatc", game.task.task_name, start_of(game, store), seed)
        for game in recorded_games(split, games, episodes)
    ]


def named_store(folder: str | None) -> Store | None:
    """The store that an option names; without one the user's own, if there is one."""
    return open_store(None if folder is None else Path(folder))
