"""What comes of an action."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

_NOTHING: Mapping[str, Any] = MappingProxyType({})


def nothing() -> Mapping[str, Any]:
    """An empty mapping that cannot be changed, the same for all who have nothing to tell."""
    return _NOTHING


@dataclass(frozen=True)
class Outcome:
    """Whether an action worked, a sentence for the one who acted, and what it answers beside that."""

    success: bool
    message: str = ""
    data: Mapping[str, Any] = field(default_factory=nothing)
    """What a tool answers, such as a progress check; plain values and arrays."""


def done(message: str = "") -> Outcome:
    """The action worked."""
    return Outcome(True, message)


def refuse(message: str) -> Outcome:
    """The action did not work; the message tells a person what is wrong and what would help."""
    return Outcome(False, message)


@cache
def spoken(type_name: str) -> str:
    """A type's name as a person says it: `CounterTop` is a "counter top"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type_name).lower()
