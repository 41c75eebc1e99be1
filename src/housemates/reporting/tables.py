"""Tables for people: percent with one decimal, counts whole, one compact style everywhere."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

NAME = 40
"""Letters up to which what a row is called stays on one line."""
WIDTH = 200
"""Characters of a line where no terminal says how many there are."""


def cell(value: Any) -> str:
    """A value as it stands in a table."""
    if isinstance(value, float):
        return f"{value:.1f}"
    return "" if value is None else str(value)


def columns(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of all columns, in the order in which they come up."""
    return list(dict.fromkeys(name for row in rows for name in row))


def show(rows: Mapping[str, Mapping[str, Any]], title: str = "") -> None:
    """Print a table: a name and its numbers in each row."""
    show_rows([{"": name, **row} for name, row in rows.items()], title)


def show_rows(rows: Sequence[Mapping[str, Any]], title: str = "") -> None:
    """Print rows under the names of their columns: words to the left, numbers to the right."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    names = columns(rows)
    table = Table(*names, title=title or None, box=SIMPLE_HEAD, title_justify="left", title_style="bold")
    for column, name in zip(table.columns, names, strict=True):
        column.overflow = "fold"
        column.no_wrap = name == names[0] and all(len(cell(row.get(name))) <= NAME for row in rows)
        if not any(isinstance(row.get(name), str) for row in rows):
            column.justify = "right"
    for row in rows:
        table.add_row(*(cell(row.get(name)) for name in names))
    Console(width=None if sys.stdout.isatty() else WIDTH).print(table)


def show_report(report: Mapping[str, Any]) -> None:
    """Print what `evaluation.runner.evaluate` returned."""
    agents = ", ".join(f"{role} {name}" for role, name in report["agents"].items())
    notes = [f"{name}: {', '.join(report[name])}" for name in ("privileged", "pointing") if report[name]]
    options = [f"{key} {value}" for key, value in report["options"].items()]
    run = [report["benchmark"], report["split"], f"seed {report['seed']}", *options]
    print(f"{', '.join(run)}: {'; '.join([agents, *notes])}")
    low, high = report["interval"]
    counted = f"{report['episodes']} episodes, {report['errors']} errors"
    print(f"success {report['success']:.1f} % (95 % interval {low:.1f} to {high:.1f}), {counted}")
    show({"here": report["metrics"], **report["paper"]})
    for title, rows in report["tables"].items():
        show(rows, title)
