"""What each of the two perceives, as a typed record: values and copies, and a call that draws the picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from housemates.benchmarks.teach.tasks.tdl.bound import BoundTask
from housemates.benchmarks.teach.world.dynamics import TeachWorld
from housemates.benchmarks.teach.world.poses import Pose
from housemates.core.actions import Act
from housemates.core.outcome import Outcome
from housemates.core.percepts import Utterance
from housemates.errors import HousematesError
from housemates.render.frames import Frame


class Deed(NamedTuple):
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
    history: Sequence[Deed]
    """What one did oneself so far."""
    held: str
    """The id of what is in the hand; empty if that is empty."""
    frame: Callable[[], Frame] = field(repr=False)
    """Draws one's picture with the things and the depth at each pixel, to keep."""


@dataclass(frozen=True)
class CommanderView:
    """What the Commander perceives: the same of its own, the task, and the whole state of the world."""

    pose: Pose
    """Where its camera is."""
    dialogue: Sequence[Utterance]
    history: Sequence[Deed]
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
