"""Episodes as films: what is seen at each step, what is right there, and what was done."""

from __future__ import annotations

from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from housemates.agents.alfred.guide import Guide
from housemates.benchmarks.alfred.benchmark import Whole
from housemates.benchmarks.alfred.formats.loader import known_as
from housemates.benchmarks.alfred.tasks.planning import PlannedAction
from housemates.benchmarks.alfred.world.agent_camera import Sight
from housemates.benchmarks.alfred.world.dynamics import ACTIONS, STOP, AlfredWorld
from housemates.errors import HousematesError
from housemates.home.types import object_types
from housemates.models.alfred_seq2seq.config import Seq2SeqConfig
from housemates.models.image_encoders import Encoder

START = len(ACTIONS)
"""The action before the first."""
TYPES = tuple(sorted(object_types()))
NOTHING = -1
"""The type of the thing of an action that has none."""
SIDE = 5
"""Cells of a mask before it is doubled."""
LONGEST_STEPS = 120
STRAYS = {"MoveAhead": 0.5, "RotateLeft": 0.2, "RotateRight": 0.2, "LookUp": 0.05, "LookDown": 0.05}
"""Where somebody may be led astray to, and how often."""
STRAYING, FARTHEST = 0.1, 4
"""How often an expert is led astray, and by how many steps at most."""


class Demonstration(NamedTuple):
    """What was seen, and what the expert does there; it stops at the end."""

    seen: NDArray[np.float16]
    """Steps x channels x rows x columns."""
    actions: NDArray[np.int64]
    acted: NDArray[np.int64]
    """What was done: by the expert, or by a student whom it corrects."""
    masks: NDArray[np.bool_]
    """Steps x cells; nothing where nothing is pointed at."""
    kinds: NDArray[np.int64]
    """The type of what is pointed at."""
    done: NDArray[np.float32]
    """For each step the share of sub-goals that are done."""


def shrunk(mask: NDArray[np.bool_], side: int) -> NDArray[np.bool_]:
    """A mask of fewer cells: those of which the thing covers some, and at least half as much as the most."""
    rows = np.arange(mask.shape[0]) * side // mask.shape[0]
    columns = np.arange(mask.shape[1]) * side // mask.shape[1]
    counts = np.zeros((side, side))
    at = np.nonzero(mask)
    np.add.at(counts, (rows[at[0]], columns[at[1]]), 1)
    return np.asarray(counts >= max(1.0, counts.max() / 2))


def grown(mask: NDArray[np.bool_], height: int, width: int) -> NDArray[np.bool_]:
    """The same mask in a picture's pixels."""
    rows = np.arange(height) * mask.shape[0] // height
    columns = np.arange(width) * mask.shape[1] // width
    return np.asarray(mask[rows[:, None], columns[None]])


class Film:
    """What is seen on the way through an episode, with what is right at each step and what is done."""

    def __init__(self, sight: Sight, encoder: Encoder, deconvolutions: int) -> None:
        self._sight, self._encoder, self._side = sight, encoder, SIDE << deconvolutions
        self._seen: list[NDArray[np.float32]] = []
        self._actions: list[int] = []
        self._acted: list[int] = []
        self._masks: list[NDArray[np.bool_]] = []
        self._kinds: list[int] = []
        self._done: list[float] = []

    def add(self, action: str, target: str, done: float) -> NDArray[np.float32]:
        """See, where an action with a thing or none is right; returns the features of what is seen."""
        found = self._encoder.encode(self._sight.look().rgb[None])
        mask = self._sight.mask(target) if target else np.zeros((self._side, self._side), np.bool_)
        self._seen.append(found[0])
        self._actions.append(ACTIONS.index(action))
        self._acted.append(self._actions[-1])
        self._masks.append(shrunk(mask, self._side).ravel() if target else mask.ravel())
        self._kinds.append(TYPES.index(self._sight.home.things[target].type) if target else NOTHING)
        self._done.append(done)
        return found

    def did(self, action: str) -> None:
        """Something else was done than what was right."""
        self._acted[-1] = ACTIONS.index(action)

    def demonstration(self) -> Demonstration:
        """All of it."""
        seen = np.stack(self._seen).astype(np.float16)
        actions, acted, kinds = (np.array(each) for each in (self._actions, self._acted, self._kinds))
        done = np.array(self._done, np.float32)
        return Demonstration(seen, actions, acted, np.stack(self._masks), kinds, done)


class Guided:
    """An episode in which an expert, who plans anew from anywhere, says at each step what is right."""

    def __init__(self, whole: Whole, config: Seq2SeqConfig, encoder: Encoder) -> None:
        """Begin; an episode that does not tell its task is refused, as no expert can help."""
        if whole.episode.task is None:
            raise HousematesError(f"{whole.episode.id}: does not tell its task, so no expert can help.")
        self.world = AlfredWorld(whole.episode.start)
        self.sight = Sight(self.world.home, config.picture, config.picture)
        self.film = Film(self.sight, encoder, config.deconvolutions)
        self._guide = Guide(whole.episode.task, self.sight)
        self._goals: list[object] = []
        self._parts, self._steps = max(1, len(whole.parts)), 0

    def advise(self) -> tuple[PlannedAction, NDArray[np.float32]] | None:
        """What is right now, and the features of what is seen; None at the end."""
        deed = self._guide.advise(self.world)
        self._goals += [deed.goal] if deed.goal not in self._goals else []
        stops = deed.action == STOP
        done = 1.0 if stops else min(1.0, (len(self._goals) - 1) / self._parts)
        seen = self.film.add(deed.action, deed.target or "", done)
        self._steps += 1
        return None if stops or self._steps == LONGEST_STEPS else (deed, seen)

    def act(self, action: str, target: str | None) -> bool:
        """Do something, right or wrong; returns whether it worked."""
        self.film.did(action)
        return self.world.act(action, target).success


def replayed(whole: Whole, config: Seq2SeqConfig, encoder: Encoder) -> Demonstration:
    """Do what the expert did, and see what it saw."""
    world = AlfredWorld(whole.episode.start)
    film = Film(Sight(world.home, config.picture, config.picture), encoder, config.deconvolutions)
    deeds = [(number, deed) for number, part in enumerate(whole.parts) for deed in part.deeds]
    for number, (action, target) in deeds[: LONGEST_STEPS - 1]:
        known = known_as(world, target) if target else ""
        film.add(action, known, number / len(whole.parts))
        world.act(action, known or None)
    film.add(STOP, "", 1.0)
    return film.demonstration()


def astray(whole: Whole, config: Seq2SeqConfig, encoder: Encoder) -> Demonstration:
    """The expert's way where it is led astray now and then, for a few steps, and finds back."""
    guided, left = Guided(whole, config, encoder), 0
    rng = np.random.default_rng(crc32(whole.episode.id.encode()))
    while (advice := guided.advise()) is not None:
        deed = advice[0]
        if left == 0 and rng.random() < STRAYING:
            left = int(rng.integers(1, FARTHEST + 1))
        stray = str(rng.choice(list(STRAYS), p=list(STRAYS.values())))
        if not (left and guided.act(stray, None)):
            guided.act(deed.action, deed.target)
        left = max(0, left - 1)
    return guided.film.demonstration()
