"""Reading single records of packed files, and single files, by their place."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from housemates.errors import HousematesError
from housemates.files import read_text, read_text_lines

PACKED = (".jsonl.zst", ".jsonl")
"""How the names of packed files end."""
OPEN = 4
"""Packed files that a thread keeps open."""


class Place(NamedTuple):
    """Where a record is."""

    path: str
    line: int = 0
    """Of a packed file, counted from 1; 0 is a file of its own."""

    def __str__(self) -> str:
        """As messages name it."""
        return f"{self.path}: line {self.line}" if self.line else self.path


class _Cursor:
    """Goes through a packed file, forwards only."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.stamp = _stamp(path)
        self.line, self.text = 0, ""
        self._rest: Iterator[tuple[int, str]] = read_text_lines(path)

    def go_to(self, line: int) -> str:
        while self.line < line:
            self.line, self.text = next(self._rest, (line + 1, ""))
        if self.line != line:
            raise HousematesError(f"{self.path}: there is no line {line}.")
        return self.text


class _Open(threading.local):
    """The packed files that a thread reads, the last one last."""

    def __init__(self) -> None:
        self.cursors: dict[str, _Cursor] = {}


_open = _Open()


def _stamp(path: str) -> tuple[int, int]:
    """What changes when a file does."""
    try:
        found = Path(path).stat()
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_size)


def read_place(path: str | Path, line: int = 0) -> str:
    """The text of a file, or of one line of a packed file.

    Each thread keeps its place in the packed files that it reads, so that lines in rising order are read
    in one go; to go back is to begin anew.
    """
    if not line:
        return read_text(path)
    key = str(path)
    cursors = _open.cursors
    cursor = cursors.pop(key, None)
    if cursor is None or cursor.line > line or cursor.stamp != _stamp(key):
        cursor = _Cursor(key)
    text = cursor.go_to(line)
    cursors[key] = cursor
    if len(cursors) > OPEN:
        del cursors[next(iter(cursors))]
    return text
