"""Reading single records of packed files, and single files, by their place."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
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


class Line(NamedTuple):
    """A line of a packed file."""

    place: Place
    text: str


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
    """The packed files that a thread reads, the last one last, and a line that it need not look for."""

    def __init__(self) -> None:
        self.cursors: dict[str, _Cursor] = {}
        self.at_hand: Line | None = None


_open = _Open()


def _stamp(path: str) -> tuple[int, int]:
    """What changes when a file does."""
    try:
        found = Path(path).stat()
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_size)


def lay_ready(line: Line | None) -> None:
    """Have a line at hand, so that this thread need not look for it; the one before is put away.

    Whoever lists a file has each line at hand. Handed on with the work, it spares another process a stream
    of its own, which may take 64 MB.
    """
    _open.at_hand = line


def take_up() -> Line | None:
    """The line at hand, to be handed on; then it is at hand no longer."""
    line, _open.at_hand = _open.at_hand, None
    return line


def read_place(path: str | Path, line: int = 0) -> str:
    """The text of a file, or of one line of a packed file.

    Each thread keeps its place in the packed files that it reads, so that lines in rising order are read
    in one go; to go back is to begin anew.
    """
    if not line:
        return read_text(path)
    key, ready = str(path), _open.at_hand
    if ready is not None and ready.place == (key, line):
        return ready.text
    cursors = _open.cursors
    cursor = cursors.pop(key, None)
    if cursor is None or cursor.line > line or cursor.stamp != _stamp(key):
        cursor = _Cursor(key)
    text = cursor.go_to(line)
    cursors[key] = cursor
    if len(cursors) > OPEN:
        del cursors[next(iter(cursors))]
    return text


def of_split(data: Path, split: str, splits: Sequence[str]) -> Path:
    """The folder or packed file of a split.

    Args:
        data: A folder with a folder or a packed file for each split, or one split. What is called as another
            split is refused; what has another name is taken as the split that is asked for.
        split: Which is wanted; all that is there if it is none of `splits`.
        splits: Names of splits.
    """
    if not data.exists():
        raise HousematesError(f"{data}: no such file or folder.")
    if split not in splits:
        return data
    names = [(name, data / f"{name}{ending}") for name in splits for ending in (*PACKED, "")]
    there = {name: path for name, path in names if path.exists()}
    if split in there:
        return there[split]
    if there:
        raise HousematesError(f"{data}: has no split {split!r}: there is {', '.join(there)}.")
    said = next((name for name in map(_bare, reversed(data.parts)) if name in splits), split)
    if said != split:
        raise HousematesError(f"{data}: is the split {said!r}, not {split!r}.")
    return data


def _bare(name: str) -> str:
    """The name of a packed file without its ending."""
    return next((name.removesuffix(ending) for ending in PACKED if name.endswith(ending)), name)
