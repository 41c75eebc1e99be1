"""Where sessions begin: sampled starts, and the initial states of recorded games."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from housemates.benchmarks.base import Instance
from housemates.benchmarks.teach.files.episodes import Game, read_games
from housemates.benchmarks.teach.files.instances import read_split
from housemates.benchmarks.teach.files.scenes import scene_of
from housemates.benchmarks.teach.world.actions import COMMANDER
from housemates.benchmarks.teach.world.poses import Pose, of_agent
from housemates.data.records import Skipped
from housemates.data.store import Store, open_store
from housemates.errors import HousematesError
from housemates.home.things import Scene

UNKNOWN = "unknown"
"""The task of an instance whose game cannot be read."""


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


@dataclass(frozen=True)
class Recordings:
    """Recorded games that instances are made from."""

    games: str | None
    """Files and folders, parted by commas."""
    store: Store | None
    """What is known about their floor plans."""
    only: frozenset[str] | None = None
    """Ids of games or of EDH instances that are wanted, such as an official list has; all if None."""

    @classmethod
    def of_options(cls, games: str | None, store: str | None, only: str | None = None) -> Recordings:
        """As options name them; without a store, the user's own, if there is one."""
        known = open_store(None if store is None else Path(store))
        return cls(games, known, None if only is None else read_split(only))

    def read(self, split: str, skipped: list[Skipped], ids: Container[str] | None = None) -> Iterator[Game]:
        """The games; `split` is what the user calls them, `ids` are those that are wanted."""
        if not self.games:
            raise HousematesError(
                f"Split {split!r} needs recorded games: give --option games=FILE_OR_FOLDER."
            )
        yield from read_games([Path(each) for each in self.games.split(",")], skipped, ids)

    def instances(
        self, split: str, seed: int, cut: Callable[[Game], Iterable[tuple[str, Any]]]
    ) -> Iterator[Instance]:
        """What `cut` makes of each game: ids and data. A game that is broken is an instance that fails."""
        wanted = None if self.only is None else {name.split(".edh")[0] for name in self.only}
        skipped: list[Skipped] = []
        for game in self.read(split, skipped, wanted):
            try:
                for name, data in cut(game):
                    if self.only is None or not self.only.isdisjoint((name, game.id)):
                        yield Instance(name, game.task.task_name, data, seed)
            except HousematesError as error:
                yield Instance(game.id, game.task.task_name, str(error), seed)
        for each in skipped:
            yield Instance(each.name, UNKNOWN, each.reason, seed)


def refuse_broken(instance: Instance) -> None:
    """Raise what is wrong with an instance, if its data is such a message."""
    if isinstance(instance.data, str):
        raise HousematesError(instance.data)
