"""What an utterance means: orders, facts about places, questions and remarks."""

from __future__ import annotations

from dataclasses import dataclass, replace

ALL = 0
"""The count of `all the mugs`."""


@dataclass(frozen=True)
class NounPhrase:
    """What a noun phrase says about a thing."""

    types: tuple[str, ...] = ()
    """The types that may be meant, the likeliest first; none for `it`."""
    words: str = ""
    """The noun as it was said."""
    count: int = 1
    traits: frozenset[str] = frozenset()
    """`dirty`, `cooked`, `top`, `other`, ..."""
    places: tuple[Location, ...] = ()
    plural: bool = False
    definite: bool = False
    """Whether it is `the` thing, not just any."""

    @property
    def refers_back(self) -> bool:
        """Whether it is `it`, `them` or `one`."""
        return not self.types

    def at(self, *places: Location) -> NounPhrase:
        """The same thing, said to be somewhere."""
        return replace(self, places=(*self.places, *places))


@dataclass(frozen=True)
class Location:
    """Where something is: a relation and what it is related to; nothing for `on your left`."""

    relation: str
    """in, on, left, right, near, above, below; or of the listener: my left, my right, ahead, behind me."""
    anchor: NounPhrase | None = None

    @property
    def holds(self) -> bool:
        """Whether it says on or in what."""
        return self.relation in ("in", "on")


@dataclass(frozen=True)
class Order:
    """Something the Follower should do."""

    verb: str
    theme: NounPhrase | None = None
    goal: Location | None = None
    parts: tuple[NounPhrase, ...] = ()
    """What a dish is made with."""


@dataclass(frozen=True)
class Fact:
    """Where a thing is; a theme of no type is what was spoken of last."""

    theme: NounPhrase


@dataclass(frozen=True)
class Question:
    """What the other wants to know: `where` a thing is, `which` one is meant, what is `next`."""

    about: str
    theme: NounPhrase | None = None


@dataclass(frozen=True)
class Remark:
    """Something that asks for nothing, by its kind: `hello`, `praise`, `done`, `no`, `trouble`, ..."""

    kind: str
    theme: NounPhrase | None = None


LogicalForm = Order | Fact | Question | Remark
