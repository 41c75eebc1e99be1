"""Pictures for validation: of recorded episodes, or of generated rooms of a split."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np

from housemates.data.store import Store
from housemates.errors import HousematesError
from housemates.home import World
from housemates.home.scenes import catalogue
from housemates.models.segmentation import moments
from housemates.models.segmentation.config import SIDE
from housemates.render.camera import agent_camera
from housemates.render.frames import Frame
from housemates.render.looks import LooksName, seed_for
from housemates.render.scene import Renderer

EPISODE = 20
"""Pictures of one episode or room."""
Look = Callable[[Frame, World], None]


@lru_cache(maxsize=1)
def exam(valid: str, store: str, count: int, looks: tuple[LooksName, ...] = ("plain",)) -> tuple[Frame, ...]:
    """`count` pictures of recorded episodes of TEACh, or of rooms of the split `seen` without `valid`.

    Each of the looks has its share of them.
    """
    frames: list[Frame] = []

    def keep(frame: Frame, world: World) -> None:
        frames.append(frame)

    for each in looks:
        share = -(-count // len(looks))
        if valid:
            recorded("teach", Path(valid), Store(store), share, keep, each)
        else:
            rooms("seen", share, keep, each)
    return tuple(frames)


def recorded(kind: str, path: Path, store: Store, count: int, look: Look, looks: LooksName = "plain") -> None:
    """Pass on `count` pictures of recorded episodes from the agents' poses."""
    rng = np.random.default_rng(0)
    found = moments.KINDS[kind]
    left = count
    for number, episode in enumerate(found.records.read([path], [])):
        if left <= 0:
            return
        camera = Shown(look, seed_for(looks, kind, number))
        with contextlib.suppress(HousematesError):
            moments.of_episode(found, episode, store, min(EPISODE, left), rng, camera)
        left -= camera.count


def rooms(split: str, count: int, look: Look, looks: LooksName = "plain", seed: int = 0) -> None:
    """Pass on about `count` pictures of the rooms of a split from random poses."""
    rng = np.random.default_rng(seed)
    names = catalogue.scene_ids(split=split)
    share = -(-count // len(names))
    for name in names:
        camera = Shown(look, seed_for(looks, name, seed))
        moments.of_strangers(World(catalogue.load(name)), share, rng, camera)


class Shown:
    """Renders moments and passes the frames on; `looks` is the seed of how homes look."""

    def __init__(self, look: Look, looks: str = "") -> None:
        self.look, self.looks, self.count = look, looks, 0
        self._renderer: Renderer | None = None

    def __call__(self, world: World) -> None:
        if self._renderer is None or self._renderer.world is not world:
            world.looks = self.looks
            self._renderer = Renderer(world)
        self.look(self._renderer.frame(agent_camera(world.agent, SIDE, SIDE)), world)
        self.count += 1
