"""Features of the next step that people take: what was said, what was done, and what is in the hand."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from housemates.agents.reader.language.text import words_of
from housemates.agents.reader.planning.history_features import (
    FRESH,
    History,
    RoleBinding,
    TypedStep,
    holding,
    named_in,
    table_of,
)
from housemates.agents.reader.planning.routines import whole_of

SIZE = 1 << 14
"""Number of hashed features."""
TURNS = ("0", "1", "2", "2")
"""How the last utterances are told apart, the last one first; all before them are one."""
BEFORE = "old"
COUNTED = 12
"""Most utterances and steps that are told apart by their number."""
RECENT = 3
"""Last steps that are told apart."""


class Situation:
    """A history, with what the features of all its continuations share."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.roles = RoleBinding(history)
        fresh = [each for each in history.said[-FRESH:] if each.role == "commander"]
        self.mentioned = sorted({kind for each in fresh for _, kind in named_in(each.text) if kind})
        """Types that the Commander named just now."""
        self.held = holding(history.steps)
        self.table = table_of(history.steps)

    def said(self) -> list[int]:
        """Features of the dialogue and of the steps before."""
        return _numbered((*self._words(), *self._done()))

    def _words(self) -> Iterator[str]:
        said = self.history.said
        yield f"n {min(len(said), COUNTED)}"
        yield "who " + "".join(each.role[0] for each in said[-3:])
        for left, each in enumerate(reversed(said)):
            turn = each.role[0] + (TURNS[left] if left < len(TURNS) else BEFORE)
            words = words_of(each.text)
            yield from (f"{turn} {word}" for word in words)
            if left < FRESH:
                yield f"{turn} n{min(len(words), 14) // 2}"
                called = [self.roles.called(kind) if kind else word for word, kind in named_in(each.text)]
                yield from (f"{turn} {one} {two}" for one, two in pairwise(words))
                yield from (f"{turn}~ {word}" for word in called)
                yield from (f"{turn}~ {one} {two}" for one, two in pairwise(called))

    def _done(self) -> Iterator[str]:
        steps = self.history.steps
        for action, kind, _ in steps:
            yield f"did {action} {kind}"
            yield f"did~ {action} {self.roles.called(kind)}"
        yield from _repeated(steps)

    def step(self, now: Sequence[TypedStep]) -> list[int]:
        """Features of the steps that were taken since."""
        return _numbered(self._taken(now))

    def _taken(self, now: Sequence[TypedStep]) -> Iterator[str]:
        steps, called = [*self.history.steps, *now], self.roles.called
        yield f"now {min(len(now), COUNTED)}"
        last = steps[-RECENT:][::-1]
        for back, each in enumerate(last):
            when = f"l{back}" if back < len(now) else f"b{back}"
            yield f"{when} {each.action} {each.type} {each.which}"
            yield f"{when}~ {each.action} {called(each.type)}"
        if len(last) > 1:
            one, two = last[:2]
            yield f"bi {one.action} {one.type} {two.action} {two.type}"
            yield f"bi~ {one.action} {called(one.type)} {two.action} {called(two.type)}"
        for each in now:
            yield f"now {each.action} {each.type}"
            yield f"now~ {each.action} {called(each.type)}"
        yield from _repeated(now)
        held = holding(steps)
        yield f"held {held}"
        yield f"held~ {called(held) if held else ''}"
        yield f"table {table_of(steps)}"
        touched = {whole_of(each.type) for each in now}
        for kind in self.mentioned:
            yield f"m {called(kind)} {kind in touched} {whole_of(held) == kind}"


def _repeated(steps: Sequence[TypedStep]) -> Iterator[str]:
    """How often a step was taken, if more than once."""
    for (action, kind), count in Counter((each.action, each.type) for each in steps).items():
        if count > 1:
            yield f"times {action} {kind} {min(count, 4)}"


def _numbered(names: Iterable[str]) -> list[int]:
    return sorted({_number(each) for each in names})


@lru_cache(maxsize=1 << 16)
def _number(name: str) -> int:
    return zlib.crc32(name.encode()) % SIZE
