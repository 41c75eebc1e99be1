"""Small plots as PNG bytes, for the pages of statistics."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Mapping, Sequence
from typing import Any

from housemates.errors import HousematesError

COLOUR = "#4878a8"


def bars(values: Mapping[str, float], counted: str, named: str = "", log: bool = False) -> bytes:
    """One bar for each name.

    Args:
        values: Name -> height.
        counted: What the heights are.
        named: What the names are; left out where they speak for themselves.
        log: Whether heights are shown by their logarithm.
    """
    figure, axes = _axes(max(6.0, 0.17 * len(values)), named, counted, log)
    axes.bar(range(len(values)), list(values.values()), color=COLOUR)
    axes.set_xticks(range(len(values)), list(values), rotation=90, fontsize=7)
    return _png(figure)


def histogram(values: Sequence[float], measured: str, counted: str, log: bool = False) -> bytes:
    """How often values of each size occur.

    Args:
        values: What was measured, one by one.
        measured: What the values are.
        counted: What has such a value.
        log: Whether heights are shown by their logarithm.
    """
    figure, axes = _axes(6.0, measured, counted, log)
    axes.hist(values, bins=min(60, max(10, len(set(values)))), color=COLOUR)
    return _png(figure)


def stacked(rows: Mapping[str, Mapping[str, float]], counted: str) -> bytes:
    """One bar for each row, made of its parts; `counted` is what the heights are."""
    figure, axes = _axes(max(7.0, 0.6 * len(rows)), "", counted, log=False)
    parts = list(dict.fromkeys(name for row in rows.values() for name in row))
    below = [0.0] * len(rows)
    for part in parts:
        heights = [row.get(part, 0.0) for row in rows.values()]
        axes.bar(range(len(rows)), heights, bottom=below, label=part)
        below = [low + height for low, height in zip(below, heights, strict=True)]
    axes.set_xticks(range(len(rows)), list(rows), rotation=30, ha="right", fontsize=7)
    axes.legend(fontsize=6)
    return _png(figure)


def _axes(width: float, along: str, up: str, log: bool) -> tuple[Any, Any]:
    if importlib.util.find_spec("matplotlib") is None:
        raise HousematesError("Plots need matplotlib: pip install 'housemates[plots]'.")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, 3.5), layout="tight")
    axes = figure.subplots()
    axes.set_xlabel(along)
    axes.set_ylabel(up)
    axes.set_yscale("log" if log else "linear")
    return figure, axes


def _png(figure: Any) -> bytes:
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=90, metadata={"Software": None})
    return stream.getvalue()
