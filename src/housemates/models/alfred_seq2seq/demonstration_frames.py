"""Replays ALFRED's episodes as demonstrations: a frame, the expert's action and its mask at each step."""

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
from housemates.home.types import room_types
from housemates.models.alfred_seq2seq.config import Seq2SeqConfig
from housemates.models.image_encoders import Encoder

START = len(ACTIONS)
"""The action before the first one."""
TYPES = room_types()
NOTHING = -1
"""The object type of an action that has no object."""
LONGEST_STEPS = 120
"""Limit on the length of an episode with detours or with a student in it."""
RANDOM_MOVES = {"MoveAhead": 0.5, "RotateLeft": 0.2, "RotateRight": 0.2, "LookUp": 0.05, "LookDown": 0.05}
"""Distribution of the moves of a detour."""
DETOUR_PROBABILITY, LONGEST_DETOUR = 0.1, 4
"""The probability at each step that a detour begins, and its moves at most."""


class Demonstration(NamedTuple):
    """The frames of an episode with the expert's actions as labels; the last one is stop."""

    frames: NDArray[np.float16]
    """Feature maps, (steps, channels, rows, columns)."""
    actions: NDArray[np.int64]
    """(steps,): the expert's, which are learnt."""
    acted: NDArray[np.int64]
    """(steps,): what was done, by the expert, a student or a detour."""
    masks: NDArray[np.bool_]
    """(steps, cells); all false for an action without an object."""
    kinds: NDArray[np.int64]
    """(steps,): types of objects; `NOTHING` for an action without one."""
    done: NDArray[np.float32]
    """(steps,): the share of sub-goals that are done."""


def downsampled(mask: NDArray[np.bool_], side: int) -> NDArray[np.bool_]:
    """A mask, (height, width), as (side, side) cells: those at least half as full as the fullest one."""
    rows = np.arange(mask.shape[0]) * side // mask.shape[0]
    columns = np.arange(mask.shape[1]) * side // mask.shape[1]
    counts = np.zeros((side, side))
    at = np.nonzero(mask)
    np.add.at(counts, (rows[at[0]], columns[at[1]]), 1)
    return np.asarray(counts >= max(1.0, counts.max() / 2))


def upsampled(mask: NDArray[np.bool_], height: int, width: int) -> NDArray[np.bool_]:
    """A mask of cells as (height, width) pixels, by nearest neighbour."""
    rows = np.arange(height) * mask.shape[0] // height
    columns = np.arange(width) * mask.shape[1] // width
    return np.asarray(mask[rows[:, None], columns[None]])


class DemonstrationRecorder:
    """Collects the frames, labels and acts of an episode step by step."""

    def __init__(self, sight: Sight, encoder: Encoder, side: int) -> None:
        self._sight, self._encoder, self._side = sight, encoder, side
        self._frames: list[NDArray[np.float32]] = []
        self._actions: list[int] = []
        self._acted: list[int] = []
        self._masks: list[NDArray[np.bool_]] = []
        self._kinds: list[int] = []
        self._done: list[float] = []

    def add(self, action: str, target: str, done: float) -> NDArray[np.float32]:
        """Record a step.

        Args:
            action: The expert's.
            target: Its object id; empty if it has none.
            done: The share of sub-goals that are done.

        Returns:
            The features of the frame, (1, channels, rows, columns).
        """
        found = self._encoder.encode(self._sight.look().rgb[None])
        mask = self._sight.mask(target) if target else np.zeros((self._side, self._side), np.bool_)
        self._frames.append(found[0])
        self._actions.append(ACTIONS.index(action))
        self._acted.append(self._actions[-1])
        self._masks.append(downsampled(mask, self._side).ravel() if target else mask.ravel())
        self._kinds.append(TYPES.index(self._sight.home.things[target].type) if target else NOTHING)
        self._done.append(done)
        return found

    def set_acted(self, action: str) -> None:
        """Record what was done at the last step, if not what the expert would."""
        self._acted[-1] = ACTIONS.index(action)

    def demonstration(self) -> Demonstration:
        """What was recorded so far."""
        frames = np.stack(self._frames).astype(np.float16)
        actions, acted, kinds = (np.array(each) for each in (self._actions, self._acted, self._kinds))
        done = np.array(self._done, np.float32)
        return Demonstration(frames, actions, acted, np.stack(self._masks), kinds, done)


class GuidedEpisode:
    """An episode that anybody may act in while the expert replans from each state what it would do."""

    def __init__(self, whole: Whole, config: Seq2SeqConfig, encoder: Encoder) -> None:
        """Begin at the episode's start.

        Raises:
            HousematesError: the episode does not state its task, so the expert has no goal.
        """
        if whole.episode.task is None:
            raise HousematesError(f"{whole.episode.id}: does not tell its task, so no expert can help.")
        self.world = AlfredWorld(whole.episode.start)
        self.sight = Sight(self.world.home, config.picture, config.picture)
        self.recorder = DemonstrationRecorder(self.sight, encoder, config.mask_side)
        self._guide = Guide(whole.episode.task, self.sight)
        self._goals: list[object] = []
        self._parts, self._steps = max(1, len(whole.parts)), 0

    def advise(self) -> tuple[PlannedAction, NDArray[np.float32]] | None:
        """The expert's action and the frame's features, (1, channels, rows, columns); None at the end."""
        planned = self._guide.advise(self.world)
        self._goals += [planned.goal] if planned.goal not in self._goals else []
        stops = planned.action == STOP
        done = 1.0 if stops else min(1.0, (len(self._goals) - 1) / self._parts)
        features = self.recorder.add(planned.action, planned.target or "", done)
        self._steps += 1
        return None if stops or self._steps == LONGEST_STEPS else (planned, features)

    def act(self, action: str, target: str | None) -> bool:
        """Take an action; returns whether it succeeded."""
        self.recorder.set_acted(action)
        return self.world.act(action, target).success


def replayed(whole: Whole, config: Seq2SeqConfig, encoder: Encoder) -> Demonstration:
    """The recorded demonstration, replayed and rendered."""
    world = AlfredWorld(whole.episode.start)
    sight = Sight(world.home, config.picture, config.picture)
    recorder = DemonstrationRecorder(sight, encoder, config.mask_side)
    steps = [(number, step) for number, part in enumerate(whole.parts) for step in part.deeds]
    for number, (action, target) in steps:
        known = known_as(world, target) if target else ""
        recorder.add(action, known, number / len(whole.parts))
        world.act(action, known or None)
    recorder.add(STOP, "", 1.0)
    return recorder.demonstration()


def with_detours(whole: Whole, config: Seq2SeqConfig, encoder: Encoder) -> Demonstration:
    """An episode by the expert, interrupted by detours of random moves from which it replans.

    The detours follow from the episode's id alone.
    """
    guided, left = GuidedEpisode(whole, config, encoder), 0
    rng = np.random.default_rng(crc32(whole.episode.id.encode()))
    while (advice := guided.advise()) is not None:
        expert = advice[0]
        if left == 0 and rng.random() < DETOUR_PROBABILITY:
            left = int(rng.integers(1, LONGEST_DETOUR + 1))
        move = str(rng.choice(list(RANDOM_MOVES), p=list(RANDOM_MOVES.values())))
        if not (left and guided.act(move, None)):
            guided.act(expert.action, expert.target)
        left = max(0, left - 1)
    return guided.recorder.demonstration()
