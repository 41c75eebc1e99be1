"""What an utterance means: orders, facts about places, questions and remarks."""

from __future__ import annotations

from dataclasses import dataclass, replace

ALL = 0
"""The count of `all the mugs`."""


@dataclass(frozen=True)
class Phrase:
    """What a noun phrase says about a thing."""

    types: tuple[str, ...] = ()
    """The types that may be meant, the likeliest first; none for `it`."""
    words: str = ""
    """The noun as it was said."""
    count: int = 1
    traits: frozenset[str] = frozenset()
    """`dirty`, `cooked`, `top`, `other`, ..."""
    places: tuple[Place, ...] = ()
    plural: bool = False
    definite: bool = False
    """Whether it is `the` thing, not just any."""

    @property
    def refers_back(self) -> bool:
        """Whether it is `it`, `them` or `one`."""
        return not self.types

    def at(self, *places: Place) -> Phrase:
        """The same thing, said to be somewhere."""
        return replace(self, places=(*self.places, *places))


@dataclass(frozen=True)
class Place:
    """Where something is: a relation and what it is related to; nothing for `on your left`."""

    relation: str
    """in, on, left, right, near, above, below; or of the listener: my left, my right, ahead, behind me."""
    anchor: Phrase | None = None

    @property
    def holds(self) -> bool:
        """Whether it says on or in what."""
        return self.relation in ("in", "on")


@dataclass(frozen=True)
class Order:
    """Something the Follower should do."""

    verb: str
    theme: Phrase | None = None
    goal: Place | None = None
    parts: tuple[Phrase, ...] = ()
    """What a dish is made with."""


@dataclass(frozen=True)
class Fact:
    """Where a thing is; a theme of no type is what was spoken of last."""

    theme: Phrase


@dataclass(frozen=True)
class Question:
    """What the other wants to know: `where` a thing is, `which` one is meant, what is `next`."""

    about: str
    theme: Phrase | None = None


@dataclass(frozen=True)
class Remark:
    """Something that asks for nothing, by its kind: `hello`, `praise`, `done`, `no`, `trouble`, ..."""

    kind: str
    theme: Phrase | None = None


Meaning = Order | Fact | Question | Remark
