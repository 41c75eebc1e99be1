"""Know-how: where and with what things are cleaned, heated and brewed in a home, and in which steps."""

from __future__ import annotations

from functools import cache

import msgspec

from housemates.files import shipped


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way of doing something: an entry of `recipes.toml`; see there for what each column means."""

    steps: tuple[str, ...]
    at: str = ""
    switch: str = ""
    vessels: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    each: bool = False

    @property
    def needs(self) -> tuple[str, ...]:
        """The types of the place and of the best vessel, as far as there are any."""
        return tuple(each for each in (self.at, *self.vessels[:1]) if each)

    @property
    def into(self) -> str:
        """The type of what the thing itself is put into: the best vessel, or the place."""
        return self.vessels[0] if self.vessels else self.at


@cache
def recipes() -> dict[str, tuple[Way, ...]]:
    """Every thing that one knows how to do -> its ways, the best first."""
    return msgspec.convert(shipped(__package__, "recipes.toml"), dict[str, tuple[Way, ...]])


WASHING, FILLING, COOLING = (recipes()[name][0] for name in ("clean", "fill", "cool"))
MICROWAVING, FRYING = recipes()["cook"]
TOASTING, BREWING = recipes()["toast"][0], recipes()["coffee"][0]
BOILING, STEAMING = recipes()["boil"][:2]
"""In a pot on the stove; in the microwave."""
