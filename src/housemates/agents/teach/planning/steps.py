"""Steps of a plan, and the open conditions that they achieve."""

from __future__ import annotations

from dataclasses import dataclass, field

from housemates.benchmarks.teach.tasks.tdl.forms import Value

INSIDE = "parentReceptacles"
"""Property of being in or on something."""
CUT = "isSliced"
"""Property of a whole that is to be cut."""


@dataclass(frozen=True)
class PlannedStep:
    """An action on one object, named as the Follower's actions are."""

    action: str
    """Pickup, Place, Open, Close, ToggleOn, ToggleOff, Slice or Pour."""
    thing: str
    """Id of the object; for Place and Pour, of what is in the hand."""
    place: str = ""
    """Where it is placed or poured; for ToggleOn, the object that it is switched on for."""
    optional: bool = field(default=False, compare=False)
    """Whether the step is mere tidiness, and may fail."""

    @property
    def target(self) -> str:
        """Id of the object to point at."""
        return self.place if self.action in ("Place", "Pour") else self.thing


@dataclass(frozen=True)
class OpenCondition:
    """A property of an object that the task wants and that does not hold."""

    thing: str
    property: str
    """Name of the property in the task language, such as `isDirty`."""
    value: Value = None
    """The wanted value."""
    places: tuple[str, ...] = ()
    """For `parentReceptacles`: ids of the places of which any will do."""
