"""Semantics of utterances as logical forms: orders, facts about places, questions and remarks."""

from __future__ import annotations

from dataclasses import dataclass, replace

ALL = 0
"""The count of `all the mugs`."""


@dataclass(frozen=True)
class NounPhrase:
    """The meaning of a noun phrase."""

    types: tuple[str, ...] = ()
    """Types that may be meant, the likeliest first; none for `it`."""
    words: str = ""
    """The noun as it was said."""
    count: int = 1
    traits: frozenset[str] = frozenset()
    """Modifiers: `dirty`, `cooked`, `top`, `other`, ..."""
    places: tuple[Location, ...] = ()
    plural: bool = False
    definite: bool = False
    """Whether its article is definite."""
    spared: NounPhrase | None = None
    """What `all but` leaves out."""

    @property
    def refers_back(self) -> bool:
        """Whether it is a pronoun: `it`, `them` or `one`."""
        return not self.types

    def at(self, *places: Location) -> NounPhrase:
        """The same phrase with further places."""
        return replace(self, places=(*self.places, *places))


@dataclass(frozen=True)
class Location:
    """A spatial relation and its anchor; `on your left` has no anchor."""

    relation: str
    """in, on, left, right, near, above, below; or of the listener: my left, my right, ahead, behind me."""
    anchor: NounPhrase | None = None

    @property
    def holds(self) -> bool:
        """Whether the relation is `in` or `on`."""
        return self.relation in ("in", "on")


@dataclass(frozen=True)
class Order:
    """Something that the Follower is to do."""

    verb: str
    theme: NounPhrase | None = None
    goal: Location | None = None
    parts: tuple[NounPhrase, ...] = ()
    """Ingredients of a dish."""


@dataclass(frozen=True)
class Fact:
    """Where an object is; a theme without types refers back."""

    theme: NounPhrase


@dataclass(frozen=True)
class Question:
    """What is asked: `where` an object is, `which` one is meant, what is `next`."""

    about: str
    theme: NounPhrase | None = None


@dataclass(frozen=True)
class Remark:
    """An utterance that asks for nothing, by its kind: `hello`, `praise`, `done`, `no`, `trouble`, ..."""

    kind: str
    theme: NounPhrase | None = None


LogicalForm = Order | Fact | Question | Remark
