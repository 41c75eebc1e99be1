"""Training data: rendered pictures with ground truth at sampled codes."""

from __future__ import annotations

import contextlib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.data.store import Store
from housemates.errors import HousematesError
from housemates.home import World
from housemates.home.things import Thing
from housemates.models.segmentation import moments
from housemates.models.segmentation.config import FINE, REACH, SIDE, EyesConfig
from housemates.render.camera import agent_camera
from housemates.render.detections import STATES, states_of
from housemates.render.frames import Frame, type_numbers
from housemates.render.looks import LooksName, looks_named, seed_for
from housemates.render.scene import Renderer

EPISODE = 16
"""Pictures of one episode or room."""
RIMS = 16
"""Every 16th sampled code is at a rim, if there are rims."""
LEAST = 3
"""Codes that a thing must cover to be sampled by thing."""
DEPTHS_M = (0.1, 20.0)
UNKNOWN = 2
"""The label of a state that a type does not have."""


class Lesson(NamedTuple):
    """A batch of pictures, with labels at sampled codes (places)."""

    pictures: NDArray[np.uint8]
    """(pictures, 300, 300, 3)."""
    views: NDArray[np.float32]
    """(pictures, 2): horizon (degrees down) and field of view (degrees)."""
    codes: NDArray[np.int32]
    """(pictures, places): indices of codes, row by row."""
    things: NDArray[np.int32]
    """(pictures, places): the number of the thing in its picture; 0 is the building."""
    types: NDArray[np.uint8]
    """(pictures, places): as `type_numbers` counts them."""
    offsets: NDArray[np.float32]
    """(pictures, places, 2): right and down to the mean of the thing's pixels, in units of `REACH` codes."""
    depths: NDArray[np.float32]
    """(pictures, places): log of depth in metres."""
    states: NDArray[np.uint8]
    """(pictures, places, states): 0, 1 or `UNKNOWN`."""
    rims: NDArray[np.uint8]
    """(pictures, places): whether another thing of the same type is beside it."""


class Notebook:
    """Renders pictures of homes and labels them."""

    def __init__(self, places: int, rng: np.random.Generator) -> None:
        self.places, self.rng = places, rng
        self.pages: list[Lesson] = []
        self._renderer: Renderer | None = None

    def take(self, world: World) -> None:
        """Add a picture from the agent's pose, mirrored half of the time."""
        if self._renderer is None or self._renderer.world is not world:
            self._renderer = Renderer(world)
        frame = self._renderer.frame(agent_camera(world.agent, SIDE, SIDE))
        self.pages.append(noted(frame, world, self.places, self.rng))

    def lesson(self) -> Lesson:
        """The pictures added so far as one lesson."""
        return Lesson._make(np.stack(column) for column in zip(*self.pages, strict=True))


