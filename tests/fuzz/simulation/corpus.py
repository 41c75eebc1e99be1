"""Schedules in which something was wrong once, by what it was."""

from __future__ import annotations

from collections.abc import Mapping

ONCE_WRONG: Mapping[str, tuple[int, ...]] = {
    "a process that ended between two acts made every later act fail": (17,),
    "a session to which nobody came back did not end": (5,),
    "a commit whose answer was lost seated people twice": (14,),
    "agents stopped for good where the database was gone as one failed": (67355,),
    "a crash between making a session and seating its people left it without any": (73,),
    "a session was gone on with in a room that was read before it was given up": (5104627,),
}
