"""So many tokens and no more: calls at the same time are counted before they come back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from housemates.core.agent import Halt


class Spending:
    """What one call uses up."""

    tokens: float = 0.0


class Budget:
    """Lets calls begin while there are tokens left for them; it is overdrawn by one call at most.

    Args:
        most: Tokens; None for as many as one likes.
        used: Those that are gone already.
    """

    def __init__(self, most: int | None, used: float = 0.0) -> None:
        self._most, self.used = most, used
        self._reserved = self._largest = 0.0
        self._under_way = 0
        self._changed = threading.Condition()

    @contextmanager
    def call(self, guess: float) -> Iterator[Spending]:
        """Wait until a call may begin; what it uses up is to be said before it ends.

        Args:
            guess: How many tokens it may need.

        Raises:
            Halt: Nothing is left.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._may_begin(guess))
            if self._most is not None and self.used >= self._most:
                raise Halt(
                    f"The budget of {self._most:,} tokens is used up ({self.used:,.0f} were used); "
                    "a larger one is needed to go on."
                )
            reserved = max(guess, self._largest)
            self._reserved += reserved
            self._under_way += 1
        spending = Spending()
        try:
            yield spending
        finally:
            with self._changed:
                self._reserved -= reserved
                self._under_way -= 1
                self.used += spending.tokens
                self._largest = max(self._largest, spending.tokens)
                self._changed.notify_all()

    def _may_begin(self, guess: float) -> bool:
        """Whether there is room beside those under way; one alone may always try."""
        if self._most is None or not self._under_way or self.used >= self._most:
            return True
        return self.used + self._reserved + max(guess, self._largest) <= self._most
