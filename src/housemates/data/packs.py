"""Single lines of packed files, for processes that are told where their work lies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from housemates.errors import HousematesError
from housemates.files import read_text_lines

_cursors: dict[str, tuple[int, str, Iterator[tuple[int, str]]]] = {}
"""Path -> the line that was read last, what it says, and the rest of the file."""
OPEN_FILES = 4


def read_place(path: str | Path, line: int) -> str:
    """One line of a `.jsonl` or `.jsonl.zst` file, counted from 1.

    A process goes through a file once as long as it asks for lines in order, and starts over if it goes back.
    """
    name = str(path)
    number, text, rest = _cursors.pop(name, (0, "", iter(())))
    if number == 0 or number > line:
        number, text, rest = 0, "", read_text_lines(name)
    while number < line:
        number, text = next(rest, (0, ""))
        if number == 0:
            break
    if number != line:
        raise HousematesError(f"{name}: has no line {line}, or it is empty.")
    while len(_cursors) >= OPEN_FILES:
        del _cursors[next(iter(_cursors))]
    _cursors[name] = (number, text, rest)
    return text
