"""Tables for people: percent with one decimal, counts whole, one compact style everywhere."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from housemates.reporting.numbers import count, span
from housemates.reporting.words import heading, known, worded

NARROW = 30
"""Letters up to which words are not broken into lines."""
GAP = 2
"""Letters between columns."""
WIDTH = 100
"""Characters of a line where no terminal says how many there are."""


def width() -> int:
    """Characters of a line."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH


def cell(value: Any) -> str:
    """A value as it stands in a table."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return count(value)
    if isinstance(value, tuple | list):
        return span((value[0], value[1]))
    return "" if value is None else str(value)


def columns(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of all columns, in the order in which they come up."""
    return list(dict.fromkeys(name for row in rows for name in row))


def head(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """The name of a column in words, with its unit unless it says yes and no."""
    return worded(name) if any(isinstance(row.get(name), bool) for row in rows) else heading(name)


def show(rows: Mapping[str, Mapping[str, Any]], title: str = "") -> None:
    """Print a table: a name and its numbers in each row."""
    show_rows([{"": known(name), **row} for name, row in rows.items()], title)


def show_rows(rows: Sequence[Mapping[str, Any]], title: str = "") -> None:
    """Print rows under the names of their columns: words to the left, numbers to the right.

    What is too wide for the line follows in a second part, under the same names of rows.
    """
    print(f"\n{title}" if title else "")
    for place, part in enumerate(_parts([_column(name, rows) for name in columns(rows)])):
        there = [number for number in range(len(rows)) if any(each.cells[number] for each in part[1:])]
        _print_part(part, there if place else range(len(rows)))


class _Column(NamedTuple):
    """A column before it is known how wide it can be."""

    head: str
    cells: list[str]
    words: bool
    """Whether it stands to the left and may be broken into lines."""

    @property
    def least(self) -> int:
        """How wide it is at least."""
        longest = max(map(len, self.cells), default=0)
        head = max(map(len, self.head.split()), default=0)
        return max(1, head, min(longest, NARROW) if self.words else longest)

    @property
    def most(self) -> int:
        """How wide it need be at most."""
        return max(1, *map(len, [self.head, *self.cells]))


def _column(name: str, rows: Sequence[Mapping[str, Any]]) -> _Column:
    words = any(isinstance(row.get(name), str) for row in rows)
    return _Column(head(name, rows), [cell(row.get(name)) for row in rows], words)


def _parts(found: Sequence[_Column]) -> Iterator[list[_Column]]:
    """Columns that fit side by side, the first of all before each part."""
    first, *others = found
    part = [first]
    for each in others:
        if len(part) > 1 and sum(column.least + GAP for column in [*part, each]) > width() + GAP:
            yield part
            part = [first]
        part.append(each)
    yield part


def _print_part(part: Sequence[_Column], numbers: Iterable[int]) -> None:
    widths = _widths(part)
    _print_row([each.head for each in part], part, widths)
    print(_line() * (sum(widths) + GAP * (len(widths) - 1)))
    for number in numbers:
        _print_row([each.cells[number] for each in part], part, widths)


def _line() -> str:
    """What a rule is made of: a line, or a dash where the output knows no line."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return "─" if encoding.lower().startswith("utf") else "-"


def _widths(part: Sequence[_Column]) -> list[int]:
    """How wide each column is: all that it needs if there is room for that."""
    widths = [each.least for each in part]
    for _ in range(width() - sum(widths) - GAP * (len(part) - 1)):
        narrow = max(range(len(part)), key=lambda number: part[number].most - widths[number])
        if part[narrow].most <= widths[narrow]:
            break
        widths[narrow] += 1
    return widths


def _print_row(texts: Sequence[str], part: Sequence[_Column], widths: Sequence[int]) -> None:
    broken = [textwrap.wrap(text, room) for text, room in zip(texts, widths, strict=True)]
    for number in range(max(map(len, broken))):
        line = []
        for lines, column, room in zip(broken, part, widths, strict=True):
            text = lines[number] if number < len(lines) else ""
            line.append(f"{text:<{room}}" if column.words else f"{text:>{room}}")
        print((" " * GAP).join(line).rstrip())
