"""Small plots as PNG bytes, for the pages of statistics."""

from __future__ import annotations

import importlib.util
import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

from housemates.errors import HousematesError

COLOUR = "#4878a8"
UPRIGHT, COLUMN = 12, 25
"""Names up to which bars stand upright, and how many at most lie one below the other where there are more."""
BINS = 60


def bars(values: Mapping[str, float], counted: str, named: str = "", log: bool = False) -> bytes:
    """One bar for each name; of many names, in columns from left to right, whose names can be read.

    Args:
        values: Name -> height.
        counted: What the heights are.
        named: What the names are; left out where they speak for themselves.
        log: Whether heights are shown by their logarithm.
    """
    if len(values) <= UPRIGHT:
        figure, axes = _axes(6.0, named, counted, log)
        axes.bar(range(len(values)), list(values.values()), color=COLOUR)
        axes.set_xticks(range(len(values)), list(values), rotation=30, ha="right", fontsize=8)
        _whole(axes.yaxis, values.values(), log)
        return _png(figure)
    names = list(values)
    longest = math.ceil(len(names) / math.ceil(len(names) / COLUMN))
    columns = [names[start : start + longest] for start in range(0, len(names), longest)]
    figure = _figure(max(4.0, 2.9 * len(columns)), 0.8 + 0.2 * longest)
    for number, column in enumerate(columns):
        axes = figure.add_subplot(1, len(columns), number + 1)
        axes.barh(range(len(column)), [values[name] for name in column], color=COLOUR)
        axes.set_yticks(range(len(column)), column, fontsize=8)
        axes.set_ylim(longest - 0.4, -0.6)
        axes.set_xscale("log" if log else "linear")
        axes.set_xlim(left=None if not log else 0.8, right=1.1 * max(values.values(), default=1.0) or 1.0)
        _whole(axes.xaxis, values.values(), log)
        axes.tick_params(axis="x", labelsize=8)
    figure.supxlabel(counted, fontsize=10)
    figure.supylabel(named, fontsize=10)
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
    axes.hist(values, bins=_bins(values), color=COLOUR)
    _whole(axes.xaxis, values, log=False)
    _whole(axes.yaxis, (), log)
    return _png(figure)


def stacked(rows: Mapping[str, Mapping[str, float]], counted: str) -> bytes:
    """One bar for each row, made of its parts, which are named beside; `counted` is what the heights are."""
    figure, axes = _axes(max(7.0, 0.6 * len(rows)), "", counted, log=False)
    parts = list(dict.fromkeys(name for row in rows.values() for name in row))
    below = [0.0] * len(rows)
    for part in parts:
        heights = [row.get(part, 0.0) for row in rows.values()]
        axes.bar(range(len(rows)), heights, bottom=below, label=part)
        below = [low + height for low, height in zip(below, heights, strict=True)]
    axes.set_xticks(range(len(rows)), list(rows), rotation=30, ha="right", fontsize=8)
    figure.legend(loc="outside right upper", fontsize=8)
    return _png(figure)


def _bins(values: Sequence[float]) -> int | list[float]:
    """Where bars begin: around each whole number if all are whole and few, else how many there are."""
    if _are_whole(values) and len(values) and max(values) - min(values) < BINS:
        return [number - 0.5 for number in range(int(min(values)), int(max(values)) + 2)]
    return min(BINS, max(10, len(set(values))))


def _are_whole(values: Any) -> bool:
    return all(each == int(each) for each in values)


def _whole(axis: Any, values: Any, log: bool) -> None:
    """Name whole numbers alone along an axis of whole numbers, as they are written."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    if not _are_whole(values):
        return
    if not log:
        axis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def _axes(width: float, along: str, up: str, log: bool) -> tuple[Any, Any]:
    figure = _figure(width, 3.5)
    axes = figure.subplots()
    axes.set_xlabel(along)
    axes.set_ylabel(up)
    axes.set_yscale("log" if log else "linear")
    return figure, axes


def _figure(width: float, height: float) -> Any:
    if importlib.util.find_spec("matplotlib") is None:
        raise HousematesError("Plots need matplotlib: pip install 'housemates[plots]'.")
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _png(figure: Any) -> bytes:
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=90, metadata={"Software": None})
    return stream.getvalue()
