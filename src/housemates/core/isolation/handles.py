"""What stands in an agent's process for a call that its seat allows."""

from __future__ import annotations

from housemates.core.percepts import Handle

seat = -1
"""The key under which handles of this process find the seat."""


def handle(turn: int, number: int) -> Handle:
    """The handle of this number, alive at this turn."""
    return Handle(seat, turn, "called", number)
