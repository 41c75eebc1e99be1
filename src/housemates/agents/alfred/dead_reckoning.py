"""Where an agent is, by what it did itself: so that it neither walks against the same wall nor in circles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from housemates.benchmarks.alfred.world.dynamics import LOOK_DEG, MOVES, START_HORIZON_DEG

AHEAD, LEFT, RIGHT = "MoveAhead", "RotateLeft", "RotateRight"
TURNS = {LEFT: -1, RIGHT: 1}
TILTS = {"LookUp": -LOOK_DEG, "LookDown": LOOK_DEG}
BACK = {LEFT: RIGHT, RIGHT: LEFT}
WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""What a step ahead changes, for each heading."""
OFTEN = 2
"""How often a pose is taken between two deeds."""


class Pose(NamedTuple):
    """Steps and quarter turns from where an episode begins, and degrees that the camera looks down."""

    x: int = 0
    z: int = 0
    heading: int = 0
    horizon: int = START_HORIZON_DEG

    def after(self, action: str) -> Pose:
        """Where a move leads."""
        if action == AHEAD:
            dx, dz = WAYS[self.heading]
            return self._replace(x=self.x + dx, z=self.z + dz)
        turned = (self.heading + TURNS.get(action, 0)) % 4
        return self._replace(heading=turned, horizon=self.horizon + TILTS.get(action, 0))


class Bearings:
    """Knows the pose of an agent, where it was blocked, and how often it was where since its last deed."""

    def __init__(self) -> None:
        self.pose = Pose()
        self._blocked: set[Pose] = set()
        self._taken = Counter([self.pose])
        self._turned = ""
        """The turn since the last step, if there was one."""

    def note(self, action: str, success: bool) -> None:
        """Something was done."""
        if not success:
            self._blocked |= {self.pose._replace(horizon=0)} if action == AHEAD else set()
            return
        if action not in MOVES:
            self._taken.clear()
        self.pose = self.pose.after(action)
        self._taken[self.pose] += 1
        self._turned = action if action in TURNS else "" if action == AHEAD else self._turned

    def idle(self) -> Iterator[str]:
        """What would bring nothing: a step where the way was blocked, and there to turn back at once;
        and a move to a pose that was taken often."""
        if self.pose._replace(horizon=0) in self._blocked:
            yield AHEAD
            if self._turned:
                yield BACK[self._turned]
        yield from (move for move in MOVES if self._taken[self.pose.after(move)] >= OFTEN)
