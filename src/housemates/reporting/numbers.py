"""Numbers for people: percent with one decimal, counts whole, intervals."""

from __future__ import annotations

import math

Z95 = 1.959964
"""Standard deviations of a normal distribution that 95 % lie within."""


def count(value: float) -> str:
    """A number: whole if it is, else with one decimal."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def percent(value: float) -> str:
    """A number that is in percent."""
    return f"{value:.1f} %"


def span(bounds: tuple[float, float]) -> str:
    """From where to where, in percent."""
    low, high = bounds
    return f"{low:.1f}–{high:.1f}"


def wilson(share: float, n: int) -> tuple[float, float]:
    """The 95 % interval of a share of `n`, in percent: Wilson's, also where all are alike."""
    if not n:
        return (0.0, 100.0)
    middle = (share + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
    half = Z95 / (1 + Z95**2 / n) * math.sqrt(share * (1 - share) / n + Z95**2 / (4 * n * n))
    return (round(100 * max(0.0, middle - half), 2), round(100 * min(1.0, middle + half), 2))
