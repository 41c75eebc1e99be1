"""Moments to render: those of recorded episodes, and homes from random poses.

A moment is a home with its agent somewhere in it. It lasts until the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from housemates.benchmarks.alfred.formats.episodes import TRAJECTORIES, Trajectory
from housemates.benchmarks.alfred.formats.loader import start_of
from housemates.benchmarks.alfred.formats.replay import replay as replay_demonstration
from housemates.benchmarks.teach.formats.episodes import GAMES, Game
from housemates.benchmarks.teach.formats.replay import replay as replay_game
from housemates.benchmarks.teach.formats.scenes import scene_of
from housemates.data.records import Records
from housemates.data.store import Store
from housemates.home import World
from housemates.home.scenes import catalogue
from housemates.render.sampling import random_states, random_view

Take = Callable[[World], None]
"""Called with the home at each moment."""
FOVS = (90, 60)
"""Fields of view of TEACh's and ALFRED's agents, in degrees."""


class Kind(NamedTuple):
    """How one kind of recorded episode is read and replayed."""

    records: Records[Any]
    steps: Callable[[Any], Sequence[Any]]
    """The steps of an episode."""
    replay: Callable[[Any, Store, Take], object]
    """Replays an episode and passes on the home after each step."""


def _replay_game(game: Game, store: Store, take: Take) -> None:
    replay_game(game, scene_of(game, store), on_step=lambda step: take(step.world.home), refusals=False)


def _replay_demonstration(trajectory: Trajectory, store: Store, take: Take) -> None:
    start = start_of(trajectory, store.folder)
    replay_demonstration(trajectory, start, on_step=lambda step: take(step.world.home))


KINDS = {
    "teach": Kind(GAMES, lambda game: game.episode.interactions, _replay_game),
    "alfred": Kind(TRAJECTORIES, lambda trajectory: trajectory.low_actions, _replay_demonstration),
}


def of_episode(
    kind: Kind, episode: Any, store: Store, count: int, rng: np.random.Generator, take: Take
) -> World:
    """Pass on `count` random moments of an episode from the agent's poses; returns the final home."""
    steps = len(kind.steps(episode))
    chosen = set(rng.choice(steps, min(count, steps), replace=False).tolist())
    homes: list[World] = []

    def seen(home: World) -> None:
        if len(homes) in chosen:
            take(home)
        homes.append(home)

    kind.replay(episode, store, seen)
    return homes[-1]


def of_strangers(home: World, count: int, rng: np.random.Generator, take: Take) -> None:
    """Pass on a home from random poses, the first half as it is, the second in random states."""
    home.agent = msgspec.structs.replace(home.agent, fov=int(rng.choice(FOVS)))
    for number in range(count):
        if number == count // 2:
            random_states(home, rng)
        home.agent = random_view(home, rng)
        take(home)


def of_new_room(count: int, rng: np.random.Generator, take: Take) -> None:
    """Pass on a room generated like those of the split `train`, from random poses."""
    kinds = catalogue.rooms()
    kind = kinds[int(rng.integers(len(kinds)))].replace(" ", "-")
    scene = catalogue.make(f"{kind}-seed-{int(rng.integers(2**31))}")
    of_strangers(World(scene), count, rng, take)


def of_record(
    name: str, store: Store, count: int, strangers: int, rng: np.random.Generator, take: Take
) -> None:
    """Pass on moments of a random episode of the store, `strangers` of them of its final home."""
    kind = KINDS[name]
    files: list[Path] = store.files(name)
    texts = list(kind.records.texts([files[int(rng.integers(len(files)))]], []))
    episode = texts[int(rng.integers(len(texts)))].parse()
    of_strangers(of_episode(kind, episode, store, count - strangers, rng, take), strangers, rng, take)
