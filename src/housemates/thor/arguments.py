"""Reading the arguments of AI2-THOR's messages: what is there, of which kind, and what it comes to."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from housemates.files import shipped
from housemates.thor.replies import INVALID_ARGUMENT, MISSING_ARGUMENTS, Refused

Arguments = Mapping[str, Any]
"""The arguments of one message, by name."""
ALWAYS = frozenset(
    ("action", "agentId", "sequenceId", "renderImage", "renderInstanceSegmentation", "renderObjectImage")
)
"""Arguments of every message."""
MOST = 1e6
"""Numbers beyond this, either way, are mistakes."""


def is_number(value: Any) -> bool:
    """Whether it is a finite number of a size that can mean something."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MOST


def is_vector(value: Any) -> bool:
    """Whether it is a mapping of some of x, y and z to numbers."""
    return isinstance(value, Mapping) and set(value) <= set("xyz") and all(map(is_number, value.values()))


KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "flag": ("System.Boolean", lambda value: isinstance(value, bool | int)),
    "number": ("System.Single", is_number),
    "text": ("System.String", lambda value: isinstance(value, str)),
    "vector": ("UnityEngine.Vector3", lambda value: is_vector(value) or is_number(value)),
    "mapping": ("Thor.Procedural.Data.ProceduralHouse", lambda value: isinstance(value, Mapping)),
    "list": ("System.Array", lambda value: isinstance(value, list | tuple)),
}
"""What AI2-THOR calls each kind, and what it takes."""


@cache
def known() -> Mapping[str, str]:
    """The kind of every argument, by its name."""
    kinds = shipped(__package__, "arguments.toml")["kinds"]
    return {name: kind for kind, names in kinds.items() for name in names}


@cache
def exact() -> Mapping[str, frozenset[str]]:
    """The arguments of actions that take no others."""
    return {name: frozenset(taken) for name, taken in shipped(__package__, "arguments.toml")["exact"].items()}


def checked(
    action: str, given: Mapping[str, Any], required: tuple[str, ...], lenient: bool = False
) -> dict[str, Any]:
    """The arguments of a message that say something; None says nothing.

    Args:
        action: What is to be done.
        given: The message.
        required: Arguments that it cannot do without.
        lenient: Pass over arguments that are not known, as version 2 does with all of them.

    Raises:
        Refused: with the code and the wording that AI2-THOR has for it.
    """
    arguments = {name: value for name, value in given.items() if value is not None}
    taken = exact().get(action)
    unknown = [
        name
        for name in arguments
        if name not in known() or not (taken is None or name in taken or name in ALWAYS)
    ]
    if lenient:
        arguments = {name: value for name, value in arguments.items() if name in known()}
    elif unknown:
        names = ", ".join(f"'{name}'" for name in unknown)
        raise Refused(
            f'\n\tAction: "{action}" called with invalid argument{"s" if len(unknown) > 1 else ""}: {names}',
            INVALID_ARGUMENT,
        )
    for name, value in arguments.items():
        kind, fits = KINDS[known()[name]]
        if not fits(value):
            given_as = f"{name} (=={value!s:.60})"
            raise Refused(
                f"action: {action} has an invalid argument: {given_as}. Cannot convert to: {kind}",
                INVALID_ARGUMENT,
            )
    missing = [name for name in required if name not in arguments]
    if missing:
        raise Refused(
            f"action: {action} is missing the following arguments: {','.join(missing)}", MISSING_ARGUMENTS
        )
    return arguments


def plain(value: Any) -> Any:
    """A message as it would arrive over a wire: numpy's numbers and arrays as Python's, tuples as lists."""
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


def place_given(arguments: Arguments) -> dict[str, float]:
    """The coordinates that were given, as `position` or one by one."""
    given = arguments.get("position")
    found = {axis: arguments[axis] for axis in "xyz" if axis in arguments}
    found.update(given if isinstance(given, Mapping) else {})
    return {axis: float(value) for axis, value in found.items()}


def angle_given(arguments: Arguments, axis: str = "y") -> float | None:
    """The angle of a `rotation`, which may be a number or a mapping; None if there is none."""
    value = arguments.get("rotation")
    if isinstance(value, Mapping):
        value = value.get(axis)
    elif axis != "y":
        value = None
    return None if value is None else float(value)


def degrees(value: float) -> float:
    """An angle from 0 to 360; whole degrees where it is within a thousandth of them."""
    whole = round(value)
    return float(whole % 360) if math.isclose(value, whole, abs_tol=1e-3) else round(value % 360, 4)
