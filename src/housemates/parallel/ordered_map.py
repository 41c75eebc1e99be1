"""Results in the order of their items, whoever works on them and whoever dies of it."""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from housemates.errors import HousematesError

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 16
"""Results for each one who works that may wait for an earlier one that takes long."""


class Later(enum.Enum):
    """Instead of an item: ask again when more results have been taken."""

    LATER = enum.auto()


LATER: Literal[Later.LATER] = Later.LATER


class Answer(NamedTuple):
    """What comes back for a piece of work: a value, or an exception."""

    value: Any
    error: Exception | None = None


class Loss(NamedTuple):
    """What is known of a process that died in the middle of its work."""

    reason: str
    """How it ended, such as `was ended by SIGKILL`."""
    at: str
    """What it said that it was at (`note`)."""
    trail: str
    """Where in the code it was, the innermost call first, if it could still tell."""
    late: bool
    """Whether it was ended because it took too long (`doomed`)."""
    spent: bool = False
    """Whether it ended itself because its memory was used up (`exhausted`)."""


class Again(NamedTuple, Generic[Item]):
    """A piece of work to be done in the place of one that was lost."""

    item: Item


class Task(NamedTuple):
    """An item and its place in the order."""

    number: int
    item: Any


class Ordered(ABC, Generic[Item, Result]):
    """Hands out items and gives back what comes of them in their order.

    An item whose process died is done once more by another one, as somebody may have killed it; an item of
    which two died in the same place is lost.

    Args:
        ahead: How many items may be under way or wait for an earlier one.
        lost: What to yield for a lost item, or what to do `Again` instead; without it, that is an error.
    """

    def __init__(self, ahead: int, lost: Callable[[Item, Loss], Result | Again[Item]] | None) -> None:
        self._ahead, self._lost = ahead, lost
        self._done: dict[int, Answer] = {}
        self._again: deque[Task] = deque()
        """What is to be done by a process that does nothing else meanwhile."""
        self._deaths: set[tuple[int, str]] = set()
        """At which items processes have died, and what they were at."""
        self._drawn = self._taken = 0

    def results(self, items: Iterable[Item | Later]) -> Iterator[Result]:
        """What the function makes of each item, in order."""
        rest = iter(items)
        at_ease = False
        try:
            self._start()
            while True:
                self._hand_out(rest)
                if self._taken == self._drawn:
                    break
                if self._taken not in self._done:
                    self._listen()
                    continue
                answer = self._done.pop(self._taken)
                self._taken += 1
                if answer.error is not None:
                    raise answer.error
                yield answer.value
            at_ease = True
        except GeneratorExit:
            at_ease = True
            raise
        finally:
            self._finish(at_ease)

    @abstractmethod
    def _start(self) -> None:
        """Get ready for work."""

    @abstractmethod
    def _hand_out(self, rest: Iterator[Item | Later]) -> None:
        """Give each who has nothing to do something to do."""

    @abstractmethod
    def _listen(self) -> None:
        """Wait until something is done, or somebody dies."""

    @abstractmethod
    def _finish(self, at_ease: bool) -> None:
        """Let go of all who work; at ease, those who have nothing to do may close what they hold."""

    def _next(self, rest: Iterator[Item | Later]) -> Task | None:
        """The next item of all, if there is one and results do not pile up."""
        if self._drawn - self._taken >= self._ahead:
            return None
        found = next(rest, LATER)
        if found is LATER:
            return None
        self._drawn += 1
        return Task(self._drawn - 1, found)

    def _died(self, task: Task, loss: Loss) -> None:
        """A process that did nothing else died of an item, or so it seems."""
        death = (task.number, loss.at)
        known = loss.late or loss.spent or death in self._deaths
        self._deaths.add(death)
        if not known:
            self._again.append(task)
            return
        found = self._replaced(task.item, loss)
        if isinstance(found, Again):
            self._again.append(Task(task.number, found.item))
        else:
            self._done[task.number] = found

    def _replaced(self, item: Item, loss: Loss) -> Answer | Again[Item]:
        if self._lost is None:
            return Answer(None, HousematesError(f"A process {loss.reason} in the middle of its work."))
        try:
            found = self._lost(item, loss)
        except Exception as error:
            return Answer(None, error)
        return found if isinstance(found, Again) else Answer(found)
