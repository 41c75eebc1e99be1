"""The one exception that a user's mistake raises."""

from __future__ import annotations


class HousematesError(ValueError):
    """Something a user gave is wrong; the message says what, where, and what was expected.

    The command line prints the message and exits with code 2. State is unchanged when it is raised.
    """
