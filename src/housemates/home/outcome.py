"""What comes of an action."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """Whether an action worked, and a sentence for the one who acted."""

    success: bool
    message: str = ""


def done(message: str = "") -> Outcome:
    """The action worked."""
    return Outcome(True, message)


def refuse(message: str) -> Outcome:
    """The action did not work; the message tells a person what is wrong and what would help."""
    return Outcome(False, message)


def spoken(type_name: str) -> str:
    """A type's name as a person says it: `CounterTop` is a "counter top"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type_name).lower()
