"""Single lines of packed files; each process reads on from where it was, so lines in order cost one pass."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from housemates.errors import HousematesError
from housemates.files import read_text_lines

MOST_OPEN = 4
"""How many files a process keeps its place in."""


class _Cursor:
    """A place in a file."""

    def __init__(self, path: str) -> None:
        self.lines: Iterator[tuple[int, str]] = read_text_lines(path)
        self.line = 0
        """The last line that was read."""


_cursors: dict[str, _Cursor] = {}


def read_place(path: str | Path, line: int) -> str:
    """The text of a line of a `.jsonl` or `.jsonl.zst` file, counted from 1.

    Reading on is cheap; to go back is to begin again. A line that is not there or empty is refused.
    """
    name = str(path)
    cursor = _cursors.pop(name, None)
    if cursor is None or cursor.line >= line:
        cursor = _Cursor(name)
    for number, text in cursor.lines:
        cursor.line = number
        if number >= line:
            _cursors[name] = cursor
            if len(_cursors) > MOST_OPEN:
                del _cursors[next(iter(_cursors))]
            if number == line:
                return text
            break
    raise HousematesError(f"{path}: has nothing in line {line}.")
