"""A plot of shares with their intervals as HTML that fits a phone and has the colours of its page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple


class Bar(NamedTuple):
    """One row: a share in percent, and where it lies with 95 % if that is known."""

    label: str
    value: float
    interval: Sequence[float] = ()
    paper: bool = False


def plot_intervals(bars: Sequence[Bar]) -> str:
    """The rows one below the other, on one scale from 0 to 100 %."""
    told = escape("; ".join(f"{each.label}: {each.value:.1f} %" for each in bars))
    ticks = "".join(f"<span>{tick}</span>" for tick in (0, 25, 50, 75, 100))
    axis = f'<div class="axis"><span class="label"></span><span class="track">{ticks}</span></div>'
    return f'<div class="plot" role="img" aria-label="{told}">{"".join(map(_row, bars))}{axis}</div>'


def _row(bar: Bar) -> str:
    line = ""
    if bar.interval:
        low, high = map(_place, bar.interval)
        line = f'<i class="range" style="left: {low:.1f}%; width: {high - low:.1f}%"></i>'
    return (
        f'<div class="{"told" if bar.paper else "ours"}"><span class="label">{escape(bar.label)}</span>'
        f'<span class="track">{line}<i class="dot" style="left: {_place(bar.value):.1f}%"></i></span>'
        f'<span class="value">{bar.value:.1f}</span></div>'
    )


def _place(percent: float) -> float:
    return max(0.0, min(100.0, percent))
