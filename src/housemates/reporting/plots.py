"""Small plots as PNG bytes for the pages of statistics, and as figures of such a page."""

from __future__ import annotations

import base64
import importlib.util
import io
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from housemates.errors import HousematesError

COLOUR = "#4878a8"


def bars(values: Mapping[str, float], log: bool = False) -> bytes:
    """One bar for each name."""
    figure, axes = _axes(width=max(6.0, 0.17 * len(values)))
    axes.bar(range(len(values)), list(values.values()), color=COLOUR)
    axes.set_xticks(range(len(values)), list(values), rotation=90, fontsize=7)
    axes.set_yscale("log" if log else "linear")
    return _png(figure)


def histogram(values: Sequence[float], log: bool = False) -> bytes:
    """How often values of each size occur."""
    figure, axes = _axes(width=6.0)
    axes.hist(values, bins=min(60, max(10, len(set(values)))), color=COLOUR)
    axes.set_yscale("log" if log else "linear")
    return _png(figure)


def stacked(rows: Mapping[str, Mapping[str, float]]) -> bytes:
    """One bar for each row, made of its parts."""
    figure, axes = _axes(width=max(7.0, 0.6 * len(rows)))
    parts = list(dict.fromkeys(name for row in rows.values() for name in row))
    below = [0.0] * len(rows)
    for part in parts:
        heights = [row.get(part, 0.0) for row in rows.values()]
        axes.bar(range(len(rows)), heights, bottom=below, label=part)
        below = [low + height for low, height in zip(below, heights, strict=True)]
    axes.set_xticks(range(len(rows)), list(rows), rotation=30, ha="right", fontsize=7)
    axes.legend(fontsize=6)
    return _png(figure)


def figure_html(caption: str, picture: bytes) -> str:
    """A picture with its caption, as HTML that needs no other file."""
    data = base64.b64encode(picture).decode()
    return (
        f'<figure><img src="data:image/png;base64,{data}"><figcaption>{escape(caption)}</figcaption></figure>'
    )


def _axes(width: float) -> tuple[Any, Any]:
    if importlib.util.find_spec("matplotlib") is None:
        raise HousematesError("Plots need matplotlib: pip install 'housemates[plots]'.")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, 3.5), layout="tight")
    return figure, figure.subplots()


def _png(figure: Any) -> bytes:
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=90, metadata={"Software": None})
    return stream.getvalue()
