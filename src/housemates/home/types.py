"""The table of object types: what each affords, where it belongs, how it is built."""

from __future__ import annotations

from functools import cache

import msgspec

from housemates.errors import HousematesError
from housemates.files import shipped

Vec = tuple[float, float, float]
"""x, y (up), z in metres."""


class ObjectType(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One row of `types.toml`; see there for what each column means."""

    name: str
    affords: frozenset[str]
    classes: tuple[str, ...]
    size: Vec
    shape: str
    looks: tuple[str, ...]
    found: tuple[str, ...] = ()
    slices: int = 0
    slice_type: str = ""
    holds: tuple[str, ...] = ()
    capacity: int = 0
    snaps: bool = False
    cuts: bool = False
    heats: bool = False
    temperature: str = ""
    closed_while_on: bool = False
    passage: bool = False
    basin: str = ""
    surface: str = ""
    aside: int = 0

    def can(self, affordance: str) -> bool:
        """Whether the type affords this, for example `pickup` or `open`."""
        return affordance in self.affords


@cache
def object_types() -> dict[str, ObjectType]:
    """Every type by its AI2-THOR name."""
    table = shipped(__package__, "types.toml")
    return {name: msgspec.convert({"name": name, **row}, ObjectType) for name, row in table.items()}


def room_types() -> tuple[str, ...]:
    """The types that are found in single rooms, in alphabetical order: all but passages between rooms."""
    return tuple(sorted(name for name, kind in object_types().items() if not kind.passage))


def object_type(name: str) -> ObjectType:
    """The type of this name."""
    try:
        return object_types()[name]
    except KeyError:
        raise HousematesError(f"Unknown object type {name!r}.") from None
