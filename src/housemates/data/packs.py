"""Reading single lines of packed files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from housemates.errors import HousematesError
from housemates.files import read_text_lines

_cursors: dict[str, tuple[int, Iterator[tuple[int, str]]]] = {}


def read_place(path: str | Path, line: int) -> str:
    """The text of a line of a `.jsonl` or `.jsonl.zst` file, counted from 1.

    The file is read on from where the last call in this process left it, and from its beginning if that was
    farther on.
    """
    reached, lines = _cursors.pop(str(path), (0, iter(())))
    if reached == 0 or reached >= line:
        lines = read_text_lines(path)
    for number, text in lines:
        if number == line:
            _cursors[str(path)] = (number, lines)
            return text
    raise HousematesError(f"{path}: there is no line {line}.")
