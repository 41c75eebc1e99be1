"""What passes between a session and whoever sits in one of its seats.

Nothing here knows a benchmark, and nothing that an agent is given leads to the session behind it.
"""

from __future__ import annotations

import hashlib
import itertools
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from housemates.core.actions import Offer
from housemates.core.copies import shared
from housemates.core.outcome import Outcome
from housemates.errors import HousematesError


class Utterance(NamedTuple):
    """Something that was said."""

    role: str
    text: str


@dataclass(frozen=True)
class Limits:
    """When an episode is cut off."""

    steps: int = 1000
    """Actions of all roles together."""
    failures: int = 30
    """Actions that did not succeed."""

    def reached(self, steps: int, failures: int) -> str:
        """Which limit an episode has come to, `failures` or `steps`; empty if none."""
        if failures >= self.failures:
            return "failures"
        return "steps" if steps >= self.steps else ""


@dataclass(frozen=True)
class Brief:
    """All that a role is told before its first turn."""

    id: str
    """Tells episodes apart, and nothing else about them."""
    role: str
    rules: str
    """How things go, in words."""
    goal: str
    """What is asked, in words, as far as the role may know it."""
    offers: tuple[Offer, ...]
    """Everything that the role can ever do."""
    limits: Limits
    seed: int
    """Where an agent's own randomness may come from; another one for each episode and role."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """The benchmark's own settings that the role may know, such as the size of pictures."""
    told_once: bool = False
    """Whether the first percept tells what no later one repeats, such as the home."""


def keyed(brief: Brief, key: str) -> Brief:
    """The same brief with an id and a seed that follow from a key, so that neither tells the instance."""
    code = hashlib.blake2b(f"{key} {brief.role}".encode(), digest_size=8)
    return replace(brief, id=code.hexdigest(), seed=int.from_bytes(code.digest(), "big") >> 1)


_sessions: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
_keys = itertools.count()


def register(session: Any) -> int:
    """Give a session the key under which handles find it while it lives."""
    key = next(_keys)
    _sessions[key] = session
    return key


@shared
class Handle:
    """A call that an agent may make at its turn, such as drawing a picture.

    It knows the session by a number alone, so that no world can be reached through it. Once somebody has
    acted it answers no more.
    """

    __slots__ = ("_arguments", "_key", "_method", "_turn")

    def __init__(self, key: int, turn: int, method: str, *arguments: Any) -> None:
        self._key, self._turn, self._method, self._arguments = key, turn, method, arguments

    def __call__(self) -> Any:
        """What the session answers now."""
        session = _sessions.get(self._key)
        if session is None or session.turn != self._turn:
            raise HousematesError("This is over: what a percept shows must be looked at before the next act.")
        return getattr(session, self._method)(*self._arguments)


@shared
class Percept:
    """What a role perceives at its turn; whatever is not asked for is not computed."""

    __slots__ = ("_key", "_known", "last", "role", "turn")

    def __init__(self, role: str, turn: int, last: Outcome | None, key: int) -> None:
        self.role = role
        self.turn = turn
        """How many acts there were, of all roles."""
        self.last = last
        """What came of one's own last act."""
        self._key = key
        self._known: dict[str, Any] = {}

    @property
    def text(self) -> str:
        """All one needs to know in order to act, in words."""
        found: str = self._ask("text")
        return found

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What the role may do now."""
        found: tuple[Offer, ...] = self._ask("offers")
        return found

    @property
    def said(self) -> Sequence[Utterance]:
        """All that the role has heard and said so far."""
        found: Sequence[Utterance] = self._ask("said")
        return found

    @property
    def data(self) -> Any:
        """The benchmark's own typed view of the same."""
        return self._ask("view")

    @property
    def pictures(self) -> Mapping[str, Callable[[], np.ndarray]]:
        """Name of a picture -> a call that draws it: RGB, an array of one's own."""
        names: Sequence[str] = self._ask("pictures")
        return MappingProxyType(
            {name: Handle(self._key, self.turn, "drawn", self.role, name) for name in names}
        )

    @property
    def read(self) -> str | None:
        """The text if it was asked for, else None."""
        return self._known.get("text")

    def _ask(self, what: str) -> Any:
        if what not in self._known:
            self._known[what] = Handle(self._key, self.turn, what, self.role)()
        return self._known[what]
