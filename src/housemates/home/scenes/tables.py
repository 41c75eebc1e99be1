"""The tables of this folder: what rooms there are, how they are laid out, what belongs in them."""

from __future__ import annotations

from functools import cache

import msgspec

from housemates.errors import HousematesError
from housemates.files import shipped
from housemates.home.types import Vec


class Family(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way to lay out a room."""

    width: tuple[float, float]
    """Shortest and longest first side in metres."""
    depth: tuple[float, float]
    unseen: bool = False
    """Whether only rooms of the unseen split are laid out so."""
    runs: tuple[tuple[str | float, ...], ...] = ()
    """For each wall in turn, the units along it; `*` is filled with cabinets and drawers."""
    middle: str = ""
    """What stands in the middle of the room."""
    groups: tuple[str, ...] = ()
    """Groups of furniture, in the order in which they find their place."""


class RoomTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that `rooms.toml` says about one kind of room."""

    floors: tuple[str, ...]
    """Looks of its floor."""
    walls: tuple[str, ...]
    """Materials of its walls."""
    families: dict[str, Family]
    needs: tuple[str, ...]
    """Types that no such room is without."""
    extras: dict[str, float]
    """Furniture that some such rooms have, and how often."""
    contents: dict[str, tuple[int, int]]
    """Least and greatest number of each small thing."""


class States(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How often things start in which state."""

    dirty: float
    open: dict[str, float]
    on: dict[str, float]
    filled: dict[str, float]
    liquids: dict[str, tuple[str, ...]]


class Sizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sizes in which things are made here."""

    furniture: dict[str, tuple[Vec, ...]]
    small: dict[str, tuple[Vec, ...]]


class Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole of `rooms.toml`."""

    rooms: dict[str, RoomTable]
    states: States
    found: dict[str, tuple[str, ...]]
    """Where small things are, where it is not what the table of types says."""
    crowd: dict[str, int]
    """How many things lie on or in one receptacle at the start, at most."""
    near: dict[str, tuple[float, float]]
    """Where on a surface things stand, from its back (0) to its front (1)."""
    sizes: Sizes


@cache
def tables() -> Tables:
    """Everything that the tables say."""
    return msgspec.convert(shipped(__package__, "rooms.toml"), Tables)


def room_table(room: str) -> RoomTable:
    """The table of one kind of room, named with a space or a hyphen."""
    found = tables().rooms.get(room.replace("-", " "))
    if found is None:
        expected = ", ".join(name.replace(" ", "-") for name in tables().rooms)
        raise HousematesError(f"Unknown room {room!r}: expected one of {expected}.")
    return found
