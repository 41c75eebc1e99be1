"""A plot of shares with their intervals, drawn as SVG, so that a page needs nothing else to show it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

ROW_PX, LABEL_PX, WIDTH_PX, TEXT_PX = 24, 250, 720, 60
LONGEST = 36
"""Letters of a label."""


class Bar(NamedTuple):
    """One row: a share in percent, and where it lies with 95 % if that is known."""

    label: str
    value: float
    interval: Sequence[float] = ()
    paper: bool = False


def plot_intervals(bars: Sequence[Bar]) -> str:
    """The rows one below the other, on one scale from 0 to 100 %."""
    height = ROW_PX * (len(bars) + 1)
    parts = [
        f'<line x1="{_x(tick):.1f}" x2="{_x(tick):.1f}" y1="0" y2="{height - ROW_PX}" stroke="#ddd"/>'
        f'<text x="{_x(tick):.1f}" y="{height - 8}" text-anchor="middle">{tick}</text>'
        for tick in (0, 25, 50, 75, 100)
    ]
    parts += [_row(number, bar) for number, bar in enumerate(bars)]
    told = escape("; ".join(f"{each.label}: {each.value:.1f} %" for each in bars))
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH_PX} {height}" role="img" aria-label="{told}" '
        f'font-size="13" fill="#20242a">{"".join(parts)}</svg>'
    )


def _x(percent: float) -> float:
    return LABEL_PX + (WIDTH_PX - LABEL_PX - TEXT_PX) * max(0.0, min(100.0, percent)) / 100


def _row(number: int, bar: Bar) -> str:
    middle, colour = ROW_PX * (number + 0.5), "#999" if bar.paper else "#2f6da8"
    label = bar.label if len(bar.label) <= LONGEST else f"{bar.label[: LONGEST - 1]}…"
    line = ""
    if bar.interval:
        low, high = bar.interval
        line = (
            f'<line x1="{_x(low):.1f}" x2="{_x(high):.1f}" y1="{middle}" y2="{middle}" '
            f'stroke="{colour}" stroke-width="3" stroke-linecap="round"/>'
        )
    return (
        f'<text x="0" y="{middle + 4}">{escape(label)}</text>{line}'
        f'<circle cx="{_x(bar.value):.1f}" cy="{middle}" r="5" fill="{colour}"/>'
        f'<text x="{WIDTH_PX}" y="{middle + 4}" text-anchor="end">{bar.value:.1f}</text>'
    )