def noted(frame: Frame, world: World, places: int, rng: np.random.Generator) -> Lesson:
    """One picture labelled at `places` sampled codes; arrays have no leading axis yet."""
    mirror = -1 if rng.random() < 0.5 else 1
    rgb, ids, depth = (each[:, ::mirror] for each in (frame.rgb, frame.ids, frame.depth))
    part = (slice(FINE - 1, None, FINE),) * 2
    flat = np.asarray(ids[part], np.uint16).ravel()
    width = SIDE // FINE
    known = type_numbers()
    types = np.array([known.get(label.type, 0) for label in frame.labels], np.uint8)
    rims = _rims(flat.reshape(width, width), types).ravel()
    codes = _drawn(flat, rims, places, rng)
    number = flat[codes]
    middles = _middles(flat, width, len(frame.labels))[number]
    at = np.stack([codes % width, codes // width], axis=-1)
    return Lesson(
        np.ascontiguousarray(rgb),
        np.array([frame.camera.horizon, frame.camera.fov], np.float32),
        codes.astype(np.int32),
        number.astype(np.int32),
        types[number],
        ((middles - at) / REACH).astype(np.float32),
        np.log(np.clip(depth[part].ravel()[codes], *DEPTHS_M)).astype(np.float32),
        _states(frame, world)[number],
        rims[codes].astype(np.uint8),
    )


def _drawn(
    flat: NDArray[np.uint16], rims: NDArray[np.bool_], places: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Indices of codes: half uniform over things, some at rims, the others uniform over the picture."""
    order = np.argsort(flat, kind="stable")
    _, first, count = np.unique(flat[order], return_index=True, return_counts=True)
    large = count >= LEAST
    first, count = first[large], count[large]
    thing = rng.integers(len(first), size=places // 2)
    inside = order[first[thing] + (rng.random(len(thing)) * count[thing]).astype(np.int64)]
    found = [inside, rng.integers(len(flat), size=places - len(inside))]
    between = np.flatnonzero(rims)
    if len(between):
        found[1][: places // RIMS] = rng.choice(between, places // RIMS)
    return np.concatenate(found)


def _rims(numbers: NDArray[np.uint16], types: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """(rows, columns): whether a code borders on another thing of the same type."""
    found, kinds = np.zeros(numbers.shape, bool), types[numbers]
    for mine, other, marks in ((numbers, kinds, found), (numbers.T, kinds.T, found.T)):
        apart = (mine[1:] != mine[:-1]) & (other[1:] == other[:-1]) & (other[1:] > 0)
        marks[1:] |= apart
        marks[:-1] |= apart
    return found


def _middles(flat: NDArray[np.uint16], width: int, things: int) -> NDArray[np.float64]:
    """(things, 2): the mean column and row of each thing's codes."""
    at = np.arange(len(flat))
    count = np.maximum(np.bincount(flat, minlength=things), 1)
    sums = [np.bincount(flat, weights=each, minlength=things) for each in (at % width, at // width)]
    return np.stack(sums, axis=-1) / count[:, None]


def _states(frame: Frame, world: World) -> NDArray[np.uint8]:
    """(things, states): 0, 1 or `UNKNOWN`."""
    rows = [_state_row(world.things[label.id]) if label.id else _NO_STATES for label in frame.labels]
    return np.array(rows, np.uint8)


_NO_STATES = (UNKNOWN,) * len(STATES)


@lru_cache(maxsize=4096)
def _state_row(thing: Thing) -> tuple[int, ...]:
    now = states_of(thing)
    return tuple(int(now.get(name, UNKNOWN)) for name in STATES)


class Course(NamedTuple):
    """The source of lessons, each determined by its number and the config's seed."""

    store: str
    """The store of imported episodes; generated rooms alone if empty."""
    config: EyesConfig

    @property
    def looks(self) -> tuple[LooksName, ...]:
        """The looks of which each episode gets one."""
        return looks_named(self.config.looks)

    def lesson(self, number: int) -> Lesson:
        """The lesson of a number."""
        rng = np.random.default_rng((self.config.seed, number))
        book = Notebook(self.config.pixels, rng)
        self.show(rng, book.take)
        return book.lesson()

    def show(self, rng: np.random.Generator, take: moments.Take) -> None:
        """Call `take` at as many moments as a lesson has pictures."""
        left = self.config.frames

        def taken(world: World) -> None:
            nonlocal left
            world.looks = looks
            take(world)
            left -= 1

        while left:
            looks = self._drawn_looks(rng)
            with contextlib.suppress(HousematesError):
                self._episode(rng, min(EPISODE, left), taken)

    def _drawn_looks(self, rng: np.random.Generator) -> str:
        """The seed of an episode's looks; nothing is drawn where all are plain."""
        if self.looks == ("plain",):
            return ""
        chosen = self.looks[int(rng.integers(len(self.looks)))]
        return seed_for(chosen, "lesson", int(rng.integers(2**31)))

    def _episode(self, rng: np.random.Generator, count: int, take: moments.Take) -> None:
        if not self.store or rng.random() < self.config.rooms:
            moments.of_new_room(count, rng, take)
        else:
            kind = "alfred" if rng.random() < self.config.alfred else "teach"
            strangers = round(self.config.strangers * count)
            moments.of_record(kind, _store(self.store), count, strangers, rng, take)


@lru_cache(maxsize=1)
def _store(folder: str) -> Store:
    return Store(Path(folder))
