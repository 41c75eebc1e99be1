"""Options of the benchmarks, which the command line gives as text."""

from __future__ import annotations

from collections.abc import Iterable

from housemates.errors import HousematesError


def choose(name: str, value: str, known: Iterable[str]) -> str:
    """An option that is one of the known values."""
    known = tuple(known)
    if value not in known:
        raise HousematesError(f"{name}: expected one of {', '.join(known)}, found {value!r}.")
    return value


def whole_number(name: str, value: int | str) -> int:
    """An option that is a whole number above zero."""
    try:
        number = int(value)
    except ValueError:
        number = 0
    if number < 1:
        raise HousematesError(f"{name}: expected a whole number above zero, found {value!r}.")
    return number
