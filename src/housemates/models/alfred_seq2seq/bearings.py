"""Where an agent is, by what it did itself: so that it does not walk against the same wall again."""

from __future__ import annotations

from collections.abc import Iterator

AHEAD, LEFT, RIGHT = "MoveAhead", "RotateLeft", "RotateRight"
TURNS = {LEFT: -1, RIGHT: 1}
BACK = {LEFT: RIGHT, RIGHT: LEFT}
WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""What a step ahead changes, for each heading."""


class Bearings:
    """Counts steps and quarter turns from where an episode begins."""

    def __init__(self) -> None:
        self._place, self._heading = (0, 0), 0
        self._blocked: set[tuple[tuple[int, int], int]] = set()
        self._turned = ""
        """The turn since the last step, if there was one."""

    def note(self, action: str, success: bool) -> None:
        """Something was done."""
        if action == AHEAD and not success:
            self._blocked.add((self._place, self._heading))
        elif action == AHEAD:
            (x, z), (dx, dz) = self._place, WAYS[self._heading]
            self._place, self._turned = (x + dx, z + dz), ""
        elif action in TURNS and success:
            self._heading = (self._heading + TURNS[action]) % 4
            self._turned = action

    def idle(self) -> Iterator[str]:
        """What would bring nothing: a step where the way was blocked, and there to turn back at once."""
        if (self._place, self._heading) in self._blocked:
            yield AHEAD
            if self._turned:
                yield BACK[self._turned]
