"""A log of model calls, one line each, from which a run is repeated without asking again."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path
from typing import Any

import msgspec

from housemates.data.journal import Lines
from housemates.errors import HousematesError


class Recorded(msgspec.Struct, frozen=True, omit_defaults=True):
    """One call and what came of it."""

    episode: str
    role: str
    number: int
    """Of the call in the episode."""
    asked: str
    """A fingerprint of the whole request."""
    told: list[dict[str, Any]] = []
    """What the request says that the one before it did not; of a picture, its fingerprint."""
    answer: Any = None
    """The body that came back."""
    usage: dict[str, float] = {}
    error: str = ""
    """Why nothing came back."""
    seconds: float = 0.0

    @property
    def key(self) -> tuple[str, str, int]:
        """What tells it from all others of a run."""
        return self.episode, self.role, self.number


class Record:
    """A file of calls; those that are in it are not made again.

    Args:
        path: The file; without one nothing is kept.
        offline: No calls are made: whatever is not in the file is an error, and errors in it come again.
    """

    def __init__(self, path: Path | None, offline: bool = False) -> None:
        if offline and (path is None or not path.is_file()):
            raise HousematesError(f"{path or 'calls'}: expected the record of calls that is to be repeated.")
        self._path, self._offline = path, offline
        self._lock = threading.Lock()
        self._lines = None if path is None else Lines[Recorded](path, Recorded)
        self._known: dict[tuple[str, str, int], Recorded] = {}
        self.tokens = 0.0
        """Of all calls in it."""
        for each in self._lines or ():
            self.tokens += each.usage.get("tokens", 0.0)
            self._known[each.key] = msgspec.structs.replace(each, told=[])

    def find(self, key: tuple[str, str, int], asked: str) -> Recorded | None:
        """What is known of a call; None if it is to be made."""
        found = self._known.get(key)
        if self._offline:
            if found is None or found.asked != asked:
                what = "is not in it" if found is None else "was another one"
                raise HousematesError(f"{self._path}: call {key[2]} of the {key[1]} in {key[0]} {what}.")
            return found
        return found if found is not None and found.asked == asked and not found.error else None

    def add(self, made: Recorded) -> None:
        """Write down a call."""
        if self._lines is not None:
            with self._lock:
                self._lines.append(made)


def digest(data: bytes) -> str:
    """BLAKE2b of the data, 16 bytes in hexadecimal."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()
