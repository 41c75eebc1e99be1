"""Printing a summary: one line of JSON, or lines and plain tables that fit a terminal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any


def show(summary: Mapping[str, Any], as_json: bool) -> None:
    """Print a summary; values that are mappings of mappings become tables."""
    if as_json:
        print(json.dumps(summary))
        return
    for key, value in summary.items():
        print(text_table(value) if isinstance(value, dict) else f"{key}: {value}")


def text_table(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Rows by name with a column for every key; headings are stacked word by word."""
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    heads = list(zip_longest(*(column.split() for column in columns), fillvalue=""))
    cells = {name: [_text(row.get(column, "")) for column in columns] for name, row in rows.items()}
    widths = [
        max(map(len, (*(line[i] for line in heads), *(row[i] for row in cells.values())))) + 2
        for i in range(len(columns))
    ]
    first = max(map(len, rows))
    lines = [
        " " * first + "".join(word.rjust(w) for word, w in zip(line, widths, strict=True)) for line in heads
    ]
    for name, row in cells.items():
        lines.append(name.ljust(first) + "".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True)))
    return "\n".join(lines)


def _text(value: Any) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
