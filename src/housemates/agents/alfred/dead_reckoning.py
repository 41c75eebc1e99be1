"""Dead reckoning: the pose by the agent's own moves, to avoid blocked steps and cycles."""

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
"""Grid offset of a step, by heading."""
OFTEN = 2
"""Visits to a pose between two object actions after which moves to it are idle."""


class ReckonedPose(NamedTuple):
    """Steps and quarter turns from the start, and the horizon in degrees."""

    x: int = 0
    z: int = 0
    heading: int = 0
    horizon: int = START_HORIZON_DEG

    def after(self, action: str) -> ReckonedPose:
        """The pose after a move."""
        if action == AHEAD:
            dx, dz = WAYS[self.heading]
            return self._replace(x=self.x + dx, z=self.z + dz)
        turned = (self.heading + TURNS.get(action, 0)) % 4
        return self._replace(heading=turned, horizon=self.horizon + TILTS.get(action, 0))


class DeadReckoning:
    """The current pose, blocked poses, and visits since the last object action."""

    def __init__(self) -> None:
        self.pose = ReckonedPose()
        self._blocked: set[ReckonedPose] = set()
        self._taken = Counter([self.pose])
        self._turned = ""
        """The turn since the last step, if there was one."""

    def note(self, action: str, success: bool) -> None:
        """Update the pose by an action and whether it succeeded."""
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
