"""Numbers for people: percent with one decimal, counts whole, intervals."""

from __future__ import annotations


def count(value: float) -> str:
    """A number: whole if it is, else with one decimal."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def percent(value: float) -> str:
    """A number that is in percent."""
    return f"{value:.1f} %"


def span(bounds: tuple[float, float]) -> str:
    """From where to where; both may be negative."""
    low, high = bounds
    return f"{low:.1f} to {high:.1f}"
