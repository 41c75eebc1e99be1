"""A moment of a game: a few numbers and lists, copied in a microsecond or two."""

from __future__ import annotations

import hashlib

from housemates.benchmarks.alfworld.world.game import FLAGS, Game


class State:
    """Where the agent is, what it holds, and how things are; `copy` gives an independent twin."""

    __slots__ = ("flags", "game", "held", "inside", "location", "object_at", "opened", "removed")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.location = game.start
        self.held = game.holds
        """Number of the object in hand, or -1."""
        self.opened = game.opened
        self.inside = list(game.inside)
        """For each receptacle the objects that are in it, in order."""
        self.object_at = game.object_at
        """Which objects are told to be at which location."""
        self.removed: frozenset[tuple[int, int]] = frozenset()
        """Which objects were taken from which receptacle and not put back."""
        self.flags = {name: game.flags[name] for name in FLAGS}

    def copy(self) -> State:
        """A twin that shares nothing that changes."""
        twin = State.__new__(State)
        twin.game, twin.location, twin.held, twin.opened = self.game, self.location, self.held, self.opened
        twin.inside, twin.object_at, twin.removed = self.inside.copy(), self.object_at, self.removed
        twin.flags = self.flags.copy()
        return twin

    def snapshot(self) -> tuple[object, ...]:
        """All that can change, as plain values."""
        flags = tuple(self.flags[name] for name in FLAGS)
        pairs = tuple(sorted(self.object_at)), tuple(sorted(self.removed))
        return (self.location, self.held, self.opened, tuple(self.inside), *pairs, flags)

    def digest(self) -> str:
        """A fingerprint of all that can change."""
        return hashlib.blake2b(repr(self.snapshot()).encode(), digest_size=8).hexdigest()

    def is_open(self, receptacle: int) -> bool:
        """Whether one can see and reach into a receptacle."""
        return not self.game.openable >> receptacle & 1 or bool(self.opened >> receptacle & 1)
