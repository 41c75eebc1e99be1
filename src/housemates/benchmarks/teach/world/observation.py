"""What an agent perceives at its turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from housemates.benchmarks.teach.session import Utterance
from housemates.benchmarks.teach.tasks.tdl.bound import BoundTask
from housemates.benchmarks.teach.world.dynamics import TeachWorld
from housemates.benchmarks.teach.world.poses import Pose
from housemates.benchmarks.teach.world.roles import Act, Answer
from housemates.render.frames import Frame


class Deed(NamedTuple):
    """Something that was done, and what came of it."""

    act: Act | None
    """None where what the agent answered made no sense."""
    answer: Answer


@dataclass(frozen=True)
class Observation:
    """What one of the two perceives.

    The Follower has its own picture, what was said, and what it did itself. The Commander also knows the task
    and sees the whole state of the world.
    """

    role: str
    """`commander` or `follower`."""
    pose: Pose
    """Where one is oneself."""
    dialogue: Sequence[Utterance]
    """All that was said so far; it grows as the session goes on."""
    history: Sequence[Deed]
    """What one did oneself so far; it grows as the session goes on."""
    look: Callable[[], Frame] = field(repr=False)
    """Draws the picture."""
    task: BoundTask | None = None
    """For the Commander: the task with its parameters, which `tasks.check` can hold against the world."""
    definition: Mapping[str, Any] | None = field(default=None, repr=False)
    """For the Commander: the task's definition with its parameters filled in, as games carry it."""
    world: TeachWorld | None = field(default=None, repr=False)
    """For the Commander: the world as it is, to be read only."""

    @property
    def last(self) -> Answer | None:
        """What came of one's own last act."""
        return self.history[-1].answer if self.history else None

    def frame(self) -> Frame:
        """One's picture with the things and the depth at each pixel, drawn only when it is asked for.

        Its arrays are overwritten by the next picture.
        """
        return self.look()
