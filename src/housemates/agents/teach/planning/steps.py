"""Steps, as one person would tell them to another, and the wishes they serve."""

from __future__ import annotations

from dataclasses import dataclass, field

from housemates.benchmarks.teach.tasks.tdl.forms import Value

INSIDE = "parentReceptacles"
"""The property of being in or on something."""
CUT = "isSliced"
"""The property of a whole that is to be cut."""


@dataclass(frozen=True)
class PlannedStep:
    """One thing to do with one object, by the names of the Follower's actions."""

    action: str
    """Pickup, Place, Open, Close, ToggleOn, ToggleOff, Slice or Pour."""
    thing: str
    """The object's id; for Place and Pour that of what is in the hand."""
    place: str = ""
    """Where it is placed or poured; for ToggleOn, what it is switched on for."""
    optional: bool = field(default=False, compare=False)
    """Tidiness, which may be left out where it cannot be done."""

    @property
    def target(self) -> str:
        """The id of the object to point at."""
        return self.place if self.action in ("Place", "Pour") else self.thing


@dataclass(frozen=True)
class OpenCondition:
    """An object that is not yet as the task wants it."""

    thing: str
    property: str
    """The task language's name of what is amiss, such as `isDirty`."""
    value: Value = None
    """What it should be."""
    places: tuple[str, ...] = ()
    """For `parentReceptacles`: the ids of what may hold it; one of them is enough."""
