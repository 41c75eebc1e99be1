"""What AI2-THOR answers: a value, or an error event with its code and wording."""

from __future__ import annotations

from typing import Any, NamedTuple

INVALID_ACTION = "InvalidAction"
INVALID_ARGUMENT = "InvalidArgument"
MISSING_ARGUMENTS = "MissingArguments"
RAISED = (INVALID_ACTION, INVALID_ARGUMENT, MISSING_ARGUMENTS, "AmbiguousAction")
"""Codes for which the client raises ValueError."""


class Refused(Exception):
    """Something cannot be done; becomes an error event."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.message, self.code = message, code


class Reply(NamedTuple):
    """What came of an action."""

    action: str
    success: bool = True
    message: str = ""
    code: str = ""
    value: Any = None
    """The `actionReturn`."""
