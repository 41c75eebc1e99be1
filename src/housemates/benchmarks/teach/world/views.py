"""What each of the two perceives, as a typed record: values and copies, and a call that draws the picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.teach.tasks.tdl.bound import BoundTask
from housemates.benchmarks.teach.world.agent_camera import SIDE_PX
from housemates.benchmarks.teach.world.dynamics import TeachWorld
from housemates.benchmarks.teach.world.poses import Pose
from housemates.core.actions import Act
from housemates.core.outcome import Outcome
from housemates.core.percepts import Utterance
from housemates.errors import HousematesError
from housemates.home.naming import NamesOption
from housemates.render.frames import Frame
from housemates.render.looks import LooksName


class Seeing(NamedTuple):
    """How the two look, point and act."""

    width: int = SIDE_PX
    """Of the pictures, in pixels."""
    height: int = SIDE_PX
    pointing: str = "any"
    """One of `menus.POINTING`."""
    window: str = "reference"
    """How wide clicks are taken: `reference` (20x20 of 900) or `paper` (10x10)."""
    skilled: bool = False
    """Whether the Follower acts in skills."""
    looks: LooksName = "plain"
    """How the home looks."""
    names: NamesOption = "ids"
    """How things are named."""


USUAL = Seeing()


class ActionRecord(NamedTuple):
    """Something that was done, and what came of it."""

    act: Act | None
    """None where what the agent answered made no sense."""
    outcome: Outcome


@dataclass(frozen=True)
class FollowerView:
    """What the Follower perceives: where it is, what was said, what it did itself, and its picture."""

    pose: Pose
    dialogue: Sequence[Utterance]
    """All that was said so far."""
    history: Sequence[ActionRecord]
    """What one did oneself so far."""
    held: str
    """The id of what is in the hand; empty if that is empty."""
    frame: Callable[[], Frame] = field(repr=False)
    """Draws one's picture with the things and the depth at each pixel, to keep."""
    past: Callable[[], Sequence[tuple[NDArray[np.uint8], str]]] = field(repr=False)
    """Draws what was seen before each action that succeeded before one took over, and names the action."""


@dataclass(frozen=True)
class CommanderView:
    """What the Commander perceives: the same of its own, the task, and the whole state of the world."""

    pose: Pose
    """Where its camera is."""
    dialogue: Sequence[Utterance]
    history: Sequence[ActionRecord]
    frame: Callable[[], Frame] = field(repr=False)
    task: BoundTask | None = field(repr=False)
    """With its parameters; `tasks.check` can hold it against the world. None where a Progress Check alone
    tells of it."""
    definition: Mapping[str, Any] = field(repr=False)
    """The task's definition with its parameters filled in, as games carry it; empty where it is not told."""
    world: Callable[[], TeachWorld] = field(repr=False)
    """Gives a copy of the world as it is now; the same one each time, brought up to date."""

    def told(self) -> tuple[BoundTask, Mapping[str, Any]]:
        """The task and its definition; HousematesError where the Commander is not told them."""
        if self.task is None:
            raise HousematesError("This Commander has to be told the task: leave out commander=progress.")
        return self.task, self.definition
